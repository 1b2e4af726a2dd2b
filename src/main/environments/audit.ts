// Whether an environment keeps what it promises, tried on sessions of its own: what `run` needs has to pass, what else
// a person counts on is a warning. Steps are made only in environments of actions: a tool may reach the world outside.
import { failureShape } from '../../shared/failure.ts';
import type { JsonObject } from '../../shared/events/turns.ts';
import type { Json, ToolSpec } from '../../shared/events/lifecycle.ts';
import { isRecord } from '../../shared/json.ts';
import { resolved } from '../../shared/schema/jsonSchema.ts';
import { exampleArguments } from '../../shared/schema/exampleValue.ts';
import { isReservedTool } from '../../shared/wire.ts';
import type { ServerDescription } from '../openenv/serverDescription.ts';
import type { Environment, EnvironmentSession, ResetResult } from './port.ts';

export type AuditStatus = 'pass' | 'warn' | 'fail';
export type AuditCheck = { name: string; status: AuditStatus; evidence: string };

type Verdict = Omit<AuditCheck, 'name'>;
const pass = (evidence: string): Verdict => ({ status: 'pass', evidence });
const warn = (evidence: string): Verdict => ({ status: 'warn', evidence });
const fail = (evidence: string): Verdict => ({ status: 'fail', evidence });

/** What is known so far; later checks build on it. */
type Audit = {
  environment: Environment;
  signal: AbortSignal;
  description: ServerDescription;
  request: Record<string, unknown>;
  session: EnvironmentSession;
  tools: ToolSpec[];
  isRepeatable: boolean;
};

/**
 * Checks an environment, yielding each result as it comes. The first check that fails is the last: what comes after it
 * builds on it. Never throws; ends what it opened.
 */
export async function* auditEnvironment(
  environment: Environment,
  signal: AbortSignal,
): AsyncGenerator<AuditCheck> {
  const opened = await attempt('connection', () => connect(environment, signal));
  yield opened.check;
  const { value: audit } = opened;
  if (audit === null) return;
  try {
    for (const [name, run] of STEPS) {
      const { check } = await attempt(name, async () => ({ verdict: await run(audit), value: null }));
      yield check;
      if (check.status === 'fail') return;
    }
  } finally {
    audit.session.close();
  }
}

const STEPS: readonly (readonly [string, (audit: Audit) => Promise<Verdict> | Verdict])[] = [
  ['description', described],
  ['scenarios', scenarios],
  ['reset', resets],
  ['actions', actions],
  ['step', step],
  ['same seed', sameSeed],
  ['sessions at once', sessionsAtOnce],
];

async function attempt<T>(
  name: string,
  run: () => Promise<{ verdict: Verdict; value: T }>,
): Promise<{ check: AuditCheck; value: T | null }> {
  try {
    const { verdict, value } = await run();
    return { check: { name, ...verdict }, value };
  } catch (thrown) {
    const { message, next } = failureShape(thrown);
    return { check: { name, ...fail(next === null ? message : `${message} ${next}`) }, value: null };
  }
}

async function connect(
  environment: Environment,
  signal: AbortSignal,
): Promise<{ verdict: Verdict; value: Audit }> {
  const startedAt = performance.now();
  const session = await environment.open(signal);
  const took = performance.now() - startedAt;
  const description = await environment.describe();
  return {
    verdict: pass(`the socket opened in ${milliseconds(took)}`),
    value: { environment, signal, description, request: {}, session, tools: [], isRepeatable: false },
  };
}

const milliseconds = (ms: number): string => `${ms < 10 ? ms.toFixed(1) : String(Math.round(ms))} ms`;

function described({ description: { name, actions: space, schema } }: Audit): Verdict {
  const kind = space === null ? 'an environment of tools' : 'an environment of actions';
  if (schema === '') return warn(`${name ?? 'the server'} has no /schema; it is taken for ${kind}`);
  return name === null ? warn(`${kind}, without a name in /metadata`) : pass(`${name}, ${kind}`);
}

async function scenarios(audit: Audit): Promise<Verdict> {
  const listed = await audit.environment.scenarios();
  const [first] = listed;
  audit.request = { seed: 0, episode_id: 'interject-audit' };
  if (first === undefined) return pass('none to choose: a reset needs no scenario');
  Object.assign(audit.request, { scenario: first.name, task_idx: 0 });
  const tasks = listed.reduce((sum, { tasks: { length } }) => sum + length, 0);
  return pass(`${String(listed.length)} with ${String(tasks)} tasks; ${first.name} is tried`);
}

