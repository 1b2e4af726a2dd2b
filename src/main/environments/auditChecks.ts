// The single checks of an audit: each builds on what came before it and gives a verdict with its evidence.
import { setTimeout as pause } from 'node:timers/promises';
import type { Json, ToolSpec } from '../../shared/events/lifecycle.ts';
import type { JsonObject } from '../../shared/events/turns.ts';
import { failureShape } from '../../shared/failure.ts';
import { isRecord } from '../../shared/json.ts';
import { resolved } from '../../shared/schema/checkValue.ts';
import { exampleArguments } from '../../shared/schema/exampleValue.ts';
import { isReservedTool } from '../../shared/wire.ts';
import type { CatalogScenario } from '../openenv/catalog.ts';
import type { ServerDescription } from '../openenv/serverDescription.ts';
import type { Environment, EnvironmentSession, ResetResult, StepResult } from './port.ts';

/** `skip` says that nothing was tried. */
export type AuditStatus = 'pass' | 'warn' | 'fail' | 'skip';
export type Verdict = { status: AuditStatus; evidence: string };
export const pass = (evidence: string): Verdict => ({ status: 'pass', evidence });
const warn = (evidence: string): Verdict => ({ status: 'warn', evidence });
export const fail = (evidence: string): Verdict => ({ status: 'fail', evidence });
const skip = (evidence: string): Verdict => ({ status: 'skip', evidence });

/** The findings so far; later checks build on them. */
export type Audit = {
  environment: Environment;
  signal: AbortSignal;
  description: ServerDescription;
  request: Record<string, unknown>;
  warning?: string | null;
  session: EnvironmentSession;
  tools: ToolSpec[];
  isRepeatable: boolean;
  clearedMs: number;
  /** How long each reset and each step took, in ms. */
  took: { resets: number[]; steps: number[] };
};

const EPISODE = 'interject-audit';

async function resetSession(
  { request, signal, took }: Audit,
  session: EnvironmentSession,
  episode = EPISODE,
): Promise<{ result: ResetResult; refusal: string | null }> {
  const answer = await session.reset({ ...request, episode_id: episode }, signal);
  took.resets.push(answer.result.latency_ms);
  return answer;
}

async function makeStep(
  { signal, took }: Audit,
  session: EnvironmentSession,
  { name }: ToolSpec,
  args: JsonObject,
): Promise<StepResult> {
  const answer = await session.callTool(name, args, signal);
  took.steps.push(answer.latency_ms);
  return answer;
}

export const milliseconds = (ms: number): string => `${ms < 10 ? ms.toFixed(1) : String(Math.round(ms))} ms`;

export function described({ description: { name, actions: space, schema } }: Audit): Verdict {
  const kind = space === null ? 'an environment of tools' : 'an environment of actions';
  if (schema === '') return warn(`${name ?? 'the server'} has no /schema; it is taken for ${kind}`);
  return name === null ? warn(`${kind}, without a name in /metadata`) : pass(`${name}, ${kind}`);
}

/** Asks what `openenv validate` asks of a running server, which an episode does not need. */
export async function endpoints({ environment, signal }: Audit): Promise<Verdict> {
  const found = await environment.endpoints(signal);
  if (found === null) return pass('part of this product');
  const missing = found.filter(({ isThere }) => !isThere).map(({ expected }) => expected);
  return missing.length === 0
    ? pass(`all ${String(found.length)} that “openenv validate” asks of a running server`)
    : warn(`“openenv validate” would fail it, episodes run all the same: ${missing.join('; ')}`);
}

/** A list may take a session of its own, of which a server may have one. */
async function listScenarios(audit: Audit): Promise<CatalogScenario[]> {
  try {
    return await audit.environment.scenarios();
  } catch (thrown) {
    if (failureShape(thrown).code !== 'env_capacity') throw thrown;
    audit.session.close();
    const listed = await onceThereIsRoom(audit, () => audit.environment.scenarios());
    audit.session = await onceThereIsRoom(audit, () => openWithRoom(audit));
    return listed;
  }
}

/** A server says that it has no room only to the first request. Throws `env_capacity`. */
async function openWithRoom({ environment, signal }: Audit): Promise<EnvironmentSession> {
  const session = await environment.open(signal);
  try {
    await session.state(signal);
  } catch (thrown) {
    if (failureShape(thrown).code === 'env_capacity') throw thrown;
  }
  return session;
}

export async function scenarios(audit: Audit): Promise<Verdict> {
  const listed = await listScenarios(audit);
  const [first] = listed;
  audit.request = { seed: 0 };
  if (first === undefined) return pass('none to choose: a reset needs no scenario');
  Object.assign(audit.request, { scenario: first.name, task_idx: 0 });
  const tasks = listed.reduce((sum, { tasks: { length } }) => sum + length, 0);
  return pass(`${String(listed.length)} with ${String(tasks)} tasks; ${first.name} is tried`);
}

