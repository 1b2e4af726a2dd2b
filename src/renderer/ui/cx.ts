// Joining class names. CSS module lookups may be undefined; they are left out.

/** The names that are there, joined by a space. */
export const cx = (...names: readonly (string | false | null | undefined)[]): string =>
  names.filter((name) => typeof name === 'string' && name !== '').join(' ');
