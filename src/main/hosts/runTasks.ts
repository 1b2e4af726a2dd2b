// Chooses the tasks a command plays: one scenario's, several scenarios', all there are, or a list in a file.
import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Inputs } from '../../shared/contract/contract.ts';
import { BUILT_IN } from '../../shared/environmentKinds.ts';
import { Failure } from '../../shared/failure.ts';
import { ListedTask, SplitManifest } from '../../shared/split.ts';
import { checkTasks, type ChosenTask } from '../commands/listedTasks.ts';
import { fromCaller } from './paths.ts';
import type { Product } from './product.ts';
import { isSameTask } from '../../shared/episode/baseline.ts';
import { type TaskAddress, taskLabel } from '../../shared/episode/record.ts';
import { isBriefed } from '../../shared/conditions.ts';
import type { Condition } from '../../shared/events/lifecycle.ts';
import type { EpisodeRow } from '../../shared/episode/rowShapes.ts';
import { findFiles } from '../dataset/import/findFiles.ts';
import { createNotes } from '../dataset/import/importNotes.ts';
import { importFiles } from './importFiles.ts';
import type { CommandOutput } from './output.ts';

type Lists = Pick<Product, 'call'>;

export type TaskChoice = {
  scenario: string | null;
  /** Left out where the environment has no tasks to choose from. */
  task: string | undefined;
  /** A file of tasks, and which of its lists. */
  file: string | undefined;
  list: 'train' | 'val' | undefined;
};

/** As the checks of the product ask. */
const handlersOf = ({ call }: Lists) => ({
  'scenarios.list': (input: Inputs['scenarios.list']) => call('scenarios.list', input),
});

/** Throws `bad_input` or `unknown_scenario` before anything starts. */
export async function chosenTasks(
  product: Lists,
  environment: string,
  choice: TaskChoice,
): Promise<ChosenTask[]> {
  const chosen = await tasksNamed(product, environment, choice);
  await checkTasks(handlersOf(product), environment, chosen);
  return chosen;
}

/** Words on a number of a task that the server may not understand; null where it lists tasks, or cannot be asked. */
export async function unlistedTaskNote(
  product: Lists,
  environment: string,
  { scenario, task }: TaskChoice,
): Promise<string | null> {
  if (scenario !== null || task === undefined) return null;
  const listed = await product.call('scenarios.list', { environment, is_fresh: false }).catch(() => null);
  return listed?.scenarios.length === 0
    ? `The server lists no tasks: it gets ${task} as task_idx, and may ignore it.`
    : null;
}

async function tasksNamed(product: Lists, environment: string, choice: TaskChoice): Promise<ChosenTask[]> {
  const { scenario, task, file } = choice;
  if (file !== undefined) {
    if ((scenario !== null && scenario !== 'all') || task !== undefined)
      throw new Failure('bad_input', '--tasks names scenarios and tasks by itself', {
        next: 'Leave out --scenario and --task; for the built-in worlds say --world all.',
      });
    return listedInFile(file, choice.list);
  }
  const range = readRange(task);
  if (scenario === null) {
    if (range === null || range === 'all') return [{ scenario, task_idx: null }];
    return range.map((task_idx) => ({ scenario, task_idx }));
  }
  if (scenario === 'all') return everyScenario(product, environment, range ?? 'all');
  const names = scenario.split(',').map((name) => name.trim());
  if (range === null && names.length === 1)
    throw new Failure('bad_input', `say which tasks of ${scenario} to run`, {
      next: 'Give --task a number, a range like 0-9, or all.',
    });
  const found: ChosenTask[] = [];
  for (const name of names) {
    const indexes = range === null || range === 'all' ? await tasksOf(product, environment, name) : range;
    found.push(...indexes.map((task_idx) => ({ scenario: name, task_idx })));
  }
  return found;
}

