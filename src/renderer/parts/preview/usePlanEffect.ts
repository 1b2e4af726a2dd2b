// The effect of planned calls: tried without asking where that is allowed, once the person pauses; else when asked.
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import type { JsonObject } from '../../../shared/events/turns.ts';
import { parsePlan } from '../../../shared/plan.ts';
import { joinNames, type Names, NO_NAMES } from '../../../shared/sentences/names.ts';
import { useAsk } from '../../state/queries.ts';
import { namesOfState, namesOfTry, resultsFor, type TriedCall } from './effectText.ts';
import {
  shownTry,
  usePreview,
  type PlannedTry,
  type PreviewAsk,
  type TryManner,
  type TryState,
} from './usePreview.ts';

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
