// Both kinds of pairs an episode can hold: advice beside its draft, and two replies at one decision point.
import type { ExportRules } from '../../../shared/contract/export.ts';
import { advicePair } from './advicePairs.ts';
import type { EpisodeRows, MadeRow, EpisodeInput } from './format.ts';
import { decisionPoints, type DecisionPoint } from './decisionPoints.ts';
import { createTally, trainingConversation, type TrainingConversation } from './trainingConversation.ts';

export type TextPair = Exclude<ReturnType<typeof advicePair>, string>;

export function rowsOfPairs(
  input: EpisodeInput,
  rules: Pick<ExportRules, 'privilege'>,
  adviceRow: (pair: TextPair) => MadeRow,
  pointRow: (conversation: TrainingConversation, point: DecisionPoint) => MadeRow | string,
): EpisodeRows {
  const tally = createTally();
  for (const consultation of input.record.consultations) {
    const pair = advicePair(input, consultation);
    if (typeof pair === 'string') tally.drop(pair);
    else if (rules.privilege === 'strip') tally.drop('expert_words');
    else tally.take(adviceRow(pair));
  }
  const conversation = trainingConversation(input, rules);
  if (typeof conversation === 'string') {
    tally.drop(conversation);
    return tally.made();
  }
  const { points, dropped } = decisionPoints(input, conversation);
  dropped.forEach(tally.drop);
  for (const point of points) tally.take(pointRow(conversation, point));
  return tally.made();
}
