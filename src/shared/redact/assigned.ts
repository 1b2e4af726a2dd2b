// Values that a text itself calls a secret: `password=…`, `"api_key": "…"`, also where the text is JSON in JSON.
import { createNameReader } from './names.ts';
import { isPlaceholder } from './redact.ts';
import { replaceMatches } from './replaceMatches.ts';
import type { RedactionMark } from './shapes.ts';

/** A text without any of these names nothing. */
const ANY_NAME = /pass|pwd|secret|token|key|auth|cookie|cred|jwt|dsn|connstr|connection/i;
const NAME = String.raw`(?<![A-Za-z0-9_.-])([A-Za-z][A-Za-z0-9_.-]{1,60})(\\{0,3}["']? {0,3}[=:] {0,3}`;
const QUOTED = [
  ['"', new RegExp(String.raw`${NAME}\\{0,3}")([^\s"\\]{3,400})(?=\\{0,3}")`, 'g')],
  ["'", new RegExp(String.raw`${NAME}\\{0,3}')([^\s'\\]{3,400})(?=\\{0,3}')`, 'g')],
] as const;
/** Where a name may stand at all, with what may be its value. */
const ANY_ASSIGNED = /[=:]/;
const BARE = new RegExp(String.raw`${NAME})([^\s"'\\` + '`' + String.raw`,;&<>(){}[\]|]{4,400})`, 'g');
/** Of these names every value is a secret, whatever it looks like. */
const PASSWORD = /(?:passw(?:or)?d|passphrase|pwd)$/i;
/** What stands for a value in a schema and in code. */
const NO_VALUE =
  /^(?:string|str|text|null|none|nil|true|false|required|optional|undefined|hidden|number|integer|boolean|object|array)$/;

export const mayName = (text: string): boolean => ANY_NAME.test(text);

/** The text with every value covered that stands under a secret's name. A text without any is returned as it is. */
export function coverAssigned(text: string, mark: RedactionMark): string {
  if (!ANY_ASSIGNED.test(text) || !mayName(text)) return text;
  const isSecret = createNameReader();
  /** In a text of JSON the `n` of a line break stands right before the name. */
  const isNamed = (text: string, at: number, name: string): boolean =>
    isSecret(name) || (text[at - 1] === '\\' && /^[nrt]/.test(name) && isSecret(name.slice(1)));
  let clean = text;
  for (const [quote, quoted] of QUOTED) {
    if (!clean.includes(quote)) continue;
    clean = replaceMatches(clean, quoted, ([, name = '', lead = '', value = ''], at, all) =>
      isNamed(all, at, name) && (PASSWORD.test(name) || isMixed(value)) && isValue(value)
        ? `${name}${lead}${mark(value)}`
        : null,
    );
  }
  return replaceMatches(clean, BARE, ([whole, name = '', lead = '', value = ''], at, all) => {
    if ('(['.includes(all[at + whole.length] ?? ' ') || !isNamed(all, at, name)) return null;
    // `password: ask at the desk` is prose; `password=…` is an assignment.
    const isPassword = PASSWORD.test(name) && lead === '=';
    return (isPassword || isMixed(value)) && isValue(value) && !isSecret(value)
      ? `${name}${lead}${mark(value)}`
      : null;
  });
}

const isValue = (value: string): boolean => !NO_VALUE.test(value) && !isPlaceholder(value);

/** Letters and digits: no word. */
const isMixed = (value: string): boolean => value.length >= 6 && /\d/.test(value) && /[A-Za-z]/.test(value);
