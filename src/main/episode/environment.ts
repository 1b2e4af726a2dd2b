// Owns: the environment's own steps of an episode: reset and tools before the turns, verify once and done after them.
import { ENVIRONMENT } from '../../shared/events/actor.ts';
import type { Json } from '../../shared/events/lifecycle.ts';
import { Failure } from '../../shared/failure.ts';
import { RewardType } from '../../shared/wire.ts';
import { errorText, labelOf } from '../openenv/session.ts';
import { append, type Stage } from './stage.ts';

/** Keys whose values never enter the log, wherever in the reset they stand. */
const SECRET_KEY = /key|token|secret|password|authorization/i;

/** Resets and lists the tools. Throws `reset_failed`, `unknown_scenario` or `task_out_of_range`. */
export async function reset(stage: Stage): Promise<void> {
  const { session, spec, signal } = stage;
  const request: Record<string, Json> = {
    ...spec.reset,
    ...(spec.scenario === null ? {} : { scenario: spec.scenario }),
    ...(spec.taskIdx === null ? {} : { task_idx: spec.taskIdx }),
    seed: spec.seed,
    // Ours becomes the server's, so that the two can be matched afterwards.
    episode_id: stage.id,
  };
  const { observation, reward, done, raw, latencyMs } = await session.reset(request, signal);
  append(stage, ENVIRONMENT, {
    kind: 'environment.reset',
    request: redacted(request),
    frame: raw,
    reward_type: observation.reward_type ?? null,
    reward,
    done,
    scenario: observation.scenario ?? spec.scenario,
    task: observation.task ?? null,
    task_idx: observation.task_idx ?? spec.taskIdx,
    num_tools: observation.num_tools ?? null,
    warning: observation.warning ?? null,
    latency_ms: latencyMs,
  });
  if (RewardType.resetErrors.has(observation.reward_type ?? ''))
    throw resetFailure(stage, errorText(observation));
  const { tools, raw: frame, latencyMs: took } = await session.listTools(signal);
  append(stage, ENVIRONMENT, { kind: 'tools.listed', call: null, tools, frame, latency_ms: took });
}

function resetFailure({ spec }: Stage, error: string | null): Failure {
  const said = error ?? 'no reason given';
  if (/task_idx|task index|out of range/i.test(said)) {
    return new Failure(
      'task_out_of_range',
      `${spec.environment.name} has no task ${String(spec.taskIdx)}: ${said}`,
      {
        next: 'Choose a task that the scenario lists.',
      },
    );
  }
  if (/scenario/i.test(said)) {
    return new Failure(
      'unknown_scenario',
      `${spec.environment.name} refused "${spec.scenario ?? ''}": ${said}`,
      {
        next: 'Choose a scenario that the environment lists.',
      },
    );
  }
  return new Failure('reset_failed', `${spec.environment.name} could not reset: ${said}`, {
    next: 'The message is the environment’s own; look at its log.',
  });
}

/** The verifier runs once, on what the episode left behind, before `done`. */
export async function verify(stage: Stage, finalAnswer: string | null): Promise<void> {
  const args = { verifier_mode: 'code', final_answer: finalAnswer ?? '' };
  const { observation, reward, raw, latencyMs } = await stage.session.callTool('verify', args, stage.signal);
  append(stage, ENVIRONMENT, {
    kind: 'verifier.ran',
    verifier_mode: args.verifier_mode,
    final_answer: finalAnswer,
    frame: raw,
    reward_type: labelOf(observation),
    reward,
    verify_result: (observation.verify_result ?? null) as Json,
    error: errorText(observation),
    latency_ms: latencyMs,
  });
}

export async function finish(stage: Stage): Promise<void> {
  const { keepsSession, environment } = stage.spec;
  // A built-in world's state can be rebuilt at any time; nothing is left lying about for it.
  const args = keepsSession && !environment.builtin ? { keep_session: true } : {};
  const { observation, raw, latencyMs } = await stage.session.callTool('done', args, stage.signal);
  append(stage, ENVIRONMENT, {
    kind: 'environment.finished',
    frame: raw,
    reward_type: labelOf(observation),
    steps_taken: observation.steps_taken ?? null,
    latency_ms: latencyMs,
  });
}

const redacted = (request: Record<string, Json>): Record<string, Json> =>
  Object.fromEntries(
    Object.entries(request).map(([key, value]) => [
      key,
      SECRET_KEY.test(key) ? '[redacted]' : redactedValue(value),
    ]),
  );

const redactedValue = (value: Json): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? redacted(value as Record<string, Json>)
    : value;
