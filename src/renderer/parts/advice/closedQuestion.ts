// Why a question can no longer be answered, in words.
import type { Decision, EpisodeRecord } from '../../../shared/episode/record.ts';

export type ClosedQuestion = {
  /** True when nobody answered in time: it may still get late advice. */
  isMissed: boolean;
  title: string;
  detail: string;
  /** True when this seat closed it with exactly these words: nothing was lost. */
  isMine: boolean;
};

/** Null while it can be answered. */
export function closedOf(
  record: EpisodeRecord,
  consultation: string,
  seat: string,
  words: string,
): ClosedQuestion | null {
  const found = record.consultations.find(({ id }) => id === consultation);
  const decision = found?.decision ?? null;
  if (decision !== null) return closedBy(decision, seat, words);
  if (record.ended === null) return null;
  return {
    title: 'The episode has ended',
    detail: 'No one is waiting for this answer anymore.',
    isMine: false,
    isMissed: false,
  };
}

const EXPIRED_REASONS = {
  deadline: 'The deadline passed',
  nobody: 'No one was there to answer',
  not_admitted: 'Not sent to a person',
} as const;

function closedBy(decision: Decision, seat: string, words: string): ClosedQuestion {
  switch (decision.type) {
    case 'approved': {
      const isMine = decision.actor.id === seat && decision.text === words;
      return {
        title: `Answered ${whoOf(decision, seat)}`,
        detail: 'The agent has that advice.',
        isMine,
        isMissed: false,
      };
    }
    case 'declined':
      return {
        title: `Declined ${whoOf(decision, seat)}`,
        detail: decision.reason,
        isMine: false,
        isMissed: false,
      };
    case 'expired':
      return {
        title: EXPIRED_REASONS[decision.reason],
        detail:
          decision.fallback === 'draft'
            ? 'The draft was sent instead.'
            : 'The agent continued without advice.',
        isMine: false,
        isMissed: true,
      };
    case 'cancelled':
      return { title: 'The question was cancelled', detail: decision.reason, isMine: false, isMissed: false };
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
