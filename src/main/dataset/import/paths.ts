// Names places in a JSON document: as a pointer to one value, and as a pattern that all items of a list share.

export type Path = readonly (string | number)[];

/** A path as a JSON pointer. */
export const pointerOf = (path: Path): string =>
  path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

const KEY_MAX = 60;

/** A path with dots, list places as `*`: `messages.*.content`. */
export const pathPattern = (path: Path): string =>
  path.map((step) => (typeof step === 'number' ? '*' : step.slice(0, KEY_MAX))).join('.');
