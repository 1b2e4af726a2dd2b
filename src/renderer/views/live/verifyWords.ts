// Owns: what asking a verifier again came to, in words. Pure.
import type { VerifyResult } from '../../../shared/contract/verify.ts';
import { formatCount } from '../../parts/text/size.ts';

const plain = (verdict: string): string => verdict.replaceAll('_', ' ');

export type VerdictWords = { tone: 'ok' | 'error' | 'plain'; text: string };

/** The verdict of now beside the recorded one. */
export function verdictWords({ reward_type: now, logged, problem }: VerifyResult): VerdictWords {
  if (problem !== null) return { tone: 'error', text: 'The verifier gave no verdict.' };
  if (logged === null)
    return { tone: 'plain', text: `Verdict: ${plain(now)}. None was recorded to compare with.` };
  return logged === now
    ? { tone: 'ok', text: `Same verdict as recorded: ${plain(now)}.` }
    : { tone: 'error', text: `Another verdict: ${plain(now)} now, ${plain(logged)} recorded.` };
}

const VERIFIERS: Readonly<Record<VerifyResult['verifier'], string>> = {
  built_in: 'the world’s own',
  code: 'Python, in a locked process',
  sql: 'Python over SQL, in a locked process',
};
const SOURCES: Readonly<Record<VerifyResult['source'], string>> = {
  live: 'the session it ran in',
  rebuilt: 'made again from its calls',
  left: 'the databases kept beside it',
};

/** What the verdict stands on. */
export const groundWords = ({ verifier, source, drift }: VerifyResult): [string, string][] => [
  ['Verifier', VERIFIERS[verifier]],
  ['State', SOURCES[source]],
  ...(source === 'rebuilt'
    ? ([
        [
          'Drift',
          drift === 0 ? 'none: every result came back the same' : `${formatCount(drift, 'result')} otherwise`,
        ],
      ] as [string, string][])
    : []),
];
