// One step: list the tools, call one, or one of the three reserved tools. Must not know: sockets, or how a play
// began.
import { join } from 'node:path';
import { RewardType } from '../../shared/wire.ts';
import type { StepAction } from './envelope.ts';
import type { WorldReply } from './frames.ts';
import type { Pack } from './pack.ts';
import { type FrameProblem, problem } from './problems.ts';
import { float, isTruthy } from './python.ts';
import type { WorldSession } from './session.ts';

type StepEdges = {
  newId: () => string;
  packs: ReadonlyMap<string, Pack>;
  sessionsFolder: string;
  /** Steps so far, this one included. */
  steps: number;
};

const NOT_RUNNING = 'Sub-environment is not running. Call reset() first.';

export function step(play: Play, action: StepAction, edges: StepEdges): WorldReply {
  if (action.type === 'list_tools') return listToolsStep(play);
  switch (action.tool_name) {
    case 'done':
      return done(play, action.arguments, edges);
    case 'verify':
      return verifyStep(play, action.arguments, edges.steps);
    case '__list_scenarios__':
      return listScenariosStep(edges.packs);
    default:
      return callToolStep(play, action.tool_name, action.arguments);
  }
}

function listToolsStep({ world, trajectory }: Play): WorldReply {
  if (world === null) {
    trajectory.push({ action: 'list_tools', success: false, error: NOT_RUNNING });
    return observation(null, { tools: [], error: NOT_RUNNING });
  }
  const tools = world.pack.listed;
  const names = tools.map(({ name }) => name);
  trajectory.push({ action: 'list_tools', success: true, num_tools: tools.length, tool_names: names });
  return observation(null, { tools, error: null });
}

function listScenariosStep(packs: ReadonlyMap<string, Pack>): WorldReply {
  const scenarios = [...packs.values()].map(({ name, description, tasks }) => ({
    name,
    description,
    num_tasks: tasks.length,
    tasks: tasks.map(({ task }) => task),
  }));
  return observation(null, { reward_type: 'tool_call_ok', scenarios, total: scenarios.length });
}

function callToolStep(play: Play, name: string, args: Record<string, unknown>): WorldReply {
  if (play.world === null) return labelled(play, 'server_error', { tool_name: name, error: NOT_RUNNING });
  const outcome = play.world.call(name, args);
  play.trajectory.push({
    action: 'call_tool',
    tool_name: name,
    arguments: args,
    success: outcome.ok,
    result: outcome.ok ? outcome.text : null,
    error: outcome.ok ? null : outcome.error,
  });
  return outcome.ok
    ? labelled(play, 'tool_call_ok', { tool_name: name, tool_result: outcome.text })
    : labelled(play, labelOfError(outcome.error), { tool_name: name, error: outcome.error });
}

const NOT_READY = 'environment not initialized (reset failed or not called)';

function verifyStep(play: Play, args: Record<string, unknown>, steps: number): WorldReply {
  const { world, task_idx } = play;
  if (!play.isReady || world === null)
    return labelled(play, 'server_error', { error: `Cannot verify: ${NOT_READY}` });
  if (play.task === null || task_idx === null)
    return labelled(play, 'no_verifier', { error: 'Cannot verify: no task specified at reset' });
  const mode = Object.hasOwn(args, 'verifier_mode') ? args['verifier_mode'] : 'code';
  if (mode !== 'code' && mode !== 'sql') {
    const error = `Invalid verifier_mode ${JSON.stringify(mode)}. Must be one of: code, sql`;
    return labelled(play, 'invalid_args', { error });
  }
  const result = mode === 'code' ? world.verify(task_idx, args['final_answer']) : null;
  if (result === null)
    return labelled(play, 'no_verifier', {
      ...taskFields(play),
      error: `No ${mode} verifier available for this task`,
    });
  const verdict = { result, execution_status: 'success', raw_result: { result } };
  const reply = labelled(play, result, {
    ...taskFields(play),
    verify_result: verdict,
    steps_taken: steps,
  });
  if (reply.type === 'observation')
    play.trajectory.push({
      action: 'verify',
      arguments: args,
      success: true,
      reward_type: result,
      reward: reply.reward,
      verify_result: verdict,
    });
  return reply;
}

