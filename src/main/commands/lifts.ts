// What answers were worth: planned in the log before anything runs, run a few continuations at a time, gone on with after
// a stop, and read from the continuations themselves.
import { canonical } from '../../shared/canonical.ts';
import { SYSTEM } from '../../shared/events/actor.ts';
import { LIFT_STREAM, liftStream } from '../../shared/events/library.ts';
import { Failure } from '../../shared/failure.ts';
import {
  cellsOfLift,
  liftCellKey,
  type LiftCell,
  type LiftPlan,
  type LiftRequest,
} from '../../shared/lift/plan.ts';
import { summarizeLift, type Continuation } from '../../shared/lift/summarize.ts';
import { seededRandom, shuffled } from '../../shared/statistics/random.ts';
import type { Handlers } from '../../shared/contract/contract.ts';
import type { RunProgress } from '../../shared/contract/runs.ts';
import type { Adopt } from '../episode/goOn.ts';
import type { Supervisor } from '../episode/supervisor.ts';
import type { EventLog } from '../log/eventLog.ts';
import { drawPoints } from './liftPoints.ts';
import { liftSpec, observeContinuation, type ModelOfProfile } from './liftRun.ts';
import { endedRows, progressAt, type Pace, type Runs } from './runs.ts';

type LiftsDependencies = {
  log: EventLog;
  supervisor: Supervisor;
  /** Goes on with an episode that a killed program left open; null where it cannot, and has ended. */
  adopt: Adopt;
  runs: Pick<Runs, 'play' | 'pace'>;
  modelOf: ModelOfProfile;
  clock: () => number;
  report: (thrown: unknown) => void;
};

export function liftCommands(parts: LiftsDependencies): Pick<Handlers, 'lift.start' | 'lift.show'> {
  const { log, runs, clock, report } = parts;
  return {
    'lift.start': async ({ name, request, concurrency }) => {
      const plan = planLift(log, name, request);
      begin(parts, plan, concurrency).catch(report);
      return { plan, planned: cellsOfLift(plan).length };
    },
    'lift.show': async ({ name }) => {
      const plan = plannedAs(log, name);
      if (plan === null) throw new Failure('not_found', `there is no lift ${name} in this data folder`);
      const observed = observedOf(log, plan);
      const progress = progressOf(plan, observed, { log, pace: runs.pace(name), now: clock() });
      const isOver = progress.finished === progress.planned;
      return { plan, progress, summary: isOver ? summarizeLift(plan, [...observed.values()]) : null };
    },
  };
}

/** The plan of this name as it was fixed, else a new one, which is not in the log yet. Throws `bad_input`, `not_found`. */
function planLift(log: EventLog, name: string, request: LiftRequest): LiftPlan {
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

function plannedAs(log: EventLog, name: string): LiftPlan | null {
  const planned = log
    .read(LIFT_STREAM)
    .flatMap(({ event }) => (event.kind === 'lift.planned' ? [event.plan] : []));
  return planned.find((plan) => plan.name === name) ?? null;
}

/** Fixes the plan and plays what is not over. Resolves when nothing of it plays any more. */
function begin(parts: LiftsDependencies, plan: LiftPlan, concurrency: number): Promise<void> {
  const { log, supervisor, runs, clock } = parts;
  if (runs.pace(plan.name) !== null) throw new Failure('bad_input', `the lift ${plan.name} is running`);
  // Every start is checked before the plan is written and the first continuation begins.
  for (const point of plan.points)
    liftSpec(log.record(point.episode), plan, { point, arm: 'with', number: 1 }, parts.modelOf);
  if (plannedAs(log, plan.name) === null) log.append(LIFT_STREAM, SYSTEM, { kind: 'lift.planned', plan });
  const observed = observedOf(log, plan);
  const order = shuffled(cellsOfLift(plan), seededRandom(`order ${String(plan.request.seed)}`));
  const todo = order.filter((cell) => !isOver(observed.get(keyOf(cell))));
  return runs.play({
    run: plan.name,
    concurrency,
    episodes: todo.map((cell) => () => {
      const open = openOf(log, plan, keyOf(cell));
      const adopted = open === null ? null : parts.adopt(open);
      if (adopted !== null) return adopted;
      const spec = liftSpec(log.record(cell.point.episode), plan, cell, parts.modelOf);
      return supervisor.start(spec, { isStartedAgain: true });
    }),
    ended: (record) => {
      const one = observeContinuation(record, (text) => log.texts.loadText(text));
      if (one !== null) observed.set(continuationKey(one), one);
    },
    after: () => noteMeasured(log, plan, observed),
    progress: (pace) => progressOf(plan, observed, { log, pace, now: clock() }),
  });
}

/** The continuation of this key that has not ended, where there is one: a program was killed in it. */
const openOf = (log: EventLog, { name }: LiftPlan, key: string): string | null =>
  log.projections.open().find((id) => {
    const { lift } = log.record(id).started ?? {};
    return lift?.lift === name && liftCellKey(lift.consultation, lift.arm, lift.number) === key;
  }) ?? null;

const keyOf = ({ point, arm, number }: LiftCell): string => liftCellKey(point.consultation, arm, number);

const continuationKey = ({ consultation, arm, number }: Continuation): string =>
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

/** The continuations of a plan by what they are; of several tries the one that is over, else the last. */
function observedOf(log: EventLog, plan: LiftPlan): Map<string, Continuation> {
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
const continuationsOf = (log: EventLog, run: string): string[] =>
  [...endedRows(log, run)].flatMap(({ id, lift_arm: arm }) => (arm === undefined ? [] : [id])).toReversed();

/** The name is that of a run: episodes of another one would stand among the continuations. Throws `bad_input`. */
function checkName({ projections }: Pick<EventLog, 'projections'>, run: string): void {
  const page = { query: '', status: null, condition: null, filter: { run }, offset: 0, limit: 1 };
  if (projections.episodes(page).total === 0) return;
  throw new Failure('bad_input', `there is a run named ${run} already`, { next: 'Choose another --name.' });
}

function progressOf(
  plan: LiftPlan,
  observed: ReadonlyMap<string, Continuation>,
  { log, pace, now }: { log: EventLog; pace: Pace | null; now: number },
): RunProgress {
  const over = [...observed.values()].filter(isOver);
  const planned = cellsOfLift(plan).length;
  const excluded = over.filter(({ exclusion }) => exclusion !== null).length;
  const finished = over.length;
  return progressAt(log, { planned, finished, excluded }, pace, now);
}
