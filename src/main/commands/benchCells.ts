// Which episodes of the log are which runs of a bench. What was taken of an ended episode is kept: it never changes.
import type { Observed } from '../../shared/bench/observed.ts';
import type { BenchCell, BenchPlan } from '../../shared/bench/plan.ts';
import { isFinished } from '../../shared/episode/phase.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import { normalizeScenario } from '../../shared/wire.ts';
import type { EventLog } from '../log/eventLog.ts';
import { observe } from './benchObserve.ts';
import { endedRows } from './runs.ts';

export type ObservedCells = {
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

/** Which run of the bench an episode is; null for none of it. */
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
