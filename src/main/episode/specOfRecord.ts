// The run an episode was started as, read from its log: what a fork, a resumed episode or the same episode goes on with.
import { AgentSpec, ADMIT_EVERYTHING, askedAgent } from '../../shared/events/lifecycle.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import { taskRef } from '../../shared/episode/taskRef.ts';
import { Failure } from '../../shared/failure.ts';
import { NO_APPROVAL, type RunSpec } from './stage.ts';

type Started = NonNullable<EpisodeRecord['started']>;

const limitSourcesOf = ({ limits_from: limitSources }: Started) =>
  limitSources === undefined ? {} : { limitSources };

const effectIn = ({ effect }: Started) => (effect === undefined ? {} : { effect });

/** The same run, of an agent that is ours. Throws `bad_input` for one that is not. */
export function specOfRecord(record: EpisodeRecord): RunSpec {
  const { id, started, rules } = record;
  const { scenario, task_idx } = taskRef(record);
  if (started === null) throw new Failure('not_found', `there is no episode ${id}`);
  const {
    environment,
    condition,
    limits,
    fallback,
    seed,
    repeat,
    group,
    is_blinded,
    is_key_open,
    keeps_session,
    confidence,
    experts,
    verifier_mode,
    admission = ADMIT_EVERYTHING,
    approval,
  } = started;
  const agent = AgentSpec.safeParse(askedAgent(started.agent));
  if (!agent.success || condition === null || limits === null) {
    throw new Failure(
      'bad_input',
      'this episode was played by an agent that is not ours: nobody can go on for it',
      {
        next: 'Start an episode of the same task instead.',
      },
    );
  }
  return {
    environment,
    scenario,
    task_idx,
    agent: agent.data,
    condition,
    limits,
    ...limitSourcesOf(started),
    ...effectIn(started),
    deadline_ms: started.deadline_ms,
    fallback,
    seed: seed ?? 0,
    repeat,
    group,
    reset: {},
    admission,
    // The rules as they stand, not as they were at that turn: they are a person's last word on what needs one.
    approval: { ...NO_APPROVAL, ...approval, rules },
    isBlinded: is_blinded ?? false,
    isKeyOpen: is_key_open ?? false,
    keepsSession: keeps_session ?? false,
    verifierMode: verifier_mode ?? null,
    environmentText: record.started?.environment_text ?? null,
    run: null,
    startRetries: 0,
    confidence: confidence ?? null,
    experts: experts ?? null,
    from: null,
  };
}

/** The same, of the episode itself: it stays part of the bench, the lift and the run that it was started in. */
export function sameRun(record: EpisodeRecord): RunSpec {
  const { started } = record;
  return {
    ...specOfRecord(record),
    reset: started?.reset ?? {},
    run: started?.trainer?.run ?? null,
    ...(started?.bench === undefined ? {} : { bench: started.bench }),
    ...(started?.lift === undefined ? {} : { lift: started.lift }),
    ...(started?.probe === undefined ? {} : { probe: started.probe }),
  };
}
