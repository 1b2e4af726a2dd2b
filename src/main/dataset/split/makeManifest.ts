// The manifest of a split, in the form of the public recipe with more under `meta`. The same tasks and seed give the same
// bytes.
import { Failure } from '../../../shared/failure.ts';
import type { ListedTask } from '../../../shared/split.ts';
import { normalizeScenario } from '../../../shared/wire.ts';
import { chooseHeldOut, type SplitUnit } from './chooseTasks.ts';
import {
  DROP_WORDS,
  difficultyOf,
  difficultySource,
  type Difficulty,
  type DropCause,
  type ProbedTask,
} from './probed.ts';

export type SplitBy = 'scenario' | 'task';
export type DroppedTask = { scenario: string; task_idx: number; cause: DropCause };

export type SplitRequest = {
  tasks: readonly ProbedTask[];
  dropped: readonly DroppedTask[];
  /** Null: by scenario where there are several. */
  by: SplitBy | null;
  fraction: number;
  seed: number;
  /** The key of the environment. */
  environment: string;
  data: { repo: string; verifierFile: string } | null;
  /** Who was tried on the tasks, how often each; null where nobody was. */
  probe: { agent: string; rollouts: number } | null;
};

/** The first eleven are the public recipe's own. */
export type ManifestMeta = {
  prefixes: string[];
  verifier_mode: 'code';
  hf_repo_id: string | null;
  hf_repo_type: string | null;
  verifier_file: string | null;
  max_tasks: null;
  filtered: boolean;
  val_fraction: number;
  seed: number;
  num_train: number;
  num_val: number;
  /** The share of the tasks that came to be held out: a scenario that is a unit is not cut to meet `val_fraction`. */
  val_fraction_reached: number;
  /** The key of the environment whose scenarios these are. */
  environment: string;
  split_by: SplitBy;
  split_by_reason: string | null;
  stratified_by: string;
  num_candidates: number;
  dropped: Partial<Record<DropCause, number>>;
  dropped_tasks: [scenario: string, task_idx: number, cause: DropCause][];
  probe: { agent: string; rollouts: number; is_all_zero: boolean } | null;
  tasks: (ProbedTask & { difficulty: Difficulty })[];
};

export type Manifest = {
  meta: ManifestMeta;
  train: ListedTask[];
  val: ListedTask[];
};

/** Throws `bad_input` where there is too little to split. */
export function makeManifest(request: SplitRequest): Manifest {
  const { dropped, fraction, seed, environment, data, probe } = request;
  const tasks = request.tasks.toSorted(byAddress);
  const scenarios = [...new Set(tasks.map(({ scenario }) => scenario))];
  const { by, reason } = unitOf(request.by, scenarios.length);
  if (tasks.length < 2) throw tooFew(tasks.length, countCauses(dropped));
  const source = difficultySource(tasks);
  const keyOf = (task: ProbedTask): string =>
    by === 'scenario'
      ? normalizeScenario(task.scenario)
      : `${normalizeScenario(task.scenario)}\n${String(task.task_idx)}`;
  const units: SplitUnit[] = [...Map.groupBy(tasks, keyOf)].map(([key, members]) => ({
    key,
    stratum: difficultyOf(members, source),
  }));
  const heldOut = chooseHeldOut(units, { fraction, seed });
  const side = (isVal: boolean): ListedTask[] =>
    tasks
      .filter((task) => heldOut.has(keyOf(task)) === isVal)
      .map(({ scenario, task_idx }) => [scenario, task_idx]);
  const [train, val] = [side(false), side(true)];
  return {
    meta: {
      prefixes: scenarios,
      verifier_mode: 'code',
      hf_repo_id: data?.repo ?? null,
      hf_repo_type: data === null ? null : 'dataset',
      verifier_file: data?.verifierFile ?? null,
      max_tasks: null,
      filtered: true,
      val_fraction: fraction,
      seed,
      num_train: train.length,
      num_val: val.length,
      val_fraction_reached: Math.round((val.length / tasks.length) * 10_000) / 10_000,
      environment,
      split_by: by,
      split_by_reason: reason,
      stratified_by: source === 'none' ? 'nothing' : `${source} difficulty`,
      num_candidates: tasks.length + dropped.length,
      dropped: countCauses(dropped),
      dropped_tasks: dropped
        .toSorted(byAddress)
        .map(({ scenario, task_idx, cause }) => [scenario, task_idx, cause]),
      probe:
        probe === null ? null : { ...probe, is_all_zero: tasks.every(({ completed }) => completed === 0) },
      tasks: tasks.map((task) => ({ ...task, difficulty: difficultyOf([task], source) })),
    },
    train,
    val,
  };
}

function tooFew(left: number, dropped: ManifestMeta['dropped']): Failure {
  const causes = (Object.entries(dropped) as [DropCause, number][]).map(
    ([cause, count]) => `${String(count)} left out: ${DROP_WORDS[cause]} (${cause})`,
  );
  const why = causes.length === 0 ? '' : `; ${causes.join('; ')}`;
  return new Failure(
    'bad_input',
    `${String(left)} ${left === 1 ? 'task is' : 'tasks are'} left, and a split needs two${why}`,
    {
      next: 'Name more scenarios or tasks.',
    },
  );
}

/** Tasks of one scenario share its database: what is learnt on one of them helps with the others. */
function unitOf(asked: SplitBy | null, scenarios: number): { by: SplitBy; reason: string | null } {
  if (asked === 'task') return { by: 'task', reason: 'asked for' };
  if (scenarios > 1) return { by: 'scenario', reason: null };
  if (asked === null) {
    const reason =
      'there is one scenario only: its tasks share a database, so held-out tasks are new as tasks, not as data';
    return { by: 'task', reason };
  }
  throw new Failure('bad_input', 'one scenario cannot be split by scenario', {
    next: 'Name several scenarios, or say --by task.',
  });
}

function countCauses(dropped: readonly DroppedTask[]): ManifestMeta['dropped'] {
  const groups = [...Map.groupBy(dropped, ({ cause }) => cause)];
  return Object.fromEntries(
    groups.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([cause, { length }]) => [cause, length]),
  );
}

type Address = { scenario: string; task_idx: number };
const byAddress = (a: Address, b: Address): number =>
  a.scenario === b.scenario ? a.task_idx - b.task_idx : a.scenario < b.scenario ? -1 : 1;

/** Readable: a line for each task. */
export function manifestText({ meta, train, val }: Manifest): string {
  const list = (tasks: readonly unknown[], indent: string): string =>
    tasks.length === 0
      ? '[]'
      : `[\n${tasks.map((task) => `${indent}  ${JSON.stringify(task)}`).join(',\n')}\n${indent}]`;
  const fields = Object.entries(meta).map(
    ([name, value]) =>
      `    ${JSON.stringify(name)}: ${Array.isArray(value) ? list(value, '    ') : JSON.stringify(value)}`,
  );
  const parts = [
    `  "meta": {\n${fields.join(',\n')}\n  }`,
    `  "train": ${list(train, '  ')}`,
    `  "val": ${list(val, '  ')}`,
  ];
  return `{\n${parts.join(',\n')}\n}\n`;
}
