// Reasons for a closed question, or a held call that cannot be decided any more, in words.
import type { CallDecision, Decision, EpisodeRecord } from '../../../shared/episode/record.ts';
import { callOf } from '../../../shared/episode/calls.ts';

export type Closed = { title: string; detail: string };

export type ClosedQuestion = Closed & {
  /** True when nobody answered in time: it may still get late advice. */
  isMissed: boolean;
  /** True when this seat closed it with exactly these words: nothing was lost. */
  isMine: boolean;
};

const ENDED = 'The episode has ended';

/** Null while it can be answered. */
export function closedOf(
  { consultations }: Pick<EpisodeRecord, 'consultations'>,
  consultation: string,
  seat: string,
  written: string,
): ClosedQuestion | null {
  const decision = consultations.find(({ id }) => id === consultation)?.decision ?? null;
  const isMissed = decision?.type === 'expired';
  const isMine = decision?.type === 'approved' && decision.actor.id === seat && decision.text === written;
  return decision === null ? null : { ...closedBy(decision, seat), isMissed, isMine };
}

const EXPIRED_REASONS = {
  deadline: 'The deadline passed',
  nobody: 'No one was there to answer',
  not_admitted: 'Not sent to a person',
} as const;

function closedBy(decision: Decision, seat: string): Closed {
  switch (decision.type) {
    case 'approved':
      return { title: `Answered ${whoOf(decision, seat)}`, detail: 'The agent has that advice.' };
    case 'declined':
      return { title: `Declined ${whoOf(decision, seat)}`, detail: decision.reason };
    case 'expired':
      return {
        title: EXPIRED_REASONS[decision.reason],
        detail:
          decision.fallback === 'draft'
            ? 'The draft was sent instead.'
            : 'The agent continued without advice.',
      };
    case 'cancelled':
      return { title: 'The question was cancelled', detail: decision.reason };
  }
}

function whoOf({ actor }: Extract<Decision, { type: 'approved' | 'declined' }>, seat: string): string {
  if (actor.type === 'human')
    return actor.id === seat
      ? 'by you, in another window or earlier on'
      : `by ${actor.id ?? 'another expert'}`;
  if (actor.type === 'model') return 'by the advisor';
  return actor.type === 'scripted' ? 'by a script' : `by ${actor.type}`;
}

/** Null while it waits for a decision. */
export function closedCallOf(
  record: Pick<EpisodeRecord, 'turns' | 'ended'>,
  call: string,
  seat: string,
): Closed | null {
  const decision = callOf(record, call)?.decision ?? null;
  if (decision !== null) return decidedBy(decision, seat);
  return record.ended === null ? null : { title: ENDED, detail: 'The call was not made.' };
}

const VERBS = {
  approved: 'Approved',
  edited: 'Changed and sent',
  rejected: 'Rejected',
  answered: 'Answered',
};

function decidedBy(decision: CallDecision, seat: string): Closed {
  const { type, actor } = decision;
  if (type === 'cancelled')
    return { title: 'The call was cancelled', detail: `It was not executed: ${decision.reason}.` };
  if (type === 'expired') {
    const detail =
      decision.fallback === 'approve'
        ? 'The call was executed as proposed, as was chosen for when nobody answers.'
        : 'It was not executed. The agent was told that nobody approved it in time.';
    return { title: EXPIRED_REASONS.deadline, detail };
  }
  const who = actor.id === seat ? 'by you' : `by ${actor.id ?? actor.type}`;
  const detail = type === 'rejected' ? decision.reason : type === 'edited' ? (decision.reason ?? '') : '';
  return { title: `${VERBS[type]} ${who}`, detail };
}