export async function resets(audit: Audit): Promise<Verdict> {
  const { result, refusal } = await resetSession(audit, audit.session);
  if (refusal !== null) return fail(`the environment refused it: ${withoutMiddle(refusal)}`);
  audit.warning = result.warning;
  if (result.done) return fail('the episode is over before its first step');
  if (audit.session.transport === 'mcp') return warn(result.warning ?? 'played over POST /mcp');
  if (result.task === null)
    return warn(`an agent is told nothing of its task (${milliseconds(result.latency_ms)})`);
  return pass(`${String(result.task.length)} characters of task in ${milliseconds(result.latency_ms)}`);
}

/** A server may send a whole log along: how it begins, and how it ends, where the cause stands. */
const withoutMiddle = (text: string): string =>
  text.length <= 1000 ? text : `${text.slice(0, 300)} […] ${text.slice(-600)}`;

const kindOf = ({ description }: Audit): string => (description.actions === null ? 'tools' : 'actions');

export async function actions(audit: Audit): Promise<Verdict> {
  const { tools } = await audit.session.listTools(audit.signal);
  audit.tools = tools;
  const names = tools.map(({ name }) => name);
  const what = kindOf(audit);
  if (names.length === 0) {
    const said = audit.warning ?? '';
    const own = said === '' ? '' : `. The server said at the reset: ${withoutMiddle(said)}`;
    return fail(`it offers no ${what}: an agent could do nothing${own}`);
  }
  const twice = names.filter((name, at) => names.indexOf(name) !== at);
  if (twice.length > 0) return fail(`${what} of the same name: ${[...new Set(twice)].join(', ')}`);
  const bare = tools.filter(({ description }) => description.trim() === '').map(({ name }) => name);
  const listed = `${String(names.length)} ${names.length === 1 ? what.slice(0, -1) : what}: ${names.slice(0, 8).join(', ')}${names.length > 8 ? ', …' : ''}`;
  return bare.length === names.length ? warn(`${listed}; none is described`) : pass(listed);
}

export function reservedNames(audit: Audit): Verdict {
  const reserved = audit.tools.map(({ name }) => name).filter(isReservedTool);
  if (reserved.length > 0) return warn(`agents may not call these ${kindOf(audit)}: ${reserved.join(', ')}`);
  return pass('none is taken: reset, step, state, close and the names of verifiers stay the host’s');
}

export async function step(audit: Audit): Promise<Verdict> {
  const [first] = audit.tools;
  if (audit.description.actions === null || first === undefined) {
    return skip('not tried: what a tool does may reach beyond the environment');
  }
  const args = exampleArguments(first.input_schema) as JsonObject;
  const { error, reward, latency_ms } = await makeStep(audit, audit.session, first, args);
  const call = `${first.name}(${JSON.stringify(args)})`;
  if (error !== null)
    return warn(
      `${call} was refused, and an episode is worth playing only where some action is not: ${error.slice(0, 300)}`,
    );
  return pass(
    `${call} gave ${reward === null ? 'no reward' : `reward ${String(reward)}`} in ${milliseconds(latency_ms)}`,
  );
}

/** Episodes never ask for it; clients of the tap and other tools do. */
export async function state({ session, signal }: Audit): Promise<Verdict> {
  try {
    const { episodeId, stepCount } = await session.state(signal);
    const of =
      episodeId === EPISODE
        ? 'it keeps the episode id that a reset names'
        : `it has an episode id of its own (${episodeId ?? 'none'})`;
    return pass(`${String(stepCount)} ${stepCount === 1 ? 'step' : 'steps'}; ${of}`);
  } catch (thrown) {
    const { code, message } = failureShape(thrown);
    // An answer that is an error, or no state, leaves the session as it was; anything else has ended it.
    if (code !== 'env_error' && code !== 'env_bad_frame') throw thrown;
    return warn(`episodes run without it: ${message}`);
  }
}

/** A reset's answer without the names of this very session. */
const shownBy = ({ task, num_tools, task_idx, scenario }: ResetResult): string =>
  JSON.stringify([task, num_tools, task_idx, scenario]);

export async function sameSeed(audit: Audit): Promise<Verdict> {
  const first = await resetSession(audit, audit.session);
  const second = await resetSession(audit, audit.session);
  audit.isRepeatable = shownBy(first.result) === shownBy(second.result);
  return audit.isRepeatable
    ? pass('two resets with the same seed begin alike')
    : warn('two resets with the same seed begin differently: forks and replays will drift');
}

