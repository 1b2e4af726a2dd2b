// Why a held call can no longer be decided, and how it waits, in words. Pure.
import type { HoldItem } from '../../../shared/contract/rows.ts';
import type { CallDecision, EpisodeRecord } from '../../../shared/episode/record.ts';
import { formatDuration } from '../../ui/time.ts';

export type ClosedCall = { title: string; detail: string };

/** Null while it waits for a decision. */
export function closedCallOf(record: EpisodeRecord, call: string, seat: string): ClosedCall | null {
  const decision = record.turns.findLast(({ callId }) => callId === call)?.call?.decision ?? null;
  if (decision !== null) return decidedWords(decision, seat);
  if (record.ended === null) return null;
  return { title: 'The episode has ended', detail: 'The call was not made.' };
}

const VERBS = {
  approved: 'Approved',
  edited: 'Changed and sent',
  rejected: 'Rejected',
  answered: 'Answered',
};

function decidedWords(decision: CallDecision, seat: string): ClosedCall {
  const { type, actor } = decision;
  if (type === 'cancelled') return { title: 'The call was cancelled', detail: decision.reason };
  if (type === 'expired') {
    const detail =
      decision.fallback === 'approve'
        ? 'The call was made as proposed.'
        : 'The agent was told that no one approved it.';
    return { title: 'The deadline passed', detail };
  }
  const who = actor.id === seat ? 'by you' : `by ${actor.id ?? actor.type}`;
  const detail = type === 'rejected' ? decision.reason : type === 'edited' ? (decision.reason ?? '') : '';
  return { title: `${VERBS[type]} ${who}`, detail };
}

/** How much is left of 1, and what happens at zero. */
export function heldDeadline(
  { since, deadline_at, fallback }: Pick<HoldItem, 'since' | 'deadline_at' | 'fallback'>,
  now: number,
): { left: number | null; isUrgent: boolean; words: string } {
  if (deadline_at === null || fallback === null || fallback === 'wait')
    return { left: null, isUrgent: false, words: 'No deadline. The agent waits until someone decides.' };
  const leftMs = Math.max(0, deadline_at - now);
  const left = deadline_at <= since ? 0 : Math.min(1, leftMs / (deadline_at - since));
  const then =
    fallback === 'approve' ? 'the call goes through unchanged' : 'the call is rejected automatically';
  const words = leftMs === 0 ? 'The deadline has passed.' : `In ${formatDuration(leftMs)} ${then}.`;
  return { left, isUrgent: leftMs <= 30_000, words };
}
