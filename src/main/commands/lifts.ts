// What answers were worth: planned in the log before anything runs, run a few continuations at a time, gone on with after
// a stop, and read from the continuations themselves.
import { canonical } from '../../shared/canonical.ts';
import { SYSTEM } from '../../shared/events/actor.ts';
import { LIFT_STREAM, liftStream } from '../../shared/events/lift.ts';
import { Failure } from '../../shared/failure.ts';
import {
  cellsOfLift,
  liftCellKey,
  type LiftCell,
  type LiftPlan,
  type LiftRequest,
} from '../../shared/lift/plan.ts';
import { summarizeLift, type Continuation } from '../../shared/lift/summarize.ts';
import type { LiftSummary } from '../../shared/lift/summary.ts';
import { seededRandom, shuffled } from '../../shared/statistics/random.ts';
import type { Adopt } from '../episode/goOn.ts';
import type { Supervisor } from '../episode/supervisor.ts';
import type { EventLog } from '../log/eventLog.ts';
import { drawPoints } from './liftPoints.ts';
import { liftSpec, observeContinuation, type ModelOfProfile } from './liftRun.ts';

export type LiftsDependencies = {
  log: EventLog;
  supervisor: Supervisor;
  /** Goes on with an episode that a killed program left open; null where it cannot, and has ended. */
  adopt: Adopt;
  modelOf: ModelOfProfile;
  clock: () => number;
  report: (thrown: unknown) => void;
};

/** `eta_s`: seconds until it is over at the pace so far; null where nothing ended yet. */
export type LiftProgress = { planned: number; finished: number; excluded: number; eta_s: number | null };
type RunOptions = {
  concurrency: number;
  onEnded?: (one: Continuation, progress: LiftProgress) => void;
};

export type Lifts = {
  /** The plan of this name as it was fixed, else a new one, which is not in the log yet. Throws `bad_input`, `not_found`. */
  plan(name: string, request: LiftRequest): LiftPlan;
  /** Fixes the plan and runs what is not over. Resolves when nothing of it runs any more. */
  run(plan: LiftPlan, options: RunOptions): { ended: Promise<void>; stop: () => void };
  /** `summary` is null until every continuation is over. Throws `not_found`. */
  show(name: string): { plan: LiftPlan; progress: LiftProgress; summary: LiftSummary | null };
  close(): Promise<void>;
};

type Running = { ended: Promise<void>; stop: () => void };

export function createLifts(parts: LiftsDependencies): Lifts {
  const { log } = parts;
  const running = new Set<Running>();
  return {
    plan: (name, request) => planLift(log, name, request),
    run: (plan, options) => {
      const begun = begin(parts, plan, options);
      running.add(begun);
      return { stop: begun.stop, ended: begun.ended.finally(() => running.delete(begun)) };
    },
    show: (name) => {
      const found = liftNamed(log, name);
      if (found !== null) return found;
      throw new Failure('not_found', `there is no lift ${name} in this data folder`);
    },
    close: async () => {
      for (const { stop } of running) stop();
      await Promise.all([...running].map(({ ended }) => ended.catch(parts.report)));
    },
  };
}

/** The plan of this name as it was fixed, else a new one, which is not in the log yet. Throws `bad_input`, `not_found`. */
export function planLift(log: EventLog, name: string, request: LiftRequest): LiftPlan {
  const known = plannedAs(log, name);
  if (known === null) {
    checkName(log, name);
    return { name, request, ...drawPoints(log, request) };
  }
  if (canonical(known.request) === canonical(request)) return known;
  const fields = Object.keys(request) as (keyof LiftRequest)[];
  const differing = fields.filter((field) => canonical(known.request[field]) !== canonical(request[field]));
  throw new Failure('bad_input', `the lift ${name} was planned with other ${differing.join(', ')}`, {
    next: 'What is measured is fixed before it runs. Choose another --name, or ask for the same again.',
  });
}

/** The lift of this name as the log has it; null where there is none. */
export function liftNamed(log: EventLog, name: string): ReturnType<Lifts['show']> | null {
  const plan = plannedAs(log, name);
  if (plan === null) return null;
  const observed = observedOf(log, plan);
  const progress = progressOf(plan, observed, null);
  const isOver = progress.finished === progress.planned;
  const summary = isOver ? summarizeLift(plan, [...observed.values()]) : null;
  return { plan, progress, summary };
}

function plannedAs(log: EventLog, name: string): LiftPlan | null {
  const planned = log
    .read(LIFT_STREAM)
    .flatMap(({ event }) => (event.kind === 'lift.planned' ? [event.plan] : []));
  return planned.find((plan) => plan.name === name) ?? null;
}

