// Owns: one environment as the Agent World Model server plays it: reset, steps, the reserved tools, step counting.
// Must not know: sockets. Where this seems odd, upstream is odd the same way; see docs/wire.md.
import { join } from 'node:path';
import { normalizeScenario } from '../../shared/wire.ts';
import type { Action } from './envelope.ts';
import type { Reply } from './frames.ts';
import { isRecord } from './json.ts';
import { labelOfError, readConfig, type RewardConfig, rewardOf } from './labels.ts';
import type { Pack } from './pack.ts';
import { notString } from './problems.ts';
import { float, isTruthy, str, typeName } from './python.ts';
import { openWorldSession, removeFolder, type WorldSession } from './session.ts';

export type EnvironmentEdges = {
  newId: () => string;
  packs: ReadonlyMap<string, Pack>;
  sessionsFolder: string;
};

export type Environment = {
  reset(kwargs: Record<string, unknown>): Reply;
  step(action: Action): Reply;
  state(): { episode_id: string | null; step_count: number };
  /** The scenario of the world in progress, or null where there is none to count. */
  scenario(): string | null;
  /** Gives the world up and removes what nobody kept. The environment can be reset again. */
  release(): void;
};

type Given = { scenario: string; task: string | null; taskIdx: number | null };

/** Everything that a reset starts over. */
type Episode = Given & {
  world: WorldSession | null;
  isReady: boolean;
  isDone: boolean;
  config: RewardConfig;
  trajectory: Record<string, unknown>[];
  /** A folder that goes with the episode unless it is kept. */
  folder: string | null;
  isKept: boolean;
};

const nothing = (): Episode => ({
  scenario: '',
  task: null,
  taskIdx: null,
  world: null,
  isReady: false,
  isDone: false,
  config: readConfig(null),
  trajectory: [],
  folder: null,
  isKept: false,
});

const NOT_RUNNING = 'Sub-environment is not running. Call reset() first.';
const ENDED = 'Episode has ended. Call reset() to start a new episode.';

/** An environment as a socket gets it: nothing is reset yet. */
export function createEnvironment(edges: EnvironmentEdges): Environment {
  let episode = nothing();
  const state: { episode_id: string | null; step_count: number } = { episode_id: null, step_count: 0 };
  const release = (): void => {
    episode.world?.close();
    if (episode.folder !== null && !episode.isKept) removeFolder(episode.folder);
    episode = nothing();
  };

  return {
    reset: (kwargs) => {
      // A failed reset leaves the world before it running, without a verifier.
      episode.isReady = false;
      episode.isDone = false;
      const found = findScenario(edges.packs, kwargs['scenario']);
      if ('reply' in found) return found.reply;
      release();
      const read = readTask(found.pack, kwargs);
      if ('reply' in read) return read.reply;
      if (isTruthy(kwargs['reward_config']) && !isRecord(kwargs['reward_config']))
        return raised(`'${typeName(kwargs['reward_config'])}' object has no attribute 'copy'`);
      episode = { ...nothing(), ...read.given, config: readConfig(kwargs['reward_config']) };
      try {
        episode.world = openWorldSession(found.pack);
      } catch (thrown) {
        return resetError(`Database creation failed: ${thrown instanceof Error ? thrown.message : ''}`);
      }
      episode.isReady = true;
      state.episode_id = str(kwargs['episode_id'] ?? '') || edges.newId();
      state.step_count = 0;
      return observed(null, { reward_type: 'reset_ok', ...about(episode), ...support(episode) });
    },
    step: (action) => {
      if (episode.isDone)
        return { ...observed(null, { reward_type: 'episode_already_done', error: ENDED }), done: true };
      state.step_count += 1;
      return step(episode, action, { ...edges, steps: state.step_count });
    },
    state: () => ({ ...state }),
    scenario: () => (episode.scenario === '' ? null : episode.scenario),
    release,
  };
}