/** The numbers a --task flag names; null where there is none. Throws `bad_input`. */
function readRange(text: string | undefined): number[] | 'all' | null {
  if (text === undefined || text === 'all') return text ?? null;
  const range = /^(\d+)(?:-(\d+))?$/.exec(text);
  if (range === null)
    throw new Failure('bad_input', `--task ${text} is neither a number, a range like 0-9, nor "all"`);
  const from = Number(range[1]);
  const to = Number(range[2] ?? range[1]);
  if (to < from) throw new Failure('bad_input', `--task ${text} runs backwards`);
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

async function tasksOf(product: Lists, environment: string, scenario: string): Promise<number[]> {
  const { tasks } = await product.call('tasks.list', { environment, scenario });
  if (tasks.length > 0) return tasks.map(({ task_idx }) => task_idx);
  if (environment === BUILT_IN)
    await checkTasks(handlersOf(product), environment, [{ scenario, task_idx: null }]);
  throw new Failure('unknown_scenario', `${scenario} lists no tasks here`, {
    next: 'Give the tasks as numbers, or check the scenario’s name.',
  });
}

async function everyScenario(
  product: Lists,
  environment: string,
  range: number[] | 'all',
): Promise<ChosenTask[]> {
  const found: ChosenTask[] = [];
  const { scenarios } = await product.call('scenarios.list', { environment, is_fresh: false });
  for (const { name, tasks } of scenarios) {
    const indexes = range === 'all' ? tasks.keys() : range.filter((index) => index < tasks.length);
    for (const task_idx of indexes) found.push({ scenario: name, task_idx });
  }
  if (found.length > 0) return found;
  throw new Failure('unknown_scenario', 'this environment lists no scenarios', {
    next: 'Name the scenario with --scenario, or leave it out where there is none.',
  });
}

// Unlike a whole manifest, a file of tasks may hold only one of the lists.
const TaskLists = SplitManifest.partial();
const TaskFile = z.union([z.array(ListedTask), TaskLists]);

/** A list of pairs, or one list of a split manifest. */
function listedInFile(path: string, list: 'train' | 'val' | undefined): ChosenTask[] {
  const at = fromCaller(path);
  const parsed = TaskFile.safeParse(readJson(at));
  const lists = parsed.success ? parsed.data : null;
  const pairs = lists === null || Array.isArray(lists) ? lists : manifestList(path, lists, list);
  if (pairs === null || pairs.length === 0)
    throw new Failure('bad_input', `${path} names no tasks`, {
      next: 'It is JSON: [["scenario", task number], …], or a split with "train" and "val" lists of these.',
    });
  return pairs.map(([scenario, task_idx]) => ({ scenario, task_idx }));
}

function manifestList(
  path: string,
  { train, val }: z.infer<typeof TaskLists>,
  list: 'train' | 'val' | undefined,
) {
  if (list !== undefined) return (list === 'train' ? train : val) ?? null;
  if (train === undefined || val === undefined) return train ?? val ?? null;
  throw new Failure('bad_input', `${path} has a train and a val list`, {
    next: 'Say which to run with --list train or --list val.',
  });
}

function readJson(path: string): unknown {
  try {
    return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null;
  } catch {
    return null;
  }
}

type BriefOptions = { baselineLog?: string; split?: string };

/** The manifest of a file; null where none is named. Throws `bad_input`. */
export function readSplit(path: string | undefined): SplitManifest | null {
  if (path === undefined) return null;
  if (!existsSync(fromCaller(path)))
    throw new Failure('bad_input', `there is no file ${path}`, { next: 'Name the manifest of a split.' });
  try {
    return SplitManifest.parse(JSON.parse(readFileSync(fromCaller(path), 'utf8')));
  } catch (cause) {
    throw new Failure('bad_input', `${path} is no split manifest`, {
      cause,
      next: 'It is a JSON object with "train" and "val", each a list of ["scenario", index].',
    });
  }
}

type Baselines = (task: TaskAddress) => { baseline?: string };

/** Reads the earlier run for each task's brief. Takes the log in, and says where nobody knows what is held out. */
export async function readBaselines(
  product: Product,
  { baselineLog, split, condition }: BriefOptions & { condition: Condition },
  output: CommandOutput,
): Promise<Baselines> {
  if (baselineLog === undefined) return () => ({});
  if (isBriefed(condition) && split === undefined) {
    output.say(
      'No split manifest was given (--split): only splits pinned in this data folder hold tasks out.',
    );
  }
  const episodes = await importEpisodes(product, baselineLog);
  return (task) => {
    const found = episodes.findLast((episode) => isSameTask(episode, task));
    if (found !== undefined) return { baseline: found.id };
    throw new Failure('bad_input', `${baselineLog} holds no episode of ${taskLabel(task)}`, {
      next: 'Give the log of a run of the same tasks.',
    });
  };
}

/** The episodes of a file or folder, whether they were here before or not. Throws `import_failed` where it holds none. */
async function importEpisodes(product: Product, path: string): Promise<EpisodeRow[]> {
  const rows: EpisodeRow[] = [];
  const files = findFiles(fromCaller(path), createNotes());
  for await (const news of importFiles(product, files, { isLossy: false, withRows: true })) {
    if ('row' in news && news.row !== null) rows.push(news.row);
    if (!('report' in news)) continue;
    const { failure, format } = news.report;
    if (failure === null || format === null) continue;
    const next = failure.next ?? 'Check the file with `interject import`.';
    throw new Failure(failure.code, `${path}: ${failure.message}`, { next });
  }
  if (rows.length > 0) return rows;
  throw new Failure('import_failed', `no episode was found in ${path}`, {
    next: 'See docs/data.md#importing for the formats; they are recognised by their content.',
  });
}