async function resets(audit: Audit): Promise<Verdict> {
  const { result, refusal } = await audit.session.reset(audit.request, audit.signal);
  if (refusal !== null) return fail(`the environment refused it: ${refusal}`);
  if (result.done) return fail('the episode is over before its first step');
  if (result.task === null)
    return warn(`an agent is told nothing of its task (${milliseconds(result.latency_ms)})`);
  return pass(`${String(result.task.length)} characters of task in ${milliseconds(result.latency_ms)}`);
}

async function actions(audit: Audit): Promise<Verdict> {
  const { tools } = await audit.session.listTools(audit.signal);
  audit.tools = tools;
  const names = tools.map(({ name }) => name);
  const what = audit.description.actions === null ? 'tools' : 'actions';
  if (names.length === 0) return fail(`it offers no ${what}: an agent could do nothing`);
  const twice = names.filter((name, at) => names.indexOf(name) !== at);
  if (twice.length > 0) return fail(`${what} of the same name: ${[...new Set(twice)].join(', ')}`);
  const reserved = names.filter(isReservedTool);
  if (reserved.length > 0) return warn(`names that agents may not call: ${reserved.join(', ')}`);
  const bare = tools.filter(({ description }) => description.trim() === '').map(({ name }) => name);
  const listed = `${String(names.length)} ${names.length === 1 ? what.slice(0, -1) : what}: ${names.slice(0, 8).join(', ')}${names.length > 8 ? ', …' : ''}`;
  return bare.length === names.length ? warn(`${listed}; none is described`) : pass(listed);
}

const exampleOf = ({ name, input_schema }: ToolSpec): { name: string; args: JsonObject } => ({
  name,
  args: exampleArguments(input_schema) as JsonObject,
});

async function step(audit: Audit): Promise<Verdict> {
  const [first] = audit.tools;
  if (audit.description.actions === null || first === undefined) {
    return pass('not tried: what a tool does may reach beyond the environment');
  }
  const { name, args } = exampleOf(first);
  const { error, reward, latency_ms } = await audit.session.callTool(name, args, audit.signal);
  const call = `${name}(${JSON.stringify(args)})`;
  if (error !== null) return warn(`${call} was refused: ${error.slice(0, 300)}`);
  if (reward !== null && !Number.isFinite(reward)) return fail(`${call} gave a reward that is no number`);
  return pass(
    `${call} gave ${reward === null ? 'no reward' : `reward ${String(reward)}`} in ${milliseconds(latency_ms)}`,
  );
}

/** What a reset shows, without what names this very session. */
const shownBy = ({ task, num_tools, task_idx, scenario }: ResetResult): string =>
  JSON.stringify([task, num_tools, task_idx, scenario]);

async function sameSeed(audit: Audit): Promise<Verdict> {
  const { session, request, signal } = audit;
  const first = await session.reset(request, signal);
  const second = await session.reset(request, signal);
  audit.isRepeatable = shownBy(first.result) === shownBy(second.result);
  return audit.isRepeatable
    ? pass('two resets with the same seed begin alike')
    : warn('two resets with the same seed begin differently: forks and replays will drift');
}

/** A second session beside the first; a step in the one must not be seen in the other. */
async function sessionsAtOnce(audit: Audit): Promise<Verdict> {
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

/** How many choices of an action are tried: one alone may change nothing. */
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

/** What the first steps of an episode came to, as one text. */
async function firstSteps(session: EnvironmentSession, tool: ToolSpec, signal: AbortSignal): Promise<string> {
  const results: unknown[] = [];
  for (const args of choicesOf(tool)) {
    const { text, reward, error, done } = await session.callTool(tool.name, args, signal);
    results.push([text, reward, error]);
    if (done) break;
  }
  return JSON.stringify(results);
}

async function isolation(
  { session, request, signal, ...audit }: Audit,
  other: EnvironmentSession,
): Promise<Verdict> {
  await session.reset(request, signal);
  const { refusal } = await other.reset({ ...request, episode_id: 'interject-audit-2' }, signal);
  if (refusal !== null) return warn(`a second session could not reset: ${refusal}`);
  const [first] = audit.tools;
  if (audit.description.actions === null || first === undefined) {
    return pass('two are served at once; whether they share state was not tried');
  }
  const there = await firstSteps(other, first, signal);
  const here = await firstSteps(session, first, signal);
  if (!audit.isRepeatable)
    return pass('two are served at once; without a seed that repeats their state cannot be compared');
  const isSame = there === here;
  return isSame
    ? pass('two are served at once, and steps in one are not seen in the other')
    : warn('two are served at once, but the same first steps gave different results: they may share state');
}
