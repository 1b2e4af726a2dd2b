// Overlap of the characters that two reviewers marked. Pure.
import type { Value } from '../events/annotations.ts';
import type { ItemRecord } from './record.ts';
import { doneBy } from './seating.ts';

type MarkedSpan = { start: number; end: number };

/** Characters in both, twice, over characters in either (Dice); 0 where nothing is shared. */
export function spanOverlap(a: readonly MarkedSpan[], b: readonly MarkedSpan[]): number {
  const [left, right] = [joinSpans(a), joinSpans(b)];
  const size = (spans: readonly MarkedSpan[]): number =>
    spans.reduce((sum, { start, end }) => sum + end - start, 0);
  let shared = 0;
  for (const x of left) {
    for (const y of right) shared += Math.max(0, Math.min(x.end, y.end) - Math.max(x.start, y.start));
  }
  const total = size(left) + size(right);
  return total === 0 ? 0 : (2 * shared) / total;
}

/** Spans in order, those that touch joined: a character marked twice by one person counts once. */
function joinSpans(spans: readonly MarkedSpan[]): MarkedSpan[] {
  const out: MarkedSpan[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = out.at(-1);
    if (last !== undefined && span.start <= last.end) last.end = Math.max(last.end, span.end);
    else out.push({ ...span });
  }
  return out;
}

/** Mean over every text of an item that one of two reviewers marked with the option, and every two reviewers. */
export function rangeOverlap(
  items: readonly ItemRecord[],
  dimension: string,
  option: string,
  holds: (value: Value, option: string) => boolean,
): number | null {
  const overlaps = items.flatMap((item) => {
    const marks = item.annotations.filter((one) => one.dimension === dimension && holds(one.value, option));
    const texts = Map.groupBy(marks, ({ target }) =>
      target.on === 'range' ? `${String(target.n)}:${target.field}` : '',
    );
    texts.delete('');
    const reviewers = doneBy(item);
    return [...texts.values()].flatMap((ofText) => {
      const by = (reviewer: string): MarkedSpan[] =>
        ofText.flatMap((one) => (one.reviewer === reviewer && one.target.on === 'range' ? [one.target] : []));
      return reviewers.flatMap((a, index) =>
        reviewers
          .slice(index + 1)
          .map((b) => [by(a), by(b)] as const)
          .filter(([x, y]) => x.length + y.length > 0)
          .map(([x, y]) => spanOverlap(x, y)),
      );
    });
  });
  return overlaps.length === 0 ? null : overlaps.reduce((sum, one) => sum + one, 0) / overlaps.length;
}
