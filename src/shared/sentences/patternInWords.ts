// Explains a schema's regular expression by an example a person can follow.
const PATTERNS: ReadonlyMap<string, string> = new Map([
  ['^\\d{4}-\\d{2}-\\d{2}$', 'must be a date such as 2026-06-30'],
  ['^\\d{4}-\\d{2}$', 'must be a month such as 2026-06'],
  ['^\\d{2}:\\d{2}$', 'must be a time such as 09:30'],
  ['^\\S+ \\S+ \\S+ \\S+ \\S+$', 'must be five parts with a space between them, such as 0 9 * * 1'],
  ['^[a-z]+\\.[a-z_]+$', 'must be two words with a dot between them, such as order.created'],
  ['^[A-Z0-9]{4,20}$', 'must be 4 to 20 capital letters or digits'],
  ['^[A-Za-z]+(/[A-Za-z_]+)?$', 'must be a time zone such as Europe/Oslo'],
]);

/** A pattern that nobody put into words is not shown: the tool's description says what it wants. */
export const patternInWords = (pattern: string): string =>
  PATTERNS.get(pattern) ?? 'is not written in the form the tool asks for';
