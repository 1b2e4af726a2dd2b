// Benches: planned in the log before anything runs, run a few episodes at a time, gone on with after a stop, and read from
// the episodes themselves.
import {
  type BenchCell,
  type BenchPlan,
  cellsOf,
  checkPlan,
  planDifferences,
  type PlannedArm,
} from '../../shared/bench/plan.ts';
import { reportOf } from '../../shared/bench/report.ts';
import { summarize } from '../../shared/bench/summarize.ts';
import type { Observed } from '../../shared/bench/observed.ts';
import type { BenchSummary } from '../../shared/bench/summary.ts';
import type { BenchRow, BenchState } from '../../shared/contract/bench.ts';
import type { Handlers, Inputs } from '../../shared/contract/contract.ts';
import type { RunProgress } from '../../shared/contract/runs.ts';
import { SYSTEM } from '../../shared/events/actor.ts';
import { BENCH_STREAM } from '../../shared/events/library.ts';
import { hasPerson, mayAsk } from '../../shared/conditions.ts';
import { Failure } from '../../shared/failure.ts';
import { seededRandom, shuffled } from '../../shared/statistics/random.ts';
import type { Adopt } from '../episode/continueEpisode.ts';
import type { RunSpec } from '../episode/stage.ts';
import type { Supervisor } from '../episode/supervisor.ts';
import type { EventLog } from '../log/eventLog.ts';
import type { SettingsStore } from '../settings/settings.ts';
import { checkAdvisors, checkRoster } from './benchFolder.ts';
import { endedRows, type Pace, progressAt, type Runs } from './runs.ts';
import { isFinished } from '../../shared/episode/phase.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import { normalizeScenario } from '../../shared/wire.ts';
import { observe } from './benchObserve.ts';
import { StartEpisode } from '../../shared/contract/areas.ts';

type BenchesDependencies = {
  log: EventLog;
  supervisor: Supervisor;
  /** Goes on with an episode that a killed program left open; null where it cannot, and has ended. */
  adopt: Adopt;
  runs: Pick<Runs, 'play' | 'pace'>;
  runSpecs: (start: Inputs['episode.start']) => RunSpec[];
  /** Who may be asked now. */
  roster: SettingsStore['roster'];
  /** Whether a model is set that may advise. */
  hasExpertModel: () => boolean;
  clock: () => number;
  report: (thrown: unknown) => void;
};

export type Benches = {
  handlers: Pick<Handlers, 'bench.start' | 'bench.list' | 'bench.show'>;
  /** Plans and plays it. Resolves when nothing of it plays any more. Throws `bad_input` before anything starts. */
  run(plan: BenchPlan, options: { concurrency: number }): Promise<void>;
  /** Throws `not_found`. */
  show(name: string): {
    plan: BenchPlan;
    state: BenchState;
    progress: RunProgress;
    summary: BenchSummary | null;
  };
};

export function createBenches(parts: BenchesDependencies): Benches {
  const { log, report, runs } = parts;
  const cells = observedOf(log);
  const run: Benches['run'] = (plan, options) => begin(parts, cells, plan, options);
  const progressIn = (plan: BenchPlan): RunProgress =>
    progressOf(cells.of(plan), plan, runs.pace(plan.name), parts);
  const stateIn = ({ name }: BenchPlan, { finished, planned }: RunProgress): BenchState =>
    runs.pace(name) !== null ? 'running' : finished === planned ? 'complete' : 'stopped';
  const show: Benches['show'] = (name) => {
    const { plan } = plannedAs(log, name);
    const progress = progressIn(plan);
    const state = stateIn(plan, progress);
    const summary = state === 'complete' ? summarize(plan, [...cells.of(plan).values()]) : null;
    return { plan, state, progress, summary };
  };
  return {
    run,
    show,
    handlers: {
      'bench.start': async ({ concurrency, ...which }) => {
        const plan = 'plan' in which ? which.plan : plannedAs(log, which.name).plan;
        run(plan, { concurrency }).catch(report);
        return { name: plan.name };
      },
      'bench.list': async () => {
        const benches: BenchRow[] = [];
        for (const { plan, at } of allPlanned(log).toReversed()) {
          await cells.load(plan);
          const progress = progressIn(plan);
          benches.push({
            name: plan.name,
            planned_at: at,
            state: stateIn(plan, progress),
            arms: plan.arms.map(({ arm }) => arm),
            tasks: plan.tasks.length,
            seeds: plan.seeds.length,
            progress,
          });
        }
        return { benches };
      },
      'bench.show': async ({ name }) => {
        await cells.load(plannedAs(log, name).plan);
        const shown = show(name);
        return { ...shown, report: shown.summary === null ? null : reportOf(shown.summary) };
      },
    },
  };
}

