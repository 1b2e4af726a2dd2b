// Telling whether a call that was made again gave the same: what is allowed to differ, and what is drift.

/** What differs between two runs of the same world and means nothing; everything else is drift. */
export const DRIFT_RULES: readonly { name: string; says: string; pattern: RegExp; mark: string }[] = [
  {
    name: 'timestamps',
    says: 'ISO 8601 timestamps count as the same: 2026-05-01T10:00:00Z, 2026-05-01 10:00:00.123+02:00',
    pattern: /\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?/g,
    mark: '<time>',
  },
  {
    name: 'uuids',
    says: 'UUIDs count as the same: 8-4-4-4-12 hexadecimal digits',
    pattern: /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi,
    mark: '<id>',
  },
];

/** The text with what is allowed to differ replaced by its mark. */
export const normalized = (text: string): string =>
  DRIFT_RULES.reduce((kept, { pattern, mark }) => kept.replace(pattern, mark), text);

/** Whether two results are the same but for what may differ. Null (nothing there) is only like null. */
export const isSame = (logged: string | null, again: string | null): boolean =>
  logged === null || again === null ? logged === again : normalized(logged) === normalized(again);
