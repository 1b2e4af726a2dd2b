/** Only ends a wait for what never comes. */
const GIVE_UP_MS = 60_000;
const PAUSE_MS = 40;

/** Asks again until there is something. */
export async function until<T>(what: string, look: () => Promise<T | null | undefined>): Promise<T> {
  const giveUpAt = Date.now() + GIVE_UP_MS;
  for (;;) {
    const found = await look();
    if (found !== null && found !== undefined) return found;
    if (Date.now() > giveUpAt) throw new Error(`waited in vain for ${what}`);
    await new Promise((done) => setTimeout(done, PAUSE_MS));
  }
}