const observed = (
  reward: unknown,
  observation: Record<string, unknown>,
): Extract<Reply, { type: 'observation' }> => ({
  type: 'observation',
  observation,
  reward,
  done: false,
});
const raised = (message: string): Reply => ({ type: 'raised', message });
const resetError = (error: string): Reply => observed(null, { reward_type: 'reset_error', error });

/** Absent where there is none, as on the wire. */
const about = ({ scenario, task, taskIdx }: Episode): Record<string, unknown> => ({
  scenario,
  task: task ?? undefined,
  task_idx: taskIdx ?? undefined,
});

const hasVerifier = ({ world, taskIdx }: Episode): boolean =>
  taskIdx !== null && world?.pack.tasks[taskIdx] !== undefined;

const support = (episode: Episode): Record<string, unknown> => ({
  has_verifier: hasVerifier(episode) ? { sql: false, code: true } : undefined,
  num_tools: episode.world?.pack.listed.length,
});

function findScenario(
  packs: ReadonlyMap<string, Pack>,
  scenario: unknown,
): { pack: Pack } | { reply: Reply } {
  if (!isTruthy(scenario)) return { reply: resetError("Parameter 'scenario' is required") };
  if (typeof scenario !== 'string')
    return { reply: raised(`'${typeName(scenario)}' object has no attribute 'lower'`) };
  const pack = packs.get(normalizeScenario(scenario));
  return pack === undefined ? { reply: resetError(`Scenario '${scenario}' not found`) } : { pack };
}

function readTask(
  pack: Pack,
  { task, task_idx: given, episode_id: id }: Record<string, unknown>,
): { given: Given } | { reply: Reply } {
  const refuse = (reply: Reply): { reply: Reply } => ({ reply });
  if (id !== undefined && id !== null && typeof id !== 'string')
    return refuse({ type: 'invalid', problems: [notString(['episode_id'], id)] });
  if (task !== undefined && task !== null && typeof task !== 'string')
    return refuse({ type: 'invalid', problems: [notString(['task'], task)] });
  const index = typeof given === 'boolean' ? Number(given) : (given ?? null);
  if (index !== null && typeof index !== 'number')
    return refuse(raised(`'<=' not supported between instances of 'int' and '${typeName(given)}'`));
  if (typeof task === 'string') return { given: { scenario: pack.name, task, taskIdx: index } };
  if (index === null) return { given: { scenario: pack.name, task: null, taskIdx: null } };
  const { length } = pack.tasks;
  if (index < 0 || index >= length)
    return refuse(resetError(`task_idx ${String(index)} out of range (0..${String(length - 1)})`));
  const chosen = pack.tasks[index];
  if (chosen === undefined) return refuse(raised('list indices must be integers or slices, not float'));
  return { given: { scenario: pack.name, task: chosen.task, taskIdx: index } };
}

type StepEdges = EnvironmentEdges & { steps: number };

function step(episode: Episode, action: Action, edges: StepEdges): Reply {
  if (action.type === 'list_tools') return listTools(episode);
  switch (action.tool_name) {
    case 'done':
      return done(episode, action.arguments, edges);
    case 'verify':
      return verify(episode, action.arguments, edges.steps);
    case '__list_scenarios__':
      return listScenarios(edges.packs);
    default:
      return callTool(episode, action.tool_name, action.arguments);
  }
}

function listTools({ world, trajectory }: Episode): Reply {
  if (world === null) {
    trajectory.push({ action: 'list_tools', success: false, error: NOT_RUNNING });
    return observed(null, { tools: [], error: NOT_RUNNING });
  }
  const tools = world.pack.listed;
  const names = tools.map(({ name }) => name);
  trajectory.push({ action: 'list_tools', success: true, num_tools: tools.length, tool_names: names });
  return observed(null, { tools, error: null });
}

function listScenarios(packs: ReadonlyMap<string, Pack>): Reply {
  const scenarios = [...packs.values()].map(({ name, description, tasks }) => ({
    name,
    description,
    num_tasks: tasks.length,
    tasks: tasks.map(({ task }) => task),
  }));
  return observed(null, { reward_type: 'tool_call_ok', scenarios, total: scenarios.length });
}

