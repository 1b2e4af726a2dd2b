// Says in words who is acting in an episode, and why. Pure.
import { waitingOnHuman } from '../../../shared/episode/consultations.ts';
import { hasHeldCall } from '../../../shared/episode/calls.ts';
import { isPlayedByPerson, leftOpen } from '../../../shared/episode/phase.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { PAUSED, WAITS_FOR_APPROVAL, WAITS_FOR_EXPERT } from '../../parts/episode/stateWords.ts';
import { breakpointText } from '../../parts/timeline/breakpointText.ts';

export function phaseLabel(record: EpisodeRecord, seat: string): { label: string; detail: string } {
  const { phase, phaseCause } = record;
  if (isPlayedByPerson(record))
    return { label: 'Played by a person', detail: 'make each move under Your move; it is recorded as yours' };
  if (phase === 'correcting') {
    return { label: actingLabel(record, seat), detail: waitingText(record, actingSeat(record) === seat) };
  }
  if (phase === 'autonomous') {
    if (hasHeldCall(record))
      return { label: WAITS_FOR_APPROVAL, detail: 'the agent’s call needs a decision' };
    if (waitingOnHuman(record).length > 0 && record.ended === null)
      return { label: WAITS_FOR_EXPERT, detail: 'the agent’s question needs an answer' };
    return phaseCause === 'step'
      ? { label: 'The agent is acting', detail: 'for one step' }
      : { label: 'The agent is acting', detail: '' };
  }
  return { label: PAUSED, detail: pausedText(record) };
}

/** The actor where a person took over. */
export function actingLabel(record: EpisodeRecord, seat: string): string {
  const by = actingSeat(record);
  return by === seat ? 'You are acting' : `${by ?? 'Another seat'} is acting`;
}

/** Text of the wait while a person acts: a client's agent is held only until it would give up. */
function waitingText(record: EpisodeRecord, isMine: boolean): string {
  if (record.tapped !== null)
    return leftOpen(record)?.type === 'call'
      ? 'the client’s call waits until its deadline'
      : 'the client’s calls wait, each until its deadline';
  if (!isMine) return 'the agent waits until control is handed back';
  return 'the agent waits until you hand back';
}

/** The seat that took over last. */
export const actingSeat = ({ timeline }: EpisodeRecord): string | null =>
  timeline.findLast((item) => item.type === 'phase' && item.to === 'correcting')?.actor.id ?? null;

function pausedText(record: EpisodeRecord): string {
  const { phaseCause, phaseN, turns, timeline, breakpoints } = record;
  const last = turns.at(-1);
  const isUnderWay =
    last !== undefined &&
    last.move?.type === 'call_tool' &&
    (last.call?.sent ?? null) !== null &&
    (last.call?.returned ?? null) === null;
  switch (phaseCause) {
    case 'step':
      return 'one step done';
    case 'rejections':
      return 'three calls in a row were rejected: tell the agent what to do';
    case 'breakpoint': {
      const hit = timeline.findLast((item) => item.type === 'breakpoint_hit' && item.n <= phaseN);
      const found =
        hit?.type === 'breakpoint_hit' ? breakpoints.find(({ id }) => id === hit.breakpoint) : undefined;
      return found === undefined ? 'at a breakpoint' : `at the breakpoint ${breakpointText(found.at)}`;
    }
    default:
      return isUnderWay ? 'when this turn is done' : 'by a person';
  }
}