type Planned = { plan: BenchPlan; at: number };

const allPlanned = (log: EventLog): Planned[] =>
  log
    .read(BENCH_STREAM)
    .flatMap(({ event, at }) => (event.kind === 'bench.planned' ? [{ plan: event.plan, at }] : []));

function plannedAs(log: EventLog, name: string): Planned {
  const found = allPlanned(log).find(({ plan }) => plan.name === name);
  if (found !== undefined) return found;
  throw new Failure('not_found', `there is no bench ${name} in this data folder`);
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
  { concurrency }: { concurrency: number },
): Promise<void> {
  if (parts.runs.pace(plan.name) !== null)
    throw new Failure('bad_input', `the bench ${plan.name} is running`);
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
  return parts.runs.play({
    run: plan.name,
    concurrency,
    episodes: todo.map((cell) => () => {
      const open = cells.openOf(plan, cell);
      const adopted = open === null ? null : parts.adopt(open);
      return adopted ?? parts.supervisor.start(specOf(cell), { isStartedAgain: true });
    }),
    ended: (record) => void cells.note(plan, record),
    progress: (pace) => progressOf(cells.of(plan), plan, pace, parts),
  });
}

const firstCell = ({ tasks, seeds, arms }: BenchPlan): BenchCell => ({
  arm: arms[0]?.arm ?? '',
  scenario: tasks[0]?.[0] ?? '',
  task_idx: tasks[0]?.[1] ?? 0,
  seed: seeds[0] ?? 0,
});

function progressOf(
  observed: ReadonlyMap<string, Observed>,
  plan: BenchPlan,
  pace: Pace | null,
  { log, clock }: Pick<BenchesDependencies, 'log' | 'clock'>,
): RunProgress {
  const all = [...observed.values()];
  const planned = cellsOf(plan).length;
  const finished = all.filter(({ exclusion }) => exclusion !== 'not_finished').length;
  const excluded = all.filter(({ exclusion }) => exclusion !== null && exclusion !== 'not_finished').length;
  return progressAt(log, { planned, finished, excluded }, pace, clock());
}

type ObservedCells = {
  /** Reads what there is of a plan a few episodes at a time, so that others have their turn. */
  load(plan: BenchPlan): Promise<void>;
  /** What there is of each run, by its key: of several tries the one that finished, else the last. */
  of(plan: BenchPlan): ReadonlyMap<string, Observed>;
  /** Whether it need not be run again: it ended `done` or `limit`. */
  isFinished(plan: BenchPlan, cell: BenchCell): boolean;
  /** The episode of a run that has not ended, where there is one: a program was killed in it. */
  openOf(plan: BenchPlan, cell: BenchCell): string | null;
  /** Takes what an episode came to; null for one that never began. */
  note(plan: BenchPlan, record: EpisodeRecord): Observed | null;
};

type Kept = { observed: Map<string, Observed>; finished: Set<string> };

/** Folding records holds the loop: others get their turn after so many. */
const RECORDS_AT_ONCE = 20;

const keyOf = ({ arm, scenario, task_idx, seed }: BenchCell): string =>
  JSON.stringify([arm, normalizeScenario(scenario), task_idx, seed]);