/** An observation with the reward its label stands for in this episode. */
function labelled(episode: Episode, label: string, rest: Record<string, unknown>): Reply {
  const found = rewardOf(episode.config, label);
  return found.ok
    ? observed(found.reward, { reward_type: label, ...rest })
    : { type: 'invalid', problems: found.problems };
}

function callTool(episode: Episode, name: string, args: Record<string, unknown>): Reply {
  if (episode.world === null)
    return labelled(episode, 'server_error', { tool_name: name, error: NOT_RUNNING });
  const outcome = episode.world.call(name, args);
  episode.trajectory.push({
    action: 'call_tool',
    tool_name: name,
    arguments: args,
    success: outcome.ok,
    result: outcome.ok ? outcome.text : null,
    error: outcome.ok ? null : outcome.error,
  });
  return outcome.ok
    ? labelled(episode, 'tool_call_ok', { tool_name: name, tool_result: outcome.text })
    : labelled(episode, labelOfError(outcome.error), { tool_name: name, error: outcome.error });
}

const NOT_READY = 'environment not initialized (reset failed or not called)';

function verify(episode: Episode, args: Record<string, unknown>, steps: number): Reply {
  const { world, taskIdx } = episode;
  if (!episode.isReady || world === null)
    return labelled(episode, 'server_error', { error: `Cannot verify: ${NOT_READY}` });
  if (episode.task === null || taskIdx === null)
    return labelled(episode, 'no_verifier', { error: 'Cannot verify: no task specified at reset' });
  const mode = Object.hasOwn(args, 'verifier_mode') ? args['verifier_mode'] : 'code';
  if (mode !== 'code' && mode !== 'sql') {
    const error = `Invalid verifier_mode '${str(mode)}'. Must be one of: code, sql`;
    return labelled(episode, 'invalid_args', { error });
  }
  const result = mode === 'code' ? world.verify(taskIdx, args['final_answer']) : null;
  if (result === null)
    return labelled(episode, 'no_verifier', {
      ...about(episode),
      error: `No ${mode} verifier available for this task`,
    });
  const verdict = { result, execution_status: 'success', raw_result: { result } };
  const reply = labelled(episode, result, {
    ...about(episode),
    verify_result: verdict,
    steps_taken: steps,
  });
  if (reply.type === 'observation')
    episode.trajectory.push({
      action: 'verify',
      arguments: args,
      success: true,
      reward_type: result,
      reward: reply.reward,
      verify_result: verdict,
    });
  return reply;
}

function done(episode: Episode, args: Record<string, unknown>, edges: StepEdges): Reply {
  const { world, trajectory, scenario, task, taskIdx: task_idx } = episode;
  if (!episode.isReady || world === null) {
    episode.isDone = true;
    const reply = labelled(episode, 'server_error', { error: `Cannot call done: ${NOT_READY}` });
    return reply.type === 'observation' ? { ...reply, done: true } : reply;
  }
  const isKept = isTruthy(args['keep_session']);
  const hasTrajectory = trajectory.length > 0;
  if (hasTrajectory || isKept) {
    episode.folder ??= join(edges.sessionsFolder, `${scenario}_${edges.newId()}`);
    const saved = { scenario, task, task_idx, steps: edges.steps, trajectory };
    // When this throws the episode is not over: the client is told, and may say done again.
    world.save(episode.folder, hasTrajectory ? saved : null, isKept);
  }
  episode.isKept = isKept;
  episode.isDone = true;
  world.close();
  episode.world = null;
  const reply = observed(float(0), {
    reward_type: 'episode_done',
    ...about(episode),
    steps_taken: edges.steps,
    trajectory_path:
      hasTrajectory && episode.folder !== null ? join(episode.folder, 'trajectory.json') : undefined,
    session_dir: episode.isKept ? (episode.folder ?? undefined) : undefined,
  });
  return { ...reply, done: true };
}
