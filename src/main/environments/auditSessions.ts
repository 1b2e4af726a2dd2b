// The checks of an audit that take more than one session: whether two are served at once and apart, and whether a session
// that is closed makes room for the next.
import { failureShape } from '../../shared/failure.ts';
import type { JsonObject } from '../../shared/events/turns.ts';
import type { Json, ToolSpec } from '../../shared/events/lifecycle.ts';
import { isRecord } from '../../shared/json.ts';
import { resolved } from '../../shared/schema/jsonSchema.ts';
import { exampleArguments } from '../../shared/schema/exampleValue.ts';
import {
  fail,
  makeStep,
  milliseconds,
  pass,
  resetSession,
  skip,
  warn,
  type Audit,
  type Verdict,
} from './auditChecks.ts';
import { onceThereIsRoom } from './onceThereIsRoom.ts';
import type { EnvironmentSession } from './port.ts';

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
