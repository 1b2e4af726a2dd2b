// The places of an episode one can go to: turns, calls, advice, errors, and what people did. Pure.
import { KINDS, type Recorded } from '../../../shared/events/vocabulary.ts';
import { isToolError } from '../../../shared/wire.ts';

export type StopType = 'turn' | 'call' | 'advice' | 'error' | 'human' | 'label';
export type Stop = { n: number; type: StopType };

/** Every stop of an episode, in order; an event may be several. */
export function stopsOf(events: readonly Recorded[]): Stop[] {
  return events.flatMap(({ n, event, actor }) => {
    const types: StopType[] = [];
    if (event.kind === 'turn.generated') types.push('turn');
    if (event.kind === 'call.returned' || event.kind === 'call.refused') types.push('call');
    if (event.kind === 'consultation.asked' || KINDS[event.kind].settles === 'question') types.push('advice');
    if (isError(event)) types.push('error');
    if (event.kind === 'label.given') types.push('label');
    else if (actor.type === 'human') types.push('human');
    return types.map((type) => ({ n, type }));
  });
}

function isError(event: Recorded['event']): boolean {
  switch (event.kind) {
    case 'call.returned':
      return isToolError(event.error, event.reward_type);
    case 'call.refused':
    case 'model.failed':
    case 'advice.draft_failed':
      return true;
    case 'move.proposed':
      return event.move.type === 'malformed';
    case 'connection.changed':
      return event.state === 'failed';
    case 'episode.ended':
      return event.outcome === 'error' || event.outcome === 'interrupted';
    default:
      return false;
  }
}

/** The nearest stop of a type after (or before) an event; null when there is none. */
export function nextStop(
  stops: readonly Stop[],
  type: StopType,
  n: number,
  direction: 1 | -1,
): number | null {
  const ofType = stops.filter((stop) => stop.type === type);
  const stop = direction === 1 ? ofType.find((s) => s.n > n) : ofType.findLast((s) => s.n < n);
  return stop?.n ?? null;
}
