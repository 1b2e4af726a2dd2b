// Passwords in connection strings as databases take them: `Server=…;Password=…;` and `host=… password=…`. In code,
// `password = …;` alone is no such string. One pass from left to right, whatever the text is made of.

import { replaceMatches } from './replaceMatches.ts';
import type { RedactionMark } from './shapes.ts';

const HAS_PASSWORD = /(?:password|pwd)\s{0,9}=/i;
/** The server, the user or the password in a string. */
const FIELD =
  /\b(?:Server|Data Source|Host|Hostname|Address|User ID|Uid|User|Username|Database|Initial Catalog|Port)\s{0,9}=[^;\n"\\]{1,200}(?=;)|(;\s{0,9}(?:Password|Pwd)\s{0,9}=\s{0,9})([^;\s"'\\]{3,})/gi;
const LIBPQ_FIELD = /\b(?:host|dbname|user)=[^\s"';]{1,200}(?= )|( password=)([^\s"';\\]{3,})/g;
/** Text allowed between two of them. */
const BETWEEN = /^[^\n"\\]*$/;
const LIBPQ_BETWEEN = /^(?: [a-z_]+=[^\s"';]{1,200})*$/;
/** The whole string is no longer. */
const LONGEST = 2_600;

/** The text with the password of every connection string covered. A text without any is returned as it is. */
export function coverConnections(text: string, mark: RedactionMark): string {
  if (!HAS_PASSWORD.test(text)) return text;
  const first = text.includes(';') ? coverFields(text, FIELD, BETWEEN, mark) : text;
  return first.includes(' password=') ? coverFields(first, LIBPQ_FIELD, LIBPQ_BETWEEN, mark) : first;
}

function coverFields(text: string, field: RegExp, between: RegExp, mark: RedactionMark): string {
  let begin = -Infinity;
  let end = 0;
  return replaceMatches(text, field, ([whole, lead, value], at) => {
    const isWithin = at - begin <= LONGEST && between.test(text.slice(end, at));
    if (!isWithin) begin = lead === undefined ? at : -Infinity;
    else if (lead === undefined && at - begin > LONGEST / 2) begin = at;
    end = at + whole.length;
    if (lead === undefined || value === undefined || !isWithin || value.startsWith('[redacted')) return null;
    return `${lead}${mark(value)}`;
  });
}