export function observedOf(log: EventLog): ObservedCells {
  const benches = new Map<string, Kept>();
  const read = (plan: BenchPlan): Kept => {
    const known = benches.get(plan.name);
    if (known !== undefined) return known;
    const kept: Kept = { observed: new Map(), finished: new Set() };
    benches.set(plan.name, kept);
    for (const id of episodesOf(log, plan.name)) take(log, kept, plan, log.record(id));
    return kept;
  };
  const load: ObservedCells['load'] = async (plan) => {
    const kept: Kept = { observed: new Map(), finished: new Set() };
    for (const [at, id] of episodesOf(log, plan.name).entries()) {
      if (benches.has(plan.name)) return;
      take(log, kept, plan, log.record(id));
      if (at % RECORDS_AT_ONCE === 0) await new Promise<void>((go) => setImmediate(go));
    }
    if (!benches.has(plan.name)) benches.set(plan.name, kept);
  };
  return {
    load,
    of: (plan) => read(plan).observed,
    isFinished: (plan, cell) => read(plan).finished.has(keyOf(cell)),
    openOf: (plan, cell) => {
      const key = keyOf(cell);
      return (
        log.projections.open().find((id) => {
          const record = log.record(id);
          const isOfPlan = record.started?.trainer?.run === plan.name;
          const found = isOfPlan ? cellOf(plan, record) : null;
          return found !== null && keyOf(found) === key;
        }) ?? null
      );
    },
    note: (plan, record) => take(log, read(plan), plan, record),
  };
}

function take(
  { texts }: Pick<EventLog, 'texts'>,
  { observed, finished }: Kept,
  plan: BenchPlan,
  record: EpisodeRecord,
): Observed | null {
  const { ended } = record;
  const cell = ended === null ? null : cellOf(plan, record);
  if (ended === null || cell === null) return null;
  const key = keyOf(cell);
  if (finished.has(key)) return null;
  const found = observe(record, cell, {
    keepsPrompt: cell.seed === plan.seeds[0],
    loadText: (text) => texts.loadText(text),
  });
  observed.set(key, found);
  if (isFinished(ended.outcome)) finished.add(key);
  return found;
}

/** The cell that an episode fills; null for none of the bench. */
function cellOf(plan: BenchPlan, { started }: EpisodeRecord): BenchCell | null {
  if (started?.bench === undefined) return null;
  const task = plan.tasks.find(
    ([scenario, task_idx]) =>
      task_idx === started.task_idx &&
      normalizeScenario(scenario) === normalizeScenario(started.scenario ?? ''),
  );
  const isPlanned = plan.arms.some(({ arm }) => arm === started.bench?.arm);
  if (task === undefined || !isPlanned || !plan.seeds.includes(started.seed ?? Number.NaN)) return null;
  return { arm: started.bench.arm, scenario: task[0], task_idx: task[1], seed: started.seed ?? 0 };
}

/** Oldest first, so that a later try replaces an earlier one. */
const episodesOf = (log: EventLog, run: string): string[] =>
  [...endedRows(log, run)].map(({ id }) => id).toReversed();

/** Starts that failed for a moment are tried again so often. */
const START_RETRIES = 4;

const benchStart =
  (plan: BenchPlan, { condition, agent }: PlannedArm) =>
  ({ scenario, task_idx, seed }: BenchCell): StartEpisode =>
    StartEpisode.parse({
      environment: plan.environment,
      scenario,
      task_idx,
      agent,
      condition,
      deadline_ms: plan.deadline_ms,
      // There is no draft to fall back on where none is made.
      fallback: plan.fallback === 'draft' && condition === 'human' ? 'proceed' : plan.fallback,
      seed,
      repeats: 1,
      limits: {
        ...(plan.turns === null ? {} : { turns: plan.turns }),
        ...(plan.asks === null ? {} : { consultations: plan.asks }),
      },
      reset: {},
      is_blinded: true,
      run: plan.name,
      start_retries: START_RETRIES,
      ...(plan.hourly_minutes === null || !hasPerson(condition)
        ? {}
        : { admission: { share: null, capacity: null, hourly_minutes: plan.hourly_minutes } }),
    });