function begin(parts: LiftsDependencies, plan: LiftPlan, { concurrency, onEnded }: RunOptions): Running {
  const { log, supervisor, clock } = parts;
  // Every start is checked before the plan is written and the first continuation begins.
  for (const point of plan.points)
    liftSpec(log.record(point.episode), plan, { point, arm: 'with', number: 1 }, parts.modelOf);
  if (plannedAs(log, plan.name) === null) log.append(LIFT_STREAM, SYSTEM, { kind: 'lift.planned', plan });
  const observed = observedOf(log, plan);
  const order = shuffled(cellsOfLift(plan), seededRandom(`order ${String(plan.request.seed)}`));
  const todo = order.filter((cell) => !isOver(observed.get(keyOf(cell))));
  const pace = { startedAt: clock(), before: order.length - todo.length, clock };
  const live = new Set<string>();
  let isStopping = false;
  const work = async (): Promise<void> => {
    for (let cell = todo.shift(); cell !== undefined && !isStopping; cell = todo.shift()) {
      const open = openOf(log, plan, keyOf(cell));
      const adopted = open === null ? null : parts.adopt(open);
      const { id, ended } =
        adopted ??
        supervisor.start(liftSpec(log.record(cell.point.episode), plan, cell, parts.modelOf), {
          isStartedAgain: true,
        });
      live.add(id);
      const record = await ended;
      live.delete(id);
      const one = observeContinuation(record, (text) => log.texts.loadText(text));
      if (one === null) continue;
      observed.set(keyOf(cell), one);
      onEnded?.(one, progressOf(plan, observed, pace));
    }
  };
  const ended = Promise.all(Array.from({ length: concurrency }, work)).then(() =>
    noteMeasured(log, plan, observed),
  );
  const stop = (): void => {
    isStopping = true;
    for (const id of live) supervisor.stop(id, SYSTEM, 'the measurement was stopped');
  };
  return { ended, stop };
}

/** The continuation of this key that has not ended, where there is one: a program was killed in it. */
const openOf = (log: EventLog, { name }: LiftPlan, key: string): string | null =>
  log.projections.open().find((id) => {
    const { lift } = log.record(id).started ?? {};
    return lift?.lift === name && liftCellKey(lift.consultation, lift.arm, lift.number) === key;
  }) ?? null;

const keyOf = ({ point, arm, number }: LiftCell): string => liftCellKey(point.consultation, arm, number);

export const continuationKey = ({ consultation, arm, number }: Continuation): string =>
  liftCellKey(consultation, arm, number);

const isOver = (one: Continuation | undefined): boolean =>
  one !== undefined && one.exclusion !== 'not_finished';

/** Once all of it is over, what each answer was worth is written beside its episode, once. */
function noteMeasured(log: EventLog, plan: LiftPlan, observed: ReadonlyMap<string, Continuation>): void {
  const summary = summarizeLift(plan, [...observed.values()]);
  if (!summary.is_complete) return;
  const { models, is_rehearsal: isRehearsal } = summary.agent;
  const agent = models.length > 0 ? models.join(', ') : isRehearsal ? 'rehearsal' : null;
  for (const measured of summary.interventions) {
    const stream = liftStream(measured.episode);
    const isNoted = log
      .read(stream)
      .some(({ event }) => event.kind === 'lift.measured' && event.lift === plan.name);
    if (!isNoted) log.append(stream, SYSTEM, { kind: 'lift.measured', lift: plan.name, agent, measured });
  }
}

const PAGE = 200;

/** The continuations of a plan by what they are; of several tries the one that is over, else the last. */
export function observedOf(log: EventLog, plan: LiftPlan): Map<string, Continuation> {
  const planned = new Set(cellsOfLift(plan).map(keyOf));
  const observed = new Map<string, Continuation>();
  for (const id of continuationsOf(log, plan.name)) {
    const record = log.record(id);
    if (record.started?.lift?.lift !== plan.name) continue;
    const one = observeContinuation(record, (text) => log.texts.loadText(text));
    if (one === null) continue;
    const key = continuationKey(one);
    if (planned.has(key) && !isOver(observed.get(key))) observed.set(key, one);
  }
  return observed;
}

/** Oldest first. */
function continuationsOf({ projections }: Pick<EventLog, 'projections'>, run: string): string[] {
  const ids: string[] = [];
  for (let offset = 0; ; offset += PAGE) {
    const { rows } = projections.episodes({
      query: '',
      status: 'ended',
      condition: null,
      filter: { run },
      offset,
      limit: PAGE,
    });
    ids.push(...rows.flatMap(({ id, lift_arm: arm }) => (arm === undefined ? [] : [id])));
    if (rows.length < PAGE) return ids.toReversed();
  }
}

/** The name is that of a run: episodes of another one would stand among the continuations. Throws `bad_input`. */
function checkName({ projections }: Pick<EventLog, 'projections'>, run: string): void {
  const page = { query: '', status: null, condition: null, filter: { run }, offset: 0, limit: 1 };
  if (projections.episodes(page).total === 0) return;
  throw new Failure('bad_input', `there is a run named ${run} already`, { next: 'Choose another --name.' });
}

type Pace = { startedAt: number; before: number; clock: () => number };

export function progressOf(
  plan: LiftPlan,
  observed: ReadonlyMap<string, Continuation>,
  pace: Pace | null,
): LiftProgress {
  const all = [...observed.values()];
  const planned = cellsOfLift(plan).length;
  const finished = all.filter(isOver).length;
  const done = pace === null ? 0 : finished - pace.before;
  const eta_s =
    pace === null || done <= 0
      ? null
      : Math.round((((pace.clock() - pace.startedAt) / done) * (planned - finished)) / 1000);
  return {
    planned,
    finished,
    excluded: all.filter((one) => isOver(one) && one.exclusion !== null).length,
    eta_s,
  };
}