/** Slower than this, and people and agents wait. */
const SLOW_STEP_MS = 10_000;
const SLOW_RESET_MS = 60_000;

export function latency({ took: { resets: reset, steps } }: Audit): Verdict {
  const text = (name: string, times: readonly number[]): string =>
    times.length === 0
      ? `no ${name} was tried`
      : `${String(times.length)} ${name}${times.length === 1 ? '' : 's'}: ${milliseconds(median(times))} in the middle, ${milliseconds(Math.max(...times))} at most`;
  const evidence = `${text('reset', reset)}; ${text('step', steps)}`;
  const isSlow = Math.max(0, ...reset) > SLOW_RESET_MS || Math.max(0, ...steps) > SLOW_STEP_MS;
  return isSlow ? warn(`slow: ${evidence}`) : pass(evidence);
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;

/** A second session beside the first; a step in the one must not be seen in the other. */
export async function sessionsAtOnce(audit: Audit): Promise<Verdict> {
  let other: EnvironmentSession;
  try {
    other = await audit.environment.open(audit.signal);
  } catch (thrown) {
    return warn(`one at a time: ${failureShape(thrown).message}`);
  }
  try {
    return await isolation(audit, other);
  } catch (thrown) {
    return warn(`one at a time: ${failureShape(thrown).message}`);
  } finally {
    other.close();
  }
}

/** Choices of an action that are tried: one alone may change nothing. */
const CHOICES_MAX = 4;

/** Arguments for an action, one for each choice of its first property that has several. */
function choicesOf({ input_schema }: ToolSpec): JsonObject[] {
  const args = exampleArguments(input_schema) as JsonObject;
  const properties = isRecord(input_schema['properties']) ? input_schema['properties'] : {};
  for (const key of Object.keys(args)) {
    const property = properties[key];
    const choices = isRecord(property) ? resolved(property, input_schema)['enum'] : undefined;
    if (!Array.isArray(choices)) continue;
    return choices.slice(0, CHOICES_MAX).map((choice) => ({ ...args, [key]: choice as Json }));
  }
  return [args, args];
}

/** The results of an episode's first steps, as one text. */
async function firstSteps(audit: Audit, session: EnvironmentSession, tool: ToolSpec): Promise<string> {
  const results: unknown[] = [];
  for (const args of choicesOf(tool)) {
    const { text, reward, error, done } = await makeStep(audit, session, tool, args);
    results.push([text, reward, error]);
    if (done) break;
  }
  return JSON.stringify(results);
}

async function isolation(audit: Audit, other: EnvironmentSession): Promise<Verdict> {
  await resetSession(audit, audit.session);
  const { refusal } = await resetSession(audit, other, 'interject-audit-2');
  if (refusal !== null) return warn(`a second session could not reset: ${refusal}`);
  const [first] = audit.tools;
  if (audit.description.actions === null || first === undefined) {
    return skip('two are served at once; whether they share state was not tried');
  }
  const there = await firstSteps(audit, other, first);
  const here = await firstSteps(audit, audit.session, first);
  if (!audit.isRepeatable)
    return skip('two are served at once; without a seed that repeats their state cannot be compared');
  const isSame = there === here;
  return isSame
    ? pass('two are served at once, and steps in one are not seen in the other')
    : warn('two are served at once, but the same first steps gave different results: they may share state');
}

/** Closes the session and begins another, as the next episode of a run does. */
export async function close(audit: Audit): Promise<Verdict> {
  audit.session.close();
  const startedAt = performance.now();
  const begin = async (): Promise<Verdict> => {
    const next = await audit.environment.open(audit.signal);
    try {
      const { refusal } = await resetSession(audit, next, 'interject-audit-3');
      if (refusal !== null) return fail(`after a session was closed, the next could not reset: ${refusal}`);
    } finally {
      next.close();
    }
    const took = milliseconds(performance.now() - startedAt);
    return pass(`another session began and reset ${took} after the first was closed`);
  };
  try {
    return await onceThereIsRoom(audit, begin);
  } catch (thrown) {
    return fail(`after a session was closed, no other could begin: ${failureShape(thrown).message}`);
  }
}

const AGAIN_MS = 200;

/** Tries again while the server has no room, as long as it may take to clear a closed session away. */
async function onceThereIsRoom<T>(
  { clearedMs, signal }: { clearedMs: number; signal: AbortSignal },
  work: () => Promise<T>,
): Promise<T> {
  const startedAt = performance.now();
  for (;;) {
    try {
      return await work();
    } catch (thrown) {
      const isOver = performance.now() - startedAt > clearedMs;
      if (isOver || failureShape(thrown).code !== 'env_capacity') throw thrown;
      await pause(AGAIN_MS, null, { signal });
    }
  }
}
