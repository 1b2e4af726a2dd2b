// One try of calls on a throw-away session: under way, given up, failed, or what it showed.
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Outputs } from '../../../shared/contract/contract.ts';
import type { JsonObject } from '../../../shared/events/turns.ts';
import { failureShape, type FailureShape } from '../../../shared/failure.ts';
import { useSession } from '../../state/hooks.ts';

export type PlannedTry = { tool_name: string; arguments: JsonObject };
export type TryResult = Outputs['preview.run'];
type TryDone = { type: 'done'; result: TryResult; calls: readonly PlannedTry[] };
export type TryState =
  | { type: 'idle' }
  | { type: 'running'; withVerdict: boolean; before: TryDone | null }
  | { type: 'failed'; failure: FailureShape; calls: readonly PlannedTry[] }
  | TryDone;

export type PreviewAsk = {
  episode: string;
  /** The state to start from: after this turn. */
  afterTurn: number;
  calls: readonly PlannedTry[];
  /** The held call that is being thought about, if it is one. */
  callId?: string | null;
};
export type TryManner = { withVerdict?: boolean; isAutomatic?: boolean; isAgain?: boolean };

export const isSameCalls = (a: readonly PlannedTry[], b: readonly PlannedTry[]): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

/** A trial that failed is of the calls it was made with; others have not been tried. */
export const trialOf = (state: TryState, calls: readonly PlannedTry[]): TryState =>
  state.type === 'failed' && !isSameCalls(state.calls, calls) ? { type: 'idle' } : state;

/** What was shown last, which stays while another try is under way. */
export const shownTry = (state: TryState): TryDone | null =>
  state.type === 'done' ? state : state.type === 'running' ? state.before : null;

export function usePreview({ episode, afterTurn, calls, callId = null }: PreviewAsk) {
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
