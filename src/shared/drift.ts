// Telling whether a call that was made again gave the same: what is allowed to differ, and what is drift.

type DriftRule = {
  says: string;
  /** Sticky: it is looked for around hyphens alone, which most of a text has none of. */
  pattern: RegExp;
  /** Where its first hyphen stands. */
  hyphen: number;
  mark: string;
};

/** Differences between two runs of the same world that mean nothing; everything else is drift. */
export const DRIFT_RULES: readonly DriftRule[] = [
  {
    says: 'ISO 8601 timestamps count as the same: 2026-05-01T10:00:00Z, 2026-05-01 10:00:00.123+02:00',
    pattern: /\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?/y,
    hyphen: 4,
    mark: '<time>',
  },
  {
    says: 'UUIDs count as the same: 8-4-4-4-12 hexadecimal digits',
    pattern: /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/iy,
    hyphen: 8,
    mark: '<id>',
  },
];

/** The text with what is allowed to differ replaced by its mark. */
export const normalized = (text: string): string => DRIFT_RULES.reduce(withMarks, text);

function withMarks(text: string, { pattern, hyphen, mark }: DriftRule): string {
  let kept = '';
  let from = 0;
  for (let at = text.indexOf('-', hyphen); at !== -1;) {
    pattern.lastIndex = at - hyphen;
    const isFound = at - hyphen >= from && pattern.test(text);
    if (isFound) {
      kept += text.slice(from, at - hyphen) + mark;
      from = pattern.lastIndex;
    }
    at = text.indexOf('-', isFound ? from : at + 1);
  }
  return kept + text.slice(from);
}

/** True if two results are the same but for what may differ. Null (nothing there) is only like null. */
export const isSame = (logged: string | null, again: string | null): boolean =>
  logged === again || (logged !== null && again !== null && normalized(logged) === normalized(again));
