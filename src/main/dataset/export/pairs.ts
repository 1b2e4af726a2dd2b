// Owns: both kinds of pairs an episode holds, whichever columns they are written in: advice beside its draft, and replies
// at one decision point.
import type { ExportRules } from '../../../shared/contract/export.ts';
import { advicePair } from './advicePairs.ts';
import type { Made, MadeRow, Told } from './format.ts';
import { pointsOf, type Point } from './points.ts';
import { createTally, talkOf, type Talk } from './talk.ts';

export type AdvicePair = Exclude<ReturnType<typeof advicePair>, string>;

export function rowsOfPairs(
  told: Told,
  rules: Pick<ExportRules, 'privilege'>,
  adviceRow: (pair: AdvicePair) => MadeRow,
  pointRow: (talk: Talk, point: Point) => MadeRow | string,
): Made {
  const tally = createTally();
  for (const consultation of told.record.consultations) {
    const pair = advicePair(told, consultation);
    if (typeof pair === 'string') tally.drop(pair);
    else if (rules.privilege === 'strip') tally.drop('expert_words');
    else tally.take(adviceRow(pair));
  }
  const talk = talkOf(told, rules);
  if (typeof talk === 'string') {
    tally.drop(talk);
    return tally.made();
  }
  const { points, dropped } = pointsOf(told, talk);
  dropped.forEach(tally.drop);
  for (const point of points) tally.take(pointRow(talk, point));
  return tally.made();
}
