// Which names are this machine's own, and which pages may knock at a door of the gateway.

/** A name that only ever leads to the machine it is used on. */
export const isLoopbackName = (name: string): boolean =>
  name === 'localhost' || name === '::1' || name === '[::1]' || /^127(\.\d{1,3}){3}$/.test(name);

/**
 * Whether a request may come in for what its browser says of its page: none (no browser), a page of any loopback port, or
 * a page of the very address that was asked.
 */
export function isOurOrigin(origin: string | null, asked: URL): boolean {
  if (origin === null) return true;
  if (!URL.canParse(origin)) return false;
  const { hostname, host } = new URL(origin);
  return isLoopbackName(hostname) || host === asked.host;
}
