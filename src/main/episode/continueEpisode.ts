// Going on with episodes in which the program was killed: by themselves, by a bench or lift that is begun again, or by a
// person's word.
import { endedWithoutVerdict } from '../../shared/episode/phase.ts';
import { checkSecrets } from '../../shared/episode/lostSecrets.ts';
import { type EpisodeRecord, taskRef } from '../../shared/episode/record.ts';
import { type Actor, SYSTEM } from '../../shared/events/actor.ts';
import { ADMIT_EVERYTHING, AgentSpec, askedAgent } from '../../shared/events/lifecycle.ts';
import { Failure, failureFrom } from '../../shared/failure.ts';
import { withoutMarks } from '../../shared/redact/redact.ts';
import type { EventLog } from '../log/eventLog.ts';
import { callInDoubt, type PickUp } from './beginEpisode.ts';
import type { RunBudgets } from './budget.ts';
import { usedTime } from './episodeTime.ts';
import {
  breakOff,
  cancelOpen,
  type Hindrance,
  interrupt,
  ranUntilOf,
  type RestartDependencies,
  runHindrance,
  waitsBecause,
  wasStopped,
} from './restart.ts';
import { NO_APPROVAL, type RunSpec } from './stage.ts';
import { CONTINUE_RETRIES } from './startRetries.ts';
import type { Supervisor } from './supervisor.ts';

type ContinueDependencies = Omit<RestartDependencies, 'mode'> & {
  supervisor: Supervisor;
  runBudgets: RunBudgets;
};

/** Goes on with an episode, with so much of its time used as the log tells. */
function continueWith(
  { log, supervisor, runBudgets }: ContinueDependencies,
  id: string,
  { by = SYSTEM, mayWait }: { by?: Actor; mayWait: boolean },
): Promise<EpisodeRecord> {
  const record = log.record(id);
  const ranUntil = ranUntilOf(record);
  const pickUp: PickUp = {
    attempt: record.restarts.length + 1,
    by,
    mayWait,
    ran_until: ranUntil,
    used_ms: usedTime(log, record, ranUntil),
  };
  const runBudget = runBudgets.again(record);
  return supervisor.continueEpisode(
    id,
    { ...sameSpec(record), ...(runBudget === null ? {} : { runBudget }) },
    pickUp,
  );
}

const sameSpec = (record: EpisodeRecord): RunSpec => {
  const spec = sameRun(record);
  return { ...spec, reset: withoutMarks(spec.reset), startRetries: CONTINUE_RETRIES };
};

/** Null where it cannot go on: it has ended then, and says why. */
export type Adopt = (id: string) => { id: string; ended: Promise<EpisodeRecord> } | null;

/** For what runs many episodes and is begun again: it takes over those of its own that a killed program left open. */
export const createAdopt =
  (parts: ContinueDependencies): Adopt =>
  (id) => {
    const live = parts.supervisor.ending(id);
    if (live !== null) return { id, ended: live };
    const record = parts.log.record(id);
    const hindrance = wasStopped(record) ? {} : adoptHindrance(parts, record);
    if (hindrance === null) return { id, ended: continueWith(parts, id, { mayWait: false }) };
    interrupt(parts.log, id, hindrance);
    return null;
  };

/** Ends what would wait for a person elsewhere: a runner of many makes it anew. */
function adoptHindrance(parts: ContinueDependencies, record: EpisodeRecord): Hindrance | null {
  const { started } = record;
  if (started === null || started.source !== 'run') return {};
  const waits = waitsBecause(parts, record);
  if (waits !== null) return waits.reason === null ? {} : { reason: waits.reason };
  const doubt = callInDoubt(record, started);
  if (doubt?.became === 'held') {
    const call = `${doubt.tool_name} of turn ${String(doubt.turn)}`;
    return {
      reason: `${call} was sent before Interject ended, and its answer is lost: nobody is asked here whether it is sent again`,
    };
  }
  return runHindrance(parts, record, started);
}

export type Continuing = {
  /** Each goes on, or waits for a person's word. */
  all: (ids: readonly string[]) => void;
  /** Throws `not_found`, `bad_input` or `model_not_configured`; does nothing where it goes on already. */
  byWord: (id: string, by: Actor) => void;
  /** It ends as interrupted. Throws `not_found`. */
  end: (id: string, by: Actor) => void;
  /** Stops one that waits for a person's word; false where it does not. */
  stop: (id: string, by: Actor, reason: string | null) => boolean;
};

export function createContinuing(parts: ContinueDependencies): Continuing {
  const { log, supervisor } = parts;
  return {
    all: (ids) => {
      for (const id of ids) {
        const record = log.record(id);
        const waits = waitsBecause(parts, record);
        if (waits === null) void continueWith(parts, id, { mayWait: true });
        else noteWaiting(log, record, waits.reason);
      }
    },
    byWord: (id, by) => {
      if (supervisor.ending(id) !== null) return;
      const record = brokenOff(parts, id);
      checkSecrets(record, { next: 'Let it be, and start its task again with the secret.' });
      const hindrance = record.started === null ? null : runHindrance(parts, record, record.started);
      if (hindrance !== null) throw failureOf(hindrance);
      log.checkWritable();
      void continueWith(parts, id, { by, mayWait: true });
    },
    end: (id, by) => {
      brokenOff(parts, id);
      interrupt(log, id, { reason: 'Interject ended before the episode did, and a person let it be', by });
    },
    stop: (id, by, reason) => {
      const { brokeOff, ended } = log.record(id);
      if (brokeOff === null || ended !== null || supervisor.ending(id) !== null) return false;
      log.append(id, by, { kind: 'stop.requested', reason });
      cancelOpen(log, id, 'the episode was stopped');
      log.append(id, SYSTEM, endedWithoutVerdict('stopped', 'stopped'));
      return true;
    },
  };
}

/** Once; again where it waits for another reason than the one that a person reads. */
function noteWaiting(log: EventLog, record: EpisodeRecord, reason: string | null): void {
  const { id, brokeOff } = record;
  if (brokeOff === null || (reason !== null && reason !== brokeOff.reason))
    breakOff(log, id, { ranUntil: ranUntilOf(record), reason });
}

function brokenOff({ log, supervisor }: ContinueDependencies, id: string): EpisodeRecord {
  const record = log.record(id);
  if (record.brokeOff !== null && record.ended === null && supervisor.ending(id) === null) return record;
  throw new Failure('not_found', `episode ${id} does not wait to go on`, {
    next: 'It may have gone on or ended just now.',
  });
}

function failureOf({ reason, failure }: Hindrance): Failure {
  if (failure === undefined)
    return new Failure('bad_input', reason ?? 'the episode cannot go on', {
      next: 'Let it be, then resume it as a new episode.',
    });
  return failureFrom(failure);
}

// The run an episode was started as, read from its log: what a fork, a resumed episode or the same episode goes on with.
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
    ...(started.limits_from === undefined ? {} : { limitSources: started.limits_from }),
    ...(started.effect === undefined ? {} : { effect: started.effect }),
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
function sameRun(record: EpisodeRecord): RunSpec {
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
