// Values that a text itself calls a secret: `password=…`, `"api_key": "…"`, also where the text is JSON in JSON.
import { createNameReader } from './names.ts';
import { isPlaceholder } from './redact.ts';
import type { RedactionMark } from './shapes.ts';

/** A text without any of these names nothing. */
const ANY_NAME = /pass|pwd|secret|token|key|auth|cookie|cred|jwt|dsn|connstr|connection|curl/i;
/**
 * A name with what assigns a value to it. The value is looked at only where the name is a secret's, and otherwise read
 * on as text: in `Error: password=…` the second name is the one. After an escape of an address a name may begin too.
 */
const ASSIGNMENT =
  /(?:(?<![A-Za-z0-9_.-])|(?<=%[0-9A-Fa-f]{2}))([A-Za-z][A-Za-z0-9_.-]{1,60})(\\{0,3}["']? {0,3}(?:[=:]|%3[AaDd]) {0,3})/g;
const QUOTED = [
  /(\\{0,3}")([^\s"\\]{3,400})(?=\\{0,3}")/y,
  /(\\{0,3}')([^\s'\\]{3,400})(?=\\{0,3}')/y,
] as const;
const BARE = /()([^\s"'\\`,;&<>(){}[\]|]{4,400})/y;
const BARE_RUN = /[^\s"'\\`,;&<>(){}[\]|]*/y;
const BARE_MAX = 400;
const QUOTE_OR_ESCAPE = /["'\\]/;
const DIGIT = /\d/g;
/** Signs of a name at all, with its possible value. */
const ANY_ASSIGNED = /[=:]|%3[AaDd]/;
/** The text before NAME:PASSWORD in `curl -u NAME:PASSWORD`. */
const BEFORE_USER = /\s(?:-u|--user)[ =]{1,3}["']?$/;
/** Of these names every value is a secret, whatever it looks like. */
const PASSWORD = /(?:passw(?:or)?d|passphrase|pwd)$/i;
/** Placeholders of values in schemas and code. */
const NO_VALUE =
  /^(?:string|str|text|null|none|nil|true|false|required|optional|undefined|hidden|number|integer|boolean|object|array)$/;

export const mayName = (text: string): boolean => ANY_NAME.test(text);

/** The text with every value covered that stands under a secret's name. A text without any is returned as it is. */
export function coverAssigned(text: string, mark: RedactionMark): string {
  if (!ANY_ASSIGNED.test(text) || !mayName(text)) return text;
  const isSecret = createNameReader();
  /** In a text of JSON the `n` of a line break stands right before the name. */
  const isNamed = (at: number, name: string): boolean =>
    isSecret(name) || (text[at - 1] === '\\' && /^[nrt]/.test(name) && isSecret(name.slice(1)));
  const isPlain = createPlainReader(text);
  let clean = '';
  let from = 0;
  ASSIGNMENT.lastIndex = 0;
  for (let match = ASSIGNMENT.exec(text); match !== null; match = ASSIGNMENT.exec(text)) {
    const { 0: whole, 1: name = '', 2: lead = '', index } = match;
    const isUser = isAfterCurl(text, index);
    if (!isUser && !isNamed(index, name)) continue;
    const start = index + whole.length;
    // `password: ask at the desk` is prose; `password=…` is an assignment.
    const isBarePassword = isUser || (PASSWORD.test(name) && (lead === '=' || lead.startsWith('%3')));
    if (!isBarePassword && isPlain(start)) continue;
    const found = valueAt(text, start);
    if (found === null) continue;
    const { quote, value, isBare } = found;
    const isPassword = isBarePassword || (!isBare && PASSWORD.test(name));
    if (!(isPassword || isMixed(value)) || !isValue(value) || (isBare && isSecret(value))) continue;
    clean += text.slice(from, start) + quote + mark(value);
    from = start + quote.length + value.length;
    ASSIGNMENT.lastIndex = from;
  }
  return from === 0 ? text : clean + text.slice(from);
}

/** In a command that began with `curl` at most 200 characters before. */
const isAfterCurl = (text: string, at: number): boolean =>
  BEFORE_USER.test(text.slice(Math.max(0, at - 12), at)) &&
  text.slice(Math.max(0, at - 200), at).includes('curl');

/** The value there: within quotes, or up to the end of a bare one. A call's name and an index are none. */
function valueAt(text: string, start: number): { quote: string; value: string; isBare: boolean } | null {
  for (const pattern of [...QUOTED, BARE]) {
    pattern.lastIndex = start;
    const [, quote = '', value = ''] = pattern.exec(text) ?? [];
    if (value === '') continue;
    const isBare = pattern === BARE;
    return isBare && '(['.includes(text[start + value.length] ?? ' ') ? null : { quote, value, isBare };
  }
  return null;
}

/**
 * Tells if a bare value that begins there holds no digit, asked from the front of a text to its end. Names stand within
 * values, as in `token:token:token`: each character is looked at once for all of them.
 */
function createPlainReader(text: string): (start: number) => boolean {
  let end = -1;
  let digit = -1;
  return (start) => {
    if (QUOTE_OR_ESCAPE.test(text[start] ?? ' ')) return false;
    if (end <= start) {
      BARE_RUN.lastIndex = start;
      end = start + (BARE_RUN.exec(text)?.[0].length ?? 0);
    }
    if (digit < start) {
      DIGIT.lastIndex = start;
      digit = DIGIT.exec(text)?.index ?? text.length;
    }
    return digit >= Math.min(end, start + BARE_MAX);
  };
}

const isValue = (value: string): boolean => !NO_VALUE.test(value) && !isPlaceholder(value);

/** Letters and digits: no word. */
const isMixed = (value: string): boolean => value.length >= 6 && /\d/.test(value) && /[A-Za-z]/.test(value);
