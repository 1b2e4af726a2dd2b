// What a try is said to have shown: that calls ran or failed, never that a plan is right. Pure.
import type { Outputs } from '../../../shared/contract/contract.ts';
import { errorInWords } from '../../../shared/sentences/errorInWords.ts';
import { collectNames, type Names } from '../../../shared/sentences/names.ts';
import { resultSentence } from '../../../shared/sentences/resultSentence.ts';
import { isToolError } from '../../../shared/wire.ts';
import { formatCount } from '../text/size.ts';
import type { PlannedTry, TryResult } from './usePlanEffect.ts';

export type TriedCall = TryResult['results'][number];

export const hasFailed = ({ error, reward_type: label }: TriedCall): boolean => isToolError(error, label);

/** One line on a call: what it returned, or in words why it failed. */
export const triedSentence = (tried: TriedCall, call: PlannedTry | undefined): string =>
  hasFailed(tried)
    ? errorInWords(tried.error ?? tried.text ?? '').sentence
    : resultSentence({
        tool: tried.tool_name,
        text: tried.text,
        ...(call === undefined ? {} : { args: call.arguments }),
      });

/** `2 of 2 calls run.` and, where one failed, which and why. */
export function effectSummary({ results }: Pick<TryResult, 'results'>): string {
  const failed = results.findIndex(hasFailed);
  const ran = results.filter((tried) => !hasFailed(tried)).length;
  const counted = `${String(ran)} of ${formatCount(results.length, 'call')} ${ran === 1 ? 'runs' : 'run'}.`;
  const first = results[failed];
  if (first === undefined) return counted;
  // Of one call alone, the line below says why.
  if (results.length === 1) return 'This call would fail.';
  return `${counted} Call ${String(failed + 1)} fails: ${triedSentence(first, undefined)}`;
}

/** Why what the calls returned may not be what the agent would get; null where the state is the episode's. */
export function driftSentence({ drift }: Pick<TryResult, 'drift'>): string | null {
  const [first] = drift;
  if (first === undefined) return null;
  const others = drift.length === 1 ? '' : `, and so did ${formatCount(drift.length - 1, 'other')}`;
  return `The world could not be brought to this point: the call of turn ${String(first.turn)} (${first.tool_name}) gave another answer than in the episode${others}.`;
}

/** The names that the try itself showed: what was looked up, before what the calls may have renamed. */
export const namesOfTry = ({ looked_up: lookedUp, results }: TryResult): Names =>
  collectNames([
    ...results.flatMap(({ tool_name: tool, text, error }) =>
      text === null || error !== null ? [] : [{ tool, text }],
    ),
    ...lookedUp.map(({ tool_name: tool, text }) => ({ tool, text })),
  ]);

/** What the state of the world calls the records in the calls. */
export const namesOfState = (records: Outputs['preview.changes']['records']): Names =>
  collectNames(records.map(({ kind, text }) => ({ tool: kind, text })));

/** What each call gave, as far as it still stands there with the same calls before it. */
export function resultsFor(
  calls: readonly PlannedTry[],
  tried: { calls: readonly PlannedTry[]; result: Pick<TryResult, 'results'> } | null,
): (TriedCall | null)[] {
  let isSame = tried !== null;
  return calls.map((call, index) => {
    isSame &&= JSON.stringify(call) === JSON.stringify(tried?.calls[index]);
    return isSame ? (tried?.result.results[index] ?? null) : null;
  });
}
