// One environment as the Agent World Model server plays it: reset, steps, the reserved tools, step counting. Must not
// know: sockets. Where this seems odd, upstream is odd the same way.
import { readAction } from './envelope.ts';
import type { WorldReply } from './frames.ts';
import { isRecord } from '../../shared/json.ts';
import { nothing, observation, raised, readConfig, resetError, step, support, taskFields } from './steps.ts';
import type { Pack } from './pack.ts';
import { isTruthy } from './python.ts';
import { findScenario, readTask } from './resetRequest.ts';
import { openWorldSession, removeFolder } from './session.ts';

type EnvironmentEdges = {
  newId: () => string;
  packs: ReadonlyMap<string, Pack>;
  sessionsFolder: string;
};

export type Environment = {
  reset(kwargs: Record<string, unknown>): WorldReply;
  /** Takes an action as it came; one that is none is refused and counts for nothing. */
  step(data: Record<string, unknown>): WorldReply;
  state(): { episode_id: string | null; step_count: number };
  scenario(): string | null;
  /** The world's database at reset and now; null while there is no world. */
  images(): { initial: Uint8Array; current: Uint8Array } | null;
  /** Gives the world up and removes what nobody kept. The environment can be reset again. */
  release(): void;
};

const ENDED_MESSAGE = 'Episode has ended. Call reset() to start a new episode.';

/** An environment as a socket gets it: nothing is reset yet. */
export function createEnvironment(edges: EnvironmentEdges): Environment {
  let play = nothing();
  const state: { episode_id: string | null; step_count: number } = { episode_id: null, step_count: 0 };
  const release = (): void => {
    play.world?.close();
    if (play.folder !== null && !play.isKept) removeFolder(play.folder);
    play = nothing();
  };

  return {
    reset: (kwargs) => {
      // A failed reset leaves the world before it running, without a verifier.
      play.isReady = false;
      play.isDone = false;
      const found = findScenario(edges.packs, kwargs['scenario']);
      if ('reply' in found) return found.reply;
      release();
      const read = readTask(found.pack, kwargs);
      if ('reply' in read) return read.reply;
      if (isTruthy(kwargs['reward_config']) && !isRecord(kwargs['reward_config']))
        return raised('reward_config must be an object');
      play = { ...nothing(), ...read.given, config: readConfig(kwargs['reward_config']) };
      try {
        play.world = openWorldSession(found.pack, seedOf(kwargs));
      } catch (thrown) {
        return resetError(`Database creation failed: ${thrown instanceof Error ? thrown.message : ''}`);
      }
      play.isReady = true;
      const { episode_id: named } = kwargs;
      state.episode_id = typeof named === 'string' && named !== '' ? named : edges.newId();
      state.step_count = 0;
      return observation(null, { reward_type: 'reset_ok', ...taskFields(play), ...support(play) });
    },
    step: (data) => {
      const read = readAction(data);
      if ('problems' in read) return { type: 'invalid', ...read };
      if (play.isDone)
        return {
          ...observation(null, { reward_type: 'episode_already_done', error: ENDED_MESSAGE }),
          done: true,
        };
      state.step_count += 1;
      return guarded(() => step(play, read.action, { ...edges, steps: state.step_count }));
    },
    state: () => ({ ...state }),
    images: () => play.world?.images() ?? null,
    scenario: () => (play.scenario === '' ? null : play.scenario),
    release,
  };
}

const seedOf = ({ seed }: Record<string, unknown>): number => (Number.isSafeInteger(seed) ? Number(seed) : 0);

/** Tells a client of a failure inside one step (a full disk at `done`) and ends nothing. */
function guarded(act: () => WorldReply): WorldReply {
  try {
    return act();
  } catch (thrown) {
    return raised(thrown instanceof Error ? thrown.message : String(thrown));
  }
}
