// The manifest of a split, in the form of the public recipe with more under `meta`. The same tasks and seed give the same
// bytes.
import { Failure } from '../../../shared/failure.ts';
import type { ListedTask } from '../../../shared/split.ts';
import { normalizeScenario } from '../../../shared/wire.ts';
import { hash } from 'node:crypto';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';

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

/** A unit that stays on one side: a task, or a scenario with all its tasks. */
export type SplitUnit = { key: string; stratum: string };

/** The units that are held out. With two units or more, each side has at least one. */
export function chooseHeldOut(
  units: readonly SplitUnit[],
  { fraction, seed }: { fraction: number; seed: number },
): Set<string> {
  const strata = Map.groupBy(units, ({ stratum }) => stratum);
  const sizes = new Map([...strata].map(([stratum, { length }]) => [stratum, length]));
  const shares = shareOut(sizes, heldOutCount(units.length, fraction), seed);
  const chosen = [...strata].flatMap(([stratum, members]) =>
    inSeededOrder(
      members.map(({ key }) => key),
      seed,
    ).slice(0, shares.get(stratum) ?? 0),
  );
  return new Set(chosen);
}

export const heldOutCount = (units: number, fraction: number): number =>
  Math.max(Math.min(Math.round(units * fraction), units - 1), Math.min(1, units - 1), 0);

/**
 * Largest remainders: each stratum gets its exact share rounded down, and what is left goes where most was cut off. No
 * other way to share out the same number lies nearer to the exact shares.
 */
function shareOut(sizes: ReadonlyMap<string, number>, total: number, seed: number): Map<string, number> {
  const all = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  // Whole numbers throughout: size * total = quotient * all + remainder.
  const exact = new Map(
    [...sizes].map(([stratum, size]) => [
      stratum,
      { least: Math.floor((size * total) / all), rest: (size * total) % all },
    ]),
  );
  const given = [...exact.values()].reduce((sum, { least }) => sum + least, 0);
  const byRest = inSeededOrder([...sizes.keys()], seed).toSorted(
    (a, b) => (exact.get(b)?.rest ?? 0) - (exact.get(a)?.rest ?? 0),
  );
  const more = new Set(byRest.slice(0, total - given));
  return new Map([...exact].map(([stratum, { least }]) => [stratum, least + (more.has(stratum) ? 1 : 0)]));
}

function inSeededOrder(keys: readonly string[], seed: number): string[] {
  const places = new Map(keys.map((key) => [key, hash('sha256', `${String(seed)}\n${key}`, 'hex')]));
  return keys.toSorted((a, b) => ((places.get(a) ?? '') < (places.get(b) ?? '') ? -1 : 1));
}

/** The reason to drop a task. */
export type DropCause =
  'no_verifier' | 'judged_by_model' | 'verifier_broken' | 'passes_untouched' | 'not_reset';

export const DROP_WORDS: Readonly<Record<DropCause, string>> = {
  no_verifier: 'no deterministic verifier',
  judged_by_model: 'a model judges it',
  verifier_broken: 'the verifier broke on the untouched state',
  passes_untouched: 'it passes with nothing done',
  not_reset: 'it could not be reset',
};

export type StatedDifficulty = 'easy' | 'medium' | 'hard' | null;

/** A task that stays, with what its rollouts came to. */
export type ProbedTask = {
  scenario: string;
  task_idx: number;
  stated: StatedDifficulty;
  rollouts: number;
  completed: number;
};

const VERDICTS: ReadonlySet<string | null> = new Set(['complete', 'incomplete', 'others']);

/** An untouched episode's evidence against its task; null if there is none. */
export function causeOf({ reset, ended, verified }: EpisodeRecord): DropCause | null {
  if (verified === null) return reset === null || ended?.outcome === 'error' ? 'not_reset' : 'no_verifier';
  if (verified.reward_type === 'no_verifier') return 'no_verifier';
  if (verified.reward_type === 'complete') return 'passes_untouched';
  return verified.error !== null || !VERDICTS.has(verified.reward_type) ? 'verifier_broken' : null;
}

type Difficulty = 'easy' | 'medium' | 'hard' | 'unsolved' | 'unknown';
/** The source of difficulties: the rollouts, the task's author, or none. */
type DifficultySource = 'measured' | 'stated' | 'none';

/** Rollouts tell tasks apart only where some of them completed a task. */
function difficultySource(tasks: readonly ProbedTask[]): DifficultySource {
  if (tasks.some(({ completed }) => completed > 0)) return 'measured';
  return tasks.some(({ stated }) => stated !== null) ? 'stated' : 'none';
}

/** Of one task, or of a scenario by all its tasks. */
function difficultyOf(tasks: readonly ProbedTask[], source: DifficultySource): Difficulty {
  if (source === 'measured') return measured(tasks);
  const stated = tasks.flatMap((task) => (task.stated === null ? [] : [LEVELS.indexOf(task.stated)]));
  if (source === 'none' || stated.length === 0) return 'unknown';
  const mean = stated.reduce((sum, level) => sum + level, 0) / stated.length;
  return LEVELS[Math.round(mean)] ?? 'unknown';
}

const LEVELS = ['easy', 'medium', 'hard'] as const;

function measured(tasks: readonly ProbedTask[]): Difficulty {
  const rollouts = tasks.reduce((sum, task) => sum + task.rollouts, 0);
  if (rollouts === 0) return 'unknown';
  const rate = tasks.reduce((sum, task) => sum + task.completed, 0) / rollouts;
  if (rate === 0) return 'unsolved';
  return rate <= 1 / 3 ? 'hard' : rate <= 2 / 3 ? 'medium' : 'easy';
}
