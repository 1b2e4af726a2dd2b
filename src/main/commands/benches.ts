// Benches: planned in the log before anything runs, run a few episodes at a time, gone on with after a stop, and read from
// the episodes themselves.
import { cellsOf, checkPlan, type BenchCell, type BenchPlan } from '../../shared/bench/plan.ts';
import { planDifferences } from '../../shared/bench/planDifference.ts';
import { reportOf } from '../../shared/bench/report.ts';
import { summarize } from '../../shared/bench/summarize.ts';
import type { Observed } from '../../shared/bench/observed.ts';
import type { BenchSummary } from '../../shared/bench/summary.ts';
import type { BenchProgress, BenchRow, BenchState } from '../../shared/contract/bench.ts';
import type { Handlers, Inputs } from '../../shared/contract/contract.ts';
import { SYSTEM } from '../../shared/events/actor.ts';
import { BENCH_STREAM } from '../../shared/events/bench.ts';
import { mayAsk } from '../../shared/events/lifecycle.ts';
import { Failure } from '../../shared/failure.ts';
import { seededRandom, shuffled } from '../../shared/statistics/random.ts';
import type { Adopt } from '../episode/goOn.ts';
import type { RunSpec } from '../episode/runEpisode.ts';
import type { Supervisor } from '../episode/supervisor.ts';
import type { EventLog } from '../log/eventLog.ts';
import type { SettingsStore } from '../settings/settings.ts';
import { checkAdvisors, checkRoster } from './benchPlan.ts';
import { benchStart } from './benchStart.ts';
import { observedOf, type ObservedCells } from './benchCells.ts';

export type BenchesDependencies = {
  log: EventLog;
  supervisor: Supervisor;
  /** Goes on with an episode that a killed program left open; null where it cannot, and has ended. */
  adopt: Adopt;
  runSpecs: (start: Inputs['episode.start']) => RunSpec[];
  /** Who may be asked now. */
  roster: SettingsStore['roster'];
  /** Whether a model is set that may advise. */
  hasExpertModel: () => boolean;
  clock: () => number;
  report: (thrown: unknown) => void;
};

export type Benches = {
  handlers: Pick<Handlers, 'bench.start' | 'bench.resume' | 'bench.stop' | 'bench.list' | 'bench.show'>;
  /** Plans and runs it. Resolves when nothing of it runs any more. Throws `bad_input` before anything starts. */
  run(plan: BenchPlan, options: RunOptions): { ended: Promise<void>; stop: () => void };
  /** Throws `not_found`. */
  show(name: string): {
    plan: BenchPlan;
    state: BenchState;
    progress: BenchProgress;
    summary: BenchSummary | null;
  };
  close(): Promise<void>;
};
type RunOptions = { concurrency: number; onEnded?: (one: Observed, progress: BenchProgress) => void };
type Running = {
  ended: Promise<void>;
  stop: () => void;
  startedAt: number;
  before: number;
  live: Set<string>;
};

export function createBenches(parts: BenchesDependencies): Benches {
  const { log, report } = parts;
  const running = new Map<string, Running>();
  const cells = observedOf(log);
  const run: Benches['run'] = (plan, options) => {
    if (running.has(plan.name)) throw new Failure('bad_input', `the bench ${plan.name} is running`);
    const begun = begin(parts, cells, plan, options);
    running.set(plan.name, begun);
    const ended = begun.ended.finally(() => running.delete(plan.name));
    return { ended, stop: begun.stop };
  };
  const progressIn = (plan: BenchPlan): BenchProgress =>
    progressOf(cells.of(plan), plan, running.get(plan.name) ?? null, parts);
  const show: Benches['show'] = (name) => {
    const { plan } = plannedAs(log, name);
    const progress = progressIn(plan);
    const state = stateOf(progress, running.has(name));
    const summary = state === 'complete' ? summarize(plan, [...cells.of(plan).values()]) : null;
    return { plan, state, progress, summary };
  };
  return {
    run,
    show,
    handlers: {
      'bench.start': async ({ plan, concurrency }) => {
        run(plan, { concurrency }).ended.catch(report);
        return { name: plan.name };
      },
      'bench.resume': async ({ name, concurrency }) => {
        run(plannedAs(log, name).plan, { concurrency }).ended.catch(report);
        return { name };
      },
      'bench.stop': async ({ name }) => {
        const found = running.get(name);
        found?.stop();
        await found?.ended;
        return {};
      },
      'bench.list': async () => {
        const benches: BenchRow[] = [];
        for (const planned of allPlanned(log).toReversed()) {
          await cells.load(planned.plan);
          benches.push(rowOf(planned, progressIn(planned.plan), running.has(planned.plan.name)));
        }
        return { benches };
      },
      'bench.show': async ({ name }) => {
        await cells.load(plannedAs(log, name).plan);
        const shown = show(name);
        return { ...shown, report: shown.summary === null ? null : reportOf(shown.summary) };
      },
    },
    close: async () => {
      for (const { stop } of running.values()) stop();
      await Promise.all([...running.values()].map(({ ended }) => ended.catch(report)));
    },
  };
}

const stateOf = ({ planned, finished }: BenchProgress, isRunning: boolean): BenchState =>
  isRunning ? 'running' : finished === planned ? 'complete' : 'stopped';

type Planned = { plan: BenchPlan; at: number };

const rowOf = ({ plan, at }: Planned, progress: BenchProgress, isRunning: boolean): BenchRow => ({
  name: plan.name,
  planned_at: at,
  state: stateOf(progress, isRunning),
  arms: plan.arms.map(({ arm }) => arm),
  tasks: plan.tasks.length,
  seeds: plan.seeds.length,
  progress,
});

