import type { Outcome } from '../events/lifecycle.ts';
import type { EventOf } from '../events/vocabulary.ts';
import type { FailureShape } from '../failure.ts';

/** The end of an episode in which nobody gave a final answer and nothing was verified. */
export const endedWithoutVerdict = (
  outcome: Outcome,
  reason: string | null,
  failure: FailureShape | null = null,
): EventOf<'episode.ended'> => ({
  kind: 'episode.ended',
  outcome,
  reason,
  failure,
  final_answer: null,
  reward_type: null,
  reward: null,
});
