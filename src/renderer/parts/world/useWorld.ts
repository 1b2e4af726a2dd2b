// Reading the state of a world for the screen: once per place, a moment after the last news, never two at a time.
import type { Outputs } from '../../../shared/contract/contract.ts';
import type { FailureShape } from '../../../shared/failure.ts';
import { useAsk } from '../../state/queries.ts';

export type World = Outputs['state.tables'];
type WorldState = { world: World | null; isLoading: boolean; failure: FailureShape | null };

/** A scrubber that moves, or calls that follow each other, are read once at their end. */
const WORLD_SETTLE_MS = 200;

/** The tables after `turn`, or now with null; read again when `revision` changes. What was read stays until then. */
export function useWorld(episode: string, turn: number | null, revision: number | string): WorldState {
  const {
    value: world,
    isLoading,
    failure,
  } = useAsk('state.tables', { episode, turn }, { delayMs: WORLD_SETTLE_MS, revision });
  return { world, isLoading, failure };
}
