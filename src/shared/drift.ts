// Owns: telling whether a call that was made again gave the same: what is allowed to differ, and what is drift.

/** Timestamps and random ids differ between two runs of the same world; everything else must not. */
const VOLATILE: readonly [RegExp, string][] = [
  [/\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?/g, '<time>'],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, '<id>'],
];

/** The text with what is allowed to differ replaced: ISO timestamps by `<time>`, UUIDs by `<id>`. */
export const normalized = (text: string): string =>
  VOLATILE.reduce((kept, [pattern, mark]) => kept.replace(pattern, mark), text);

/** Whether two results are the same but for what may differ. Null (nothing there) is only like null. */
export const isSame = (logged: string | null, again: string | null): boolean =>
  logged === null || again === null ? logged === again : normalized(logged) === normalized(again);
