// What `interject verify` tells a person: a contradiction first, then the verdict, then what it stands on.
import { countText } from '../../shared/countText.ts';
import type { VerifyResult } from '../../shared/contract/verify.ts';

type VerifiedFacts = Pick<
  VerifyResult,
  'result' | 'reward_type' | 'problem' | 'next' | 'logged' | 'agreement' | 'read_clock' | 'clock_at'
> &
  Partial<Pick<VerifyResult, 'drift'>>;

export function verdictLines(found: VerifiedFacts): string[] {
  const { result, reward_type: label, problem, next, logged, agreement } = found;
  const lines: string[] = [];
  if (agreement === 'contradicts') {
    lines.push(
      `CONTRADICTION: the logged verdict is ${String(logged)}, but the verifier now says ${label}.`,
      '  One of the two is wrong: find out which before this episode is trained on or reported.',
    );
  }
  if (problem === null) {
    const beside = { same: ', as logged', contradicts: '', nothing_logged: '', no_verdict: '' }[agreement];
    lines.push(`the verifier says: ${result ?? label}${beside}`);
  } else {
    const log = logged === null ? '' : ` (logged: ${logged})`;
    lines.push(`no verdict: ${problem}${log}`, ...(next === null ? [] : [`  ${next}`]));
  }
  return [...lines, ...grounds(found)];
}

function* grounds({ read_clock: readClock, clock_at: at, drift = 0 }: VerifiedFacts): Generator<string> {
  if (readClock) {
    yield at === null
      ? '  It reads the clock, which showed the present time: on another day it may say something else.'
      : `  It reads the clock, which showed when the logged verdict was given: ${new Date(at).toISOString()}`;
  }
  if (drift > 0) yield `  The state was rebuilt, and ${countText(drift, 'result')} came out differently.`;
}
