// Where in an episode a person acted in the agent's place. Pure.
import type { Item } from '../../../shared/episode/record.ts';
import type { TimelineRow } from '../../../shared/timeline/timelineRow.ts';

/** From the take-over's place in the log to the hand-back's; one that goes on has no end. */
type TakeOver = { from: number; to: number };

export function takeOversOf(timeline: readonly Item[]): TakeOver[] {
  const spans: TakeOver[] = [];
  let from: number | null = null;
  for (const item of timeline) {
    if (item.type !== 'phase') continue;
    if (item.to === 'correcting') from ??= item.n;
    else if (from !== null) {
      spans.push({ from, to: item.n });
      from = null;
    }
  }
  return from === null ? spans : [...spans, { from, to: Infinity }];
}

/** The agent's own turns keep their stripe: one may still have been under way when it was taken over. */
export const isInSpan = (spans: readonly TakeOver[], { n, role }: TimelineRow): boolean =>
  role !== 'agent' && spans.some(({ from, to }) => n >= from && n <= to);
