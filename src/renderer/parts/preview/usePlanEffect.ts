// The effect of planned calls: tried without asking where that is allowed, once the person pauses; else when asked.
import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { JsonObject } from '../../../shared/events/turns.ts';
import { parsePlan } from '../../../shared/plan.ts';
import { collectNames, joinNames, type Names, NO_NAMES } from '../../../shared/sentences/names.ts';
import type { Outputs } from '../../../shared/contract/contract.ts';
import { failureShape, type FailureShape } from '../../../shared/failure.ts';
import { errorInWords } from '../../../shared/sentences/errorInWords.ts';
import { resultSentence } from '../../../shared/sentences/resultSentence.ts';
import { isToolError } from '../../../shared/wire.ts';
import { useAsk } from '../../state/queries.ts';
import { useSession } from '../../state/hooks.ts';
import { formatCount } from '../text/size.ts';

/** A person's pause before what they wrote is tried. */
export const PAUSE_MS = 600;
/** As many calls as a try makes. */
const CALLS_MAX = 50;

export type PlanEffectState = {
  /** Null until main has said it. */
  mode: 'by_itself' | 'on_request' | 'off' | null;
  /** Why nothing is tried here. */
  why: string | null;
  calls: readonly PlannedTry[];
  /** Why these calls cannot be tried; null where they can. */
  problem: string | null;
  state: TryState;
  /** What each of the calls gave, as far as that is known. */
  results: readonly (TriedCall | null)[];
  /** What the try showed that records are called, and what the state did once its cover was off. */
  names: Names;
  /** Takes the records of the state that were behind the cover. */
  onUncovered: (records: Uncovered['records']) => void;
  run: (manner?: TryManner) => void;
  drop: () => void;
};

type Uncovered = { episode: string; records: Parameters<typeof namesOfState>[0] };

type EffectAsk = PreviewAsk & {
  problem: string | null;
  /** Only when a person asks: nobody waits for a decision on it. */
  isOnlyAsked?: boolean;
};

export function usePlanEffect(ask: EffectAsk): PlanEffectState {
  const { episode, calls, isOnlyAsked = false } = ask;
  const { value: allowed } = useAsk('preview.describe', { episode });
  const { state, run, drop } = usePreview(ask);
  const problem = calls.length > CALLS_MAX ? `A try makes at most ${String(CALLS_MAX)} calls.` : ask.problem;
  const mode =
    allowed === null ? null : isOnlyAsked && allowed.mode === 'by_itself' ? 'on_request' : allowed.mode;
  const isDue = mode === 'by_itself' && problem === null && calls.length > 0;
  const key = isDue ? JSON.stringify([ask.afterTurn, calls]) : null;
  const tryNow = useEffectEvent(() => void run({ isAutomatic: true }));
  useEffect(() => {
    if (key !== null) tryNow();
  }, [key]);
  const shown = shownTry(state);
  const [uncovered, setUncovered] = useState<Uncovered | null>(null);
  // Ids of another episode are other records.
  const records = uncovered?.episode === episode ? uncovered.records : null;
  const names = useMemo(() => {
    const tried = shown === null ? NO_NAMES : namesOfTry(shown.result);
    return records === null ? tried : joinNames(tried, namesOfState(records));
  }, [shown, records]);
  const onUncovered = (found: Uncovered['records']): void =>
    setUncovered({ episode, records: [...(records ?? []), ...found] });
  const results = useMemo(() => resultsFor(calls, shown), [calls, shown]);
  const asked = (manner: TryManner = {}): void => void run(manner);
  return {
    mode,
    why: allowed?.why ?? null,
    calls,
    problem,
    state,
    results,
    names,
    onUncovered,
    run: asked,
    drop,
  };
}

/** The calls of a text: at once of a draft, of what is typed once the person pauses. */
export function usePlannedCalls(text: string, isTyped: boolean): readonly PlannedTry[] {
  const settled = useSettled(text, isTyped ? PAUSE_MS : 0);
  return useMemo(
    () =>
      parsePlan(settled).calls.map(({ tool, args }) => ({ tool_name: tool, arguments: args as JsonObject })),
    [settled],
  );
}

/** A value once it has not changed for a while; the first one at once. */
export function useSettled<T>(value: T, pauseMs: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value, pauseMs]);
  return settled;
}