function done(play: Play, args: Record<string, unknown>, edges: StepEdges): WorldReply {
  const { world, trajectory, scenario, task, task_idx } = play;
  if (!play.isReady || world === null) {
    play.isDone = true;
    const reply = labelled(play, 'server_error', { error: `Cannot call done: ${NOT_READY}` });
    return reply.type === 'observation' ? { ...reply, done: true } : reply;
  }
  const isKept = isTruthy(args['keep_session']);
  const hasTrajectory = trajectory.length > 0;
  if (hasTrajectory || isKept) {
    play.folder ??= join(edges.sessionsFolder, `${scenario}_${edges.newId()}`);
    const saved = { scenario, task, task_idx, steps: edges.steps, trajectory };
    // When this throws the play is not over: the client is told, and may say done again.
    world.save(play.folder, hasTrajectory ? saved : null, isKept);
  }
  play.isKept = isKept;
  play.isDone = true;
  world.close();
  play.world = null;
  const reply = observation(float(0), {
    reward_type: 'episode_done',
    ...taskFields(play),
    steps_taken: edges.steps,
    trajectory_path: hasTrajectory && play.folder !== null ? join(play.folder, 'trajectory.json') : undefined,
    session_dir: play.isKept ? (play.folder ?? undefined) : undefined,
  });
  return { ...reply, done: true };
}

// One play of a scenario between its reset and its end, and the observations made from it. Must not know: which request
// is being answered.
export type PlayTask = { scenario: string; task: string | null; task_idx: number | null };

/** Everything that a reset starts over. */
type Play = PlayTask & {
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

function labelled(play: Play, label: string, rest: Record<string, unknown>): WorldReply {
  const found = rewardForLabel(play.config, label);
  return found.ok
    ? observation(found.reward, { reward_type: label, ...rest })
    : { type: 'invalid', problems: found.problems };
}

// The label of a tool error, and the reward of a label. The labels are guesses from keywords in the error text:
// upstream guesses, and so must a faithful world.
const GUESSES: readonly (readonly [label: string, keywords: readonly string[]])[] = [
  ['tool_not_found', ['not found', 'unknown tool', 'no tool']],
  [
    'invalid_args',
    ['invalid', 'argument', 'parameter', 'required property', 'validation error', 'missing', 'schema'],
  ],
  ['timeout', ['timeout', 'timed out']],
];

/** The label of a tool error. A 404 that says "not found" reads as an unknown tool, whatever was missing. */
function labelOfError(error: string): string {
  const lower = error.toLowerCase();
  const guess = GUESSES.find(([, keywords]) => keywords.some((keyword) => lower.includes(keyword)));
  return guess?.[0] ?? 'server_error';
}

type RewardConfig = Record<string, unknown>;

const DEFAULT_CONFIG: RewardConfig = {
  complete: float(1),
  incomplete: float(0.1),
  format_error: float(-1),
};

/** Reads a reset's `reward_config`: it replaces the defaults, it does not add to them. */
export const readConfig = (given: unknown): RewardConfig =>
  isTruthy(given) ? { ...(given as RewardConfig) } : DEFAULT_CONFIG;

function rewardForLabel(
  config: RewardConfig,
  label: string,
): { ok: true; reward: unknown } | { ok: false; problems: FrameProblem[] } {
  const isFormatError = RewardType.formatErrors.has(label);
  const key = isFormatError ? 'format_error' : label;
  if (!Object.hasOwn(config, key)) return { ok: true, reward: isFormatError ? float(-1) : float(0) };
  const value = config[key];
  if (config === DEFAULT_CONFIG) return { ok: true, reward: value };
  if (value === null || typeof value === 'number' || typeof value === 'boolean')
    return { ok: true, reward: value };
  if (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)))
    return { ok: true, reward: Number(value) };
  const what = typeof value === 'string' ? 'parsing' : 'type';
  const kinds = ['bool', 'int', 'float'] as const;
  return { ok: false, problems: kinds.map((kind) => problem(`${kind}_${what}`, ['reward', kind], value)) };
}
