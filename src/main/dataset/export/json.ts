// JSON that every line reader accepts: well-formed text, without Unicode line separators.

/** Lone surrogates break Arrow; they become the replacement character, in keys too. */
export const safeText = (text: string): string => text.toWellFormed();

/** One line of JSON. `JSON.stringify` escapes lone surrogates, which Arrow refuses as well: they are replaced before. */
export const safeJson = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'string' ? inner.toWellFormed() : inner))
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
