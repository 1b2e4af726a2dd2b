// Says in words to which expert a question went, and how.
import type { DeskItem } from '../../../shared/episode/rowShapes.ts';
import type { Routing } from '../../../shared/experts/roster.ts';
import { formatDuration } from '../../ui/time.ts';

/** `For: Priya (planning), by rule`; `For: Priya, asked by name`. */
export function routedText({ expert, by, skill }: Routing): string {
  if (expert === null) return 'For: whoever is there';
  return by === 'name' ? `For: ${expert}, asked by name` : `For: ${expert} (${skill}), by rule`;
}

/** Says who sees it before others, and for how long; null where every seat may answer. */
export function firstText({ first, routed }: DeskItem, seat: string, now: number): string | null {
  if (first === undefined || first.until <= now) return null;
  const left = formatDuration(first.until - now);
  return first.seat === seat
    ? `Yours first: other experts see it in ${left}.`
    : `${routed?.expert ?? 'Another seat'} sees it first; other experts in ${left}.`;
}
