// How fast a replay plays: as recorded, faster, or so many steps a second.
import { isLine } from '../../../shared/episode/turns.ts';
import type { LogEvent, Recorded } from '../../../shared/events/vocabulary.ts';

export type Pace = { type: 'recorded'; factor: number } | { type: 'steady'; perSecond: number };

export const PACES: readonly { value: string; label: string; pace: Pace }[] = [
  { value: 'recorded-1', label: 'As recorded', pace: { type: 'recorded', factor: 1 } },
  { value: 'recorded-4', label: 'As recorded, 4×', pace: { type: 'recorded', factor: 4 } },
  { value: 'recorded-16', label: 'As recorded, 16×', pace: { type: 'recorded', factor: 16 } },
  { value: 'steady-1', label: '1 step a second', pace: { type: 'steady', perSecond: 1 } },
  { value: 'steady-3', label: '3 steps a second', pace: { type: 'steady', perSecond: 3 } },
  { value: 'steady-10', label: '10 steps a second', pace: { type: 'steady', perSecond: 10 } },
];

/** Events that change nothing a viewer waits for: shown together with the one before them. */
const SILENT: ReadonlySet<string> = new Set(['message.added', 'call.sent', 'move.proposed']);

const isSilent = (event: LogEvent | undefined): boolean =>
  event !== undefined && SILENT.has(event.kind) && !(event.kind === 'message.added' && isLine(event));

/** The event to show next and how long to wait for it; null at the end. */
export function nextFrame(
  events: readonly Recorded[],
  n: number,
  pace: Pace,
): { n: number; delayMs: number } | null {
  const [now, next] = [events[n - 1], events[n]];
  if (next === undefined) return null;
  if (pace.type === 'recorded') {
    const delayMs = now === undefined ? 0 : Math.max(0, next.at - now.at) / pace.factor;
    return { n: n + 1, delayMs };
  }
  let end = n + 1;
  while (end < events.length && isSilent(events[end]?.event)) end += 1;
  return { n: end, delayMs: 1000 / pace.perSecond };
}
