// What one play of a scenario holds between its reset and its end, and the observations made from it. Must not know:
// which request is being answered.
import type { WorldReply } from './frames.ts';
import { readConfig, type RewardConfig, rewardForLabel } from './labels.ts';
import type { WorldSession } from './session.ts';

export type PlayTask = { scenario: string; task: string | null; task_idx: number | null };

/** Everything that a reset starts over. */
export type Play = PlayTask & {
  world: WorldSession | null;
  isReady: boolean;
  isDone: boolean;
  config: RewardConfig;
  trajectory: Record<string, unknown>[];
  /** A folder that goes with the episode unless it is kept. */
  folder: string | null;
  isKept: boolean;
};

/** Before the first reset, and after a release. */
export const nothing = (): Play => ({
  scenario: '',
  task: null,
  task_idx: null,
  world: null,
  isReady: false,
  isDone: false,
  config: readConfig(null),
  trajectory: [],
  folder: null,
  isKept: false,
});

export const observation = (
  reward: unknown,
  observation: Record<string, unknown>,
): Extract<WorldReply, { type: 'observation' }> => ({
  type: 'observation',
  observation,
  reward,
  done: false,
});
export const raised = (message: string): WorldReply => ({ type: 'raised', message });
export const resetError = (error: string): WorldReply =>
  observation(null, { reward_type: 'reset_error', error });

/** Absent where there is none, as on the wire. */
export const taskFields = ({ scenario, task, task_idx }: Play): Record<string, unknown> => ({
  scenario,
  task: task ?? undefined,
  task_idx: task_idx ?? undefined,
});

const hasVerifier = ({ world, task_idx }: Play): boolean =>
  task_idx !== null && world?.pack.tasks[task_idx] !== undefined;

export const support = (episode: Play): Record<string, unknown> => ({
  has_verifier: hasVerifier(episode) ? { sql: false, code: true } : undefined,
  num_tools: episode.world?.pack.listed.length,
});

export function labelled(play: Play, label: string, rest: Record<string, unknown>): WorldReply {
  const found = rewardForLabel(play.config, label);
  return found.ok
    ? observation(found.reward, { reward_type: label, ...rest })
    : { type: 'invalid', problems: found.problems };
}
