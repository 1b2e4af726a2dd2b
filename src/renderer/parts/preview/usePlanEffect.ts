// The effect of planned calls: tried without asking where that is allowed, once the person pauses; else when asked.
import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { JsonObject } from '../../../shared/events/turns.ts';
import { parsePlan } from '../../../shared/plan.ts';
import { joinNames, type Names, NO_NAMES } from '../../../shared/sentences/names.ts';
import type { Outputs } from '../../../shared/contract/contract.ts';
import { failureShape, type FailureShape } from '../../../shared/failure.ts';
import { useAsk } from '../../state/queries.ts';
import { useSession } from '../../state/hooks.ts';
import { namesOfState, namesOfTry, resultsFor, type TriedCall } from './effectText.ts';

/** How long a person pauses before what they wrote is tried. */
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
export const trialOf = (state: TryState, calls: readonly PlannedTry[]): TryState =>
  state.type === 'failed' && !isSameCalls(state.calls, calls) ? { type: 'idle' } : state;

/** What was shown last, which stays while another try is under way. */
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