const allPlanned = (log: EventLog): Planned[] =>
  log
    .read(BENCH_STREAM)
    .flatMap(({ event, at }) => (event.kind === 'bench.planned' ? [{ plan: event.plan, at }] : []));

function plannedAs(log: EventLog, name: string): Planned {
  const found = allPlanned(log).find(({ plan }) => plan.name === name);
  if (found !== undefined) return found;
  throw new Failure('not_found', `there is no bench ${name} in this data folder`);
}

/** The bench of this name as the log has it, with its result once it is over; null where there is none. */
export function benchNamed(
  log: EventLog,
  name: string,
): { progress: BenchProgress; summary: BenchSummary | null } | null {
  const plan = allPlanned(log).find((one) => one.plan.name === name)?.plan;
  if (plan === undefined) return null;
  const observed = observedOf(log).of(plan);
  const progress = progressOf(observed, plan, null, { log, clock: () => 0 });
  const isOver = progress.finished === progress.planned;
  return { progress, summary: isOver ? summarize(plan, [...observed.values()]) : null };
}

/** A name stands for one plan: its episodes would mean two things otherwise. */
function notePlan({ log }: BenchesDependencies, plan: BenchPlan): void {
  const known = allPlanned(log).find((one) => one.plan.name === plan.name);
  if (known === undefined) {
    log.append(BENCH_STREAM, SYSTEM, { kind: 'bench.planned', plan });
    return;
  }
  const differing = planDifferences(known.plan, plan);
  if (differing.length === 0) return;
  throw new Failure('bad_input', `the bench ${plan.name} was planned with other ${differing.join(', ')}`, {
    next: 'What a bench compares is fixed before it runs. Choose another name, or ask for the same again.',
  });
}

function begin(
  parts: BenchesDependencies,
  cells: ObservedCells,
  plan: BenchPlan,
  { concurrency, onEnded }: RunOptions,
): Running {
  checkPlan(plan);
  checkAdvisors(plan, parts.hasExpertModel());
  const starts = new Map(plan.arms.map((arm) => [arm.arm, benchStart(plan, arm)]));
  const specOf = (cell: BenchCell): RunSpec => {
    const start = starts.get(cell.arm)?.(cell);
    const [spec] = start === undefined ? [] : parts.runSpecs(start);
    if (spec === undefined) throw new Failure('internal', `there is no arm ${cell.arm}`);
    // The plan's, whatever the settings say by then.
    const experts = mayAsk(spec.condition) ? (plan.experts ?? null) : null;
    return { ...spec, experts, bench: { arm: cell.arm, is_key_withheld: !plan.is_privileged } };
  };
  const order = shuffled(cellsOf(plan), seededRandom(plan.order_seed));
  // Every start is checked before the plan is written and the first episode begins.
  for (const arm of plan.arms) specOf({ ...firstCell(plan), arm: arm.arm });
  checkRoster(plan, parts);
  notePlan(parts, plan);
  const todo = order.filter((cell) => !cells.isFinished(plan, cell));
  let isStopping = false;
  const live = new Set<string>();
  const begun: Running = {
    startedAt: parts.clock(),
    before: order.length - todo.length,
    live,
    stop: () => {
      isStopping = true;
      for (const id of live) parts.supervisor.stop(id, SYSTEM, 'the bench was stopped');
    },
    ended: Promise.resolve(),
  };
  const work = async (): Promise<void> => {
    for (let cell = todo.shift(); cell !== undefined && !isStopping; cell = todo.shift()) {
      const open = cells.openOf(plan, cell);
      const adopted = open === null ? null : parts.adopt(open);
      const { id, ended } = adopted ?? parts.supervisor.start(specOf(cell), { isStartedAgain: true });
      live.add(id);
      const record = await ended;
      live.delete(id);
      const observed = cells.note(plan, record);
      if (observed !== null) onEnded?.(observed, progressOf(cells.of(plan), plan, begun, parts));
    }
  };
  begun.ended = Promise.all(Array.from({ length: concurrency }, work)).then(() => undefined);
  return begun;
}

const firstCell = ({ tasks, seeds, arms }: BenchPlan): BenchCell => ({
  arm: arms[0]?.arm ?? '',
  scenario: tasks[0]?.[0] ?? '',
  task_idx: tasks[0]?.[1] ?? 0,
  seed: seeds[0] ?? 0,
});

export function progressOf(
  observed: ReadonlyMap<string, Observed>,
  plan: BenchPlan,
  running: Pick<Running, 'startedAt' | 'before' | 'live'> | null,
  { log, clock }: Pick<BenchesDependencies, 'log' | 'clock'>,
): BenchProgress {
  const planned = cellsOf(plan).length;
  const all = [...observed.values()];
  const finished = all.filter(({ exclusion }) => exclusion !== 'not_finished').length;
  const done = running === null ? 0 : finished - running.before;
  const waiting = running === null ? 0 : waitingForPeople(log, running.live);
  // The pace so far says nothing of when a person comes.
  const eta =
    running === null || done <= 0 || waiting > 0
      ? null
      : Math.round((((clock() - running.startedAt) / done) * (planned - finished)) / 1000);
  return {
    planned,
    finished,
    running: running?.live.size ?? 0,
    waiting,
    excluded: all.filter(({ exclusion }) => exclusion !== null && exclusion !== 'not_finished').length,
    eta_s: eta,
  };
}

/** More questions than this wait in no bench at once. */
const WAITING_MAX = 1_000;

function waitingForPeople({ projections }: EventLog, live: ReadonlySet<string>): number {
  if (live.size === 0) return 0;
  const items = [...projections.desk(WAITING_MAX).items, ...projections.holds(WAITING_MAX)];
  return new Set(items.flatMap(({ episode }) => (live.has(episode) ? [episode] : []))).size;
}