export type PlannedTry = { tool_name: string; arguments: JsonObject };
export type TryResult = Outputs['preview.run'];
type TryDone = { type: 'done'; result: TryResult; calls: readonly PlannedTry[] };
type TryState =
  | { type: 'idle' }
  | { type: 'running'; withVerdict: boolean; before: TryDone | null }
  | { type: 'failed'; failure: FailureShape; calls: readonly PlannedTry[] }
  | TryDone;

type PreviewAsk = {
  episode: string;
  /** The state to start from: after this turn. */
  afterTurn: number;
  calls: readonly PlannedTry[];
  /** The held call that is being thought about, if it is one. */
  callId?: string | null;
};
type TryManner = { withVerdict?: boolean; isAutomatic?: boolean; isAgain?: boolean };

/** One try of calls on a throw-away session: under way, given up, failed, or what it showed. */
const isSameCalls = (a: readonly PlannedTry[], b: readonly PlannedTry[]): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

/** A trial that failed is of the calls it was made with; others have not been tried. */
const trialOf = (state: TryState, calls: readonly PlannedTry[]): TryState =>
  state.type === 'failed' && !isSameCalls(state.calls, calls) ? { type: 'idle' } : state;

/** The try shown last, which stays while another one is under way. */
export const shownTry = (state: TryState): TryDone | null =>
  state.type === 'done' ? state : state.type === 'running' ? state.before : null;

function usePreview({ episode, afterTurn, calls, callId = null }: PreviewAsk) {
  const { call } = useSession();
  const [state, setState] = useState<TryState>({ type: 'idle' });
  const running = useRef<string | null>(null);
  const giveUp = useCallback((): void => {
    const name = running.current;
    running.current = null;
    // It ends by itself in any case; giving up only frees the session sooner.
    if (name !== null) call('request.cancel', { id: name }).catch(() => undefined);
  }, [call]);
  useEffect(() => giveUp, [giveUp]);
  const run = async ({
    withVerdict = false,
    isAutomatic = false,
    isAgain = false,
  }: TryManner): Promise<void> => {
    giveUp();
    const name = crypto.randomUUID();
    running.current = name;
    const tried = [...calls];
    setState((old) => ({ type: 'running', withVerdict, before: shownTry(old) }));
    const put = (next: TryState): void => {
      if (running.current !== name) return;
      running.current = null;
      setState(next);
    };
    try {
      const where = { episode, turn: afterTurn, call: callId, calls: tried };
      const how = { ...(isAutomatic ? { automatic: true } : {}), ...(isAgain ? { again: true } : {}) };
      const result = await call('preview.run', { ...where, with_verdict: withVerdict, id: name, ...how });
      put({ type: 'done', result, calls: tried });
    } catch (thrown) {
      put({ type: 'failed', failure: failureShape(thrown), calls: tried });
    }
  };
  const drop = (): void => {
    giveUp();
    setState((old) => shownTry(old) ?? { type: 'idle' });
  };
  return { state: trialOf(state, calls), run, drop };
}

/** A call's result in a try: that it ran or failed, never that a plan is right. */
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

/** The reason why a result may not be what the agent would get; null if the state is the episode's. */
export function driftSentence({ drift }: Pick<TryResult, 'drift'>): string | null {
  const [first] = drift;
  if (first === undefined) return null;
  const others = drift.length === 1 ? '' : `, and so did ${formatCount(drift.length - 1, 'other')}`;
  return `The world could not be brought to this point: the call of turn ${String(first.turn)} (${first.tool_name}) gave another answer than in the episode${others}.`;
}

/** The names that the try itself showed: what was looked up, before what the calls may have renamed. */
const namesOfTry = ({ looked_up: lookedUp, results }: TryResult): Names =>
  collectNames([
    ...results.flatMap(({ tool_name: tool, text, error }) =>
      text === null || error !== null ? [] : [{ tool, text }],
    ),
    ...lookedUp.map(({ tool_name: tool, text }) => ({ tool, text })),
  ]);

/** The world's own names of the records in the calls. */
const namesOfState = (records: Outputs['preview.changes']['records']): Names =>
  collectNames(records.map(({ kind, text }) => ({ tool: kind, text })));

/** The results of calls that still stand there with the same calls before them. */
function resultsFor(
  calls: readonly PlannedTry[],
  tried: { calls: readonly PlannedTry[]; result: Pick<TryResult, 'results'> } | null,
): (TriedCall | null)[] {
  let isSame = tried !== null;
  return calls.map((call, index) => {
    isSame &&= JSON.stringify(call) === JSON.stringify(tried?.calls[index]);
    return isSame ? (tried?.result.results[index] ?? null) : null;
  });
}
