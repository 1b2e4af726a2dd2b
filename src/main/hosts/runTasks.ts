// Which tasks `interject run` plays: one scenario's, several scenarios', all there are, or a list in a file; and which
// of them a run has finished already, or has open.
import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { BUILT_IN } from '../../shared/environmentKinds.ts';
import { isFinished } from '../../shared/episode/finished.ts';
import { Failure } from '../../shared/failure.ts';
import { ListedTask, SplitManifest } from '../../shared/split.ts';
import type { CommandApp } from './commandApp.ts';
import { checkTasks, scenariosOf, type ChosenTask } from '../commands/listedTasks.ts';
import type { RunSpec } from '../episode/runEpisode.ts';
import { startKey, startKeyOf } from '../episode/startKey.ts';
import { fromCaller } from './paths.ts';

/** What lists tasks. */
type TasksApp = Pick<CommandApp, 'environments'>;

export type TaskChoice = {
  scenario: string | null;
  /** Left out where the environment has no tasks to choose from. */
  task: string | undefined;
  /** A file of tasks, and which of its lists. */
  file: string | undefined;
  list: 'train' | 'val' | undefined;
};

const CALLER = { seat: 'cli' };
const PAGE = 200;

/** Throws `bad_input` or `unknown_scenario` before anything starts. */
export async function chosenTasks(
  app: TasksApp,
  environment: string,
  choice: TaskChoice,
): Promise<ChosenTask[]> {
  const chosen = await tasksNamed(app, environment, choice);
  await checkTasks(app.environments.handlers, environment, chosen);
  return chosen;
}

/** Words on a number of a task that the server may not understand; null where it lists tasks, or cannot be asked. */
export async function unlistedTaskNote(
  app: TasksApp,
  environment: string,
  { scenario, task }: TaskChoice,
): Promise<string | null> {
  if (scenario !== null || task === undefined) return null;
  const page = { environment, query: '', offset: 0, limit: 1 };
  const listed = await app.environments.handlers['scenarios.search'](page, CALLER).catch(() => null);
  return listed?.total === 0
    ? `The server lists no tasks: it gets ${task} as task_idx, and may ignore it.`
    : null;
}

async function tasksNamed(app: TasksApp, environment: string, choice: TaskChoice): Promise<ChosenTask[]> {
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
  if (scenario === 'all') return everyScenario(app, environment, range ?? 'all');
  const names = scenario.split(',').map((name) => name.trim());
  if (range === null && names.length === 1)
    throw new Failure('bad_input', `say which tasks of ${scenario} to run`, {
      next: 'Give --task a number, a range like 0-9, or all.',
    });
  const found: ChosenTask[] = [];
  for (const name of names) {
    const indexes = range === null || range === 'all' ? await tasksOf(app, environment, name) : range;
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

async function tasksOf(app: TasksApp, environment: string, scenario: string): Promise<number[]> {
  const { tasks } = await app.environments.handlers['tasks.list']({ environment, scenario }, CALLER);
  if (tasks.length > 0) return tasks.map(({ task_idx }) => task_idx);
  if (environment === BUILT_IN)
    await checkTasks(app.environments.handlers, environment, [{ scenario, task_idx: null }]);
  throw new Failure('unknown_scenario', `${scenario} lists no tasks here`, {
    next: 'Give the tasks as numbers, or check the scenario’s name.',
  });
}

async function everyScenario(
  app: TasksApp,
  environment: string,
  range: number[] | 'all',
): Promise<ChosenTask[]> {
  const found: ChosenTask[] = [];
  for await (const { name, tasks } of scenariosOf(app.environments.handlers, environment)) {
    const all = Array.from({ length: tasks }, (_, index) => index);
    const indexes = range === 'all' ? all : range.filter((index) => index < tasks);
    found.push(...indexes.map((task_idx) => ({ scenario: name, task_idx })));
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

/** Whether the run has an episode of this start already that ended `done` or `limit`. */
export function finishedIn({ log }: Pick<CommandApp, 'log'>, run: string): (spec: RunSpec) => boolean {
  const finished = new Set<string>();
  for (let offset = 0; ; offset += PAGE) {
    const page = {
      query: '',
      status: 'ended',
      condition: null,
      filter: { run },
      offset,
      limit: PAGE,
    } as const;
    const { rows } = log.projections.episodes(page);
    for (const { id, outcome, environment_key: environment = '' } of rows) {
      const [first] = log.read(id, 0, 1);
      if (!isFinished(outcome) || first?.event.kind !== 'episode.started') continue;
      const { scenario, task_idx, seed } = first.event;
      finished.add(startKey(environment, scenario, task_idx, seed ?? 0));
    }
    if (rows.length < PAGE) break;
  }
  return (spec) => finished.has(startKeyOf(spec));
}

/** Takes an episode of the run and of this start that has not ended; null where there is none, or none is left. */
export function openIn({ log }: Pick<CommandApp, 'log'>, run: string): (spec: RunSpec) => string | null {
  const open = new Map<string, string[]>();
  for (const id of log.projections.open()) {
    const { started } = log.record(id);
    const isOurs = started?.source === 'run' && started.trainer?.run === run;
    if (!isOurs || started.bench !== undefined || started.lift !== undefined) continue;
    const key = startKeyOf({ ...started, seed: started.seed ?? 0 });
    open.set(key, [...(open.get(key) ?? []), id]);
  }
  return (spec) => open.get(startKeyOf(spec))?.shift() ?? null;
}
