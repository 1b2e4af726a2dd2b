// What asking a verifier again came to, in words. Pure.
import type { VerifyResult } from '../../../shared/contract/verify.ts';
import { outcomeTextOf } from '../../../shared/taskOutcome.ts';
import { formatCount } from '../../parts/text/size.ts';
import { formatMoment } from '../../ui/time.ts';

/** Whether the two agree; how the task went has its own mark. */
type VerdictLabel = { tone: 'same' | 'differs' | 'plain'; text: string };

/** The verdict of now beside the recorded one. */
export function verdictLabel({ reward_type: now, logged, problem, agreement }: VerifyResult): VerdictLabel {
  if (agreement === 'contradicts')
    return {
      tone: 'differs',
      text: `Another verdict: ${outcomeTextOf(now)} now, ${outcomeTextOf(logged)} recorded.`,
    };
  if (problem !== null) return { tone: 'differs', text: 'The verifier gave no verdict.' };
  return agreement === 'same'
    ? { tone: 'same', text: `Same verdict as recorded: ${outcomeTextOf(logged ?? now)}.` }
    : { tone: 'plain', text: `Verdict: ${outcomeTextOf(now)}. None was recorded to compare with.` };
}

export const contradictionText = ({ reward_type: now, logged }: VerifyResult): string =>
  `The record says “${outcomeTextOf(logged)}”; verified again, it is “${outcomeTextOf(now)}”.`;

const VERIFIERS: Readonly<Record<VerifyResult['verifier'], string>> = {
  built_in: 'the world’s own',
  code: 'Python, in a sandbox',
  sql: 'Python over SQL, in a sandbox',
};
const SOURCES: Readonly<Record<VerifyResult['source'], string>> = {
  live: 'the session it ran in',
  rebuilt: 'rebuilt by replaying its calls',
  left: 'the databases kept with it',
};

/** What the verdict stands on. */
export function groundTexts(result: VerifyResult): [string, string][] {
  const { verifier, source, drift, read_clock: hasReadClock, clock_at: at } = result;
  const facts: [string, string][] = [
    ['Verifier', VERIFIERS[verifier]],
    ['State', SOURCES[source]],
  ];
  if (source === 'rebuilt') {
    const same = 'none: all results were the same';
    facts.push(['Drift', drift === 0 ? same : `${formatCount(drift, 'result')} otherwise`]);
  }
  if (hasReadClock) {
    const now = 'the current time, so the verdict may change from day to day';
    facts.push(['Clock it read', at === null ? now : `${formatMoment(at)}, as then`]);
  }
  return facts;
}
