// Owns: keeping keys out of every text that leaves this room.

/** Shapes of keys as providers make them, for a key that is not the one we sent. */
const KEY_SHAPES: readonly RegExp[] = [
  /\b(?:sk|pk|rk|gsk|xai|hf|key)[-_][A-Za-z0-9_*.-]{8,}/g,
  /\b(Bearer|Basic)\s+[A-Za-z0-9+/._~=-]{8,}/gi,
  /([?&](?:api[-_]?key|key|token|access_token|code|sig)=)[^&\s"']+/gi,
];
const MARK = '[key]';
/** Shorter values would blank out ordinary words. */
const SHORTEST_SECRET = 6;

/** The text with the secrets, and whatever looks like a key, replaced. */
export function redact(text: string, secrets: readonly (string | null)[]): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret !== null && secret.length >= SHORTEST_SECRET) clean = clean.replaceAll(secret, MARK);
  }
  for (const shape of KEY_SHAPES) {
    clean = clean.replace(shape, (whole: string, lead: unknown) =>
      typeof lead === 'string' && whole.startsWith(lead)
        ? `${lead}${lead.endsWith('=') ? '' : ' '}${MARK}`
        : MARK,
    );
  }
  return clean;
}

/** An address fit to be shown: no user, password or query. */
export function shownAddress(address: string): string {
  try {
    const url = new URL(address);
    return `${url.origin}${url.pathname}`.replace(/\/$/, '');
  } catch {
    return redact(address, []);
  }
}
