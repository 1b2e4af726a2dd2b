// The environment's own steps of an episode: reset and tools before the turns, verify once and done after them.
import { kindOf } from '../../shared/environmentKinds.ts';
import { ENVIRONMENT } from '../../shared/events/actor.ts';
import type { Json } from '../../shared/events/lifecycle.ts';
import type { LogEvent } from '../../shared/events/vocabulary.ts';
import { Failure } from '../../shared/failure.ts';
import { redactJson } from '../../shared/redact/redact.ts';
import { appendSaid, recordOf, type EpisodeStage } from './stage.ts';

/**
 * Resets and lists the tools, as far as the log does not have it yet. Throws `reset_failed`, `unknown_scenario` or
 * `task_out_of_range`.
 */
export async function reset(stage: EpisodeStage): Promise<void> {
  const { reset: logged, timeline } = recordOf(stage);
  if (logged === null) await resetNow(stage);
  if (timeline.some(({ type }) => type === 'tools')) return;
  const listed = await stage.session.listTools(stage.signal);
  await appendSaid(stage, [{ actor: ENVIRONMENT, event: { kind: 'tools.listed', call: null, ...listed } }]);
}

async function resetNow(stage: EpisodeStage): Promise<void> {
  const { session, spec, signal } = stage;
  const task: Record<string, Json> = {
    ...(spec.scenario === null ? {} : { scenario: spec.scenario }),
    ...(spec.task_idx === null ? {} : { task_idx: spec.task_idx }),
  };
  const request: Record<string, Json> = {
    ...spec.reset,
    ...session.resetArguments({ ...spec.reset, ...task }),
    ...task,
    seed: spec.seed,
    // Ours becomes the server's, so that the two can be matched afterwards.
    episode_id: stage.id,
  };
  const { result, refusal } = await session.reset(request, signal);
  const event: LogEvent = {
    kind: 'environment.reset',
    request: redactJson(request),
    ...result,
    scenario: result.scenario ?? spec.scenario,
    task_idx: result.task_idx ?? spec.task_idx,
  };
  await appendSaid(stage, [{ actor: ENVIRONMENT, event }]);
  if (refusal !== null) throw resetFailure(stage, refusal);
}

function resetFailure({ spec }: EpisodeStage, said: string): Failure {
  if (/task_idx|task index|out of range/i.test(said)) {
    return new Failure(
      'task_out_of_range',
      `${spec.environment.name} has no task ${String(spec.task_idx)}: ${said}`,
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

/** The verifier runs once, on what the episode left behind; then the environment is told that it is over. */
export async function verifyAndFinish(stage: EpisodeStage, final_answer: string | null): Promise<void> {
  const { session, spec, signal } = stage;
  const { verified: known, finished: over } = recordOf(stage);
  if (over !== null) return;
  // A world that died with the program was verified then: the new one is brought to where that one was.
  const isOwed = known === null || kindOf(spec.environment).isPartOfProduct;
  const verified = isOwed ? await session.verifyOnce(final_answer, signal) : null;
  if (verified !== null && known === null)
    await appendSaid(stage, [{ actor: ENVIRONMENT, event: { kind: 'verifier.ran', ...verified } }]);
  const finished = await session.finishEnvironment(spec, signal);
  if (finished !== null)
    await appendSaid(stage, [{ actor: ENVIRONMENT, event: { kind: 'environment.finished', ...finished } }]);
}
