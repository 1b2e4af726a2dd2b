// Owns: reading the state of a world for the screen: once per place, a moment after the last news, never two at a time.
import { useEffect, useState } from 'react';
import type { Outputs } from '../../../shared/contract/contract.ts';
import { failureShape, type FailureShape } from '../../../shared/failure.ts';
import { useSession } from '../../state/hooks.ts';

export type World = Outputs['state.tables'];
export type WorldState = { world: World | null; isLoading: boolean; failure: FailureShape | null };

/** A scrubber that moves, or calls that follow each other, are read once at their end. */
const SETTLE_MS = 200;

/** The tables after `turn`, or now with null; read again when `revision` changes. What was read stays until then. */
export function useWorld(episode: string, turn: number | null, revision: number): WorldState {
  const { call } = useSession();
  const [state, setState] = useState<WorldState>({ world: null, isLoading: true, failure: null });
  useEffect(() => {
    let isCurrent = true;
    const read = async (): Promise<void> => {
      setState((old) => ({ ...old, isLoading: true }));
      try {
        const world = await call('state.tables', { episode, turn });
        if (isCurrent) setState({ world, isLoading: false, failure: null });
      } catch (thrown) {
        if (isCurrent) setState({ world: null, isLoading: false, failure: failureShape(thrown) });
      }
    };
    const timer = setTimeout(() => void read(), SETTLE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [call, episode, turn, revision]);
  return state;
}
