// Where a text stops being JSON. The browser's own message names no place that can be relied on.

const SPACE = /[ \t\r\n]*/y;
// oxlint-disable-next-line no-control-regex -- JSON forbids control characters inside a string
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const PLAIN_VALUE = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.])/y;
const JSON_DEPTH_LIMIT = 500;

/** Index of the first character that cannot stand where it stands; null when the text is JSON. */
export function jsonErrorAt(text: string): number | null {
  let at = 0;
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null) return false;
    at += match[0].length;
    return true;
  };
  const eat = (char: string): boolean => {
    skip(SPACE);
    if (text[at] !== char) return false;
    at += 1;
    skip(SPACE);
    return true;
  };
  const members = (close: string, depth: number, isMember: () => boolean): boolean => {
    if (depth > JSON_DEPTH_LIMIT) return false;
    if (eat(close)) return true;
    do if (!isMember()) return false;
    while (eat(','));
    return eat(close);
  };
  const value = (depth: number): boolean => {
    skip(SPACE);
    if (eat('{')) return members('}', depth, () => skip(STRING) && eat(':') && value(depth + 1));
    if (eat('[')) return members(']', depth, () => value(depth + 1));
    return skip(STRING) || skip(PLAIN_VALUE);
  };
  if (!value(0)) return at;
  skip(SPACE);
  return at === text.length ? null : at;
}
