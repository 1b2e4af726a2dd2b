// Commands on benches before they run and after they are over: a plan to look at, a report to keep.
import { hash, createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { cellsOf, checkPlan, type BenchPlan } from '../../shared/bench/plan.ts';
import type { Handlers } from '../../shared/contract/contract.ts';
import { Failure } from '../../shared/failure.ts';
import { TaskLists, type ListedTask } from '../../shared/split.ts';
import type { EventLog } from '../log/eventLog.ts';
import { noteSplit, pinnedSplits } from '../log/pinnedSplits.ts';
import { benchReport } from '../report/benchReport.ts';
import { openRasteriser } from '../report/raster.ts';
import { reportFiles } from '../report/report.ts';
import type { SettingsStore } from '../settings/settings.ts';
import type { Benches } from './benches.ts';
import { checkTasks } from './listedTasks.ts';
import type { BenchChoice } from '../../shared/bench/choice.ts';
import { canonical } from '../../shared/canonical.ts';
import { mayAsk } from '../../shared/conditions.ts';
import { taskNames, tasksAlsoIn } from '../../shared/splitFaults.ts';
import { seededRandom, shuffled } from '../../shared/statistics/random.ts';

type BenchFolderDependencies = {
  log: EventLog;
  settings: SettingsStore;
  benches: Pick<Benches, 'show'>;
  environments: Parameters<typeof checkTasks>[0];
  /** Where reports are written. */
  reportsFolder: string;
};

export function benchFolderCommands(parts: BenchFolderDependencies) {
  const { log, settings, benches, environments, reportsFolder } = parts;
  return {
    'bench.splits': async ({ name: asked }) => ({
      splits: pinnedSplits(log).map(({ name, manifest }) => ({
        name,
        environment: manifest.meta?.environment ?? null,
        train: manifest.train.length,
        val: manifest.val.length,
        ...(name === asked ? { manifest } : {}),
      })),
    }),
    'split.pin': async ({ name, pinned }) => {
      noteSplit(log, name, pinned);
      return {};
    },
    'bench.plan': async ({ choice, split, allows_overlap: allowsOverlap = false }) => {
      const lists = 'name' in split ? pinnedManifest(log, split.name) : readManifest(split.text);
      const tasks = lists[choice.section] ?? [];
      if (tasks.length === 0)
        throw new Failure('bad_input', `the split lists no tasks under ${choice.section}`, {
          next: 'Choose its other list, or another split.',
        });
      const named = tasks.map(([scenario, task_idx]) => ({ scenario, task_idx }));
      await checkTasks(environments, choice.environment, named);
      const plan = planFrom(choice, { tasks, trained: lists.train ?? [] }, settings);
      checkPlan(plan);
      if (!allowsOverlap) checkHeldOut(plan);
      checkAdvisors(plan, settings.model('expert') !== null);
      return { plan, episodes: cellsOf(plan).length };
    },
    'bench.export': async ({ name }) => {
      const { summary } = benches.show(name);
      if (summary === null)
        throw new Failure('bad_input', `the bench ${name} is not over`, {
          next: 'Its report can be written when every episode is.',
        });
      const toPng = await openRasteriser();
      const files = reportFiles(benchReport(summary), toPng);
      const folder = join(reportsFolder, folderName(name));
      writeFiles(folder, files);
      return { folder, files: files.map(({ path }) => path), has_pictures: toPng !== null };
    },
  } satisfies Partial<Handlers>;
}

/** All of them or none: each is written beside the folder before the first takes its place. */
function writeFiles(folder: string, files: ReturnType<typeof reportFiles>): void {
  const draft = join(dirname(folder), `.${basename(folder)}.${String(process.pid)}`);
  try {
    // One by one: making several says of a read-only disk that a folder is missing.
    for (const one of [dirname(folder), draft]) if (!existsSync(one)) mkdirSync(one, { mode: 0o700 });
    for (const { path, content } of files) {
      mkdirSync(dirname(join(draft, path)), { recursive: true, mode: 0o700 });
      writeFileSync(join(draft, path), content, { mode: 0o600 });
    }
    for (const { path } of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true, mode: 0o700 });
      renameSync(join(draft, path), join(folder, path));
    }
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** A bench may be called anything; two that come to one folder name are told apart by a digest. */
function folderName(name: string): string {
  const plain = name
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^\.+/, '')
    .slice(0, 80);
  return plain === name ? plain : `${plain}-${hash('sha256', name, 'hex').slice(0, 8)}`;
}

function pinnedManifest(log: Pick<EventLog, 'read'>, name: string): TaskLists {
  const found = pinnedSplits(log).find((one) => one.name === name);
  if (found !== undefined) return found.manifest;
  throw new Failure('not_found', `there is no split ${name} in this data folder`, {
    next: 'Choose another, or pick its file.',
  });
}

function readManifest(text: string): TaskLists {
  try {
    return TaskLists.parse(JSON.parse(text));
  } catch (cause) {
    throw new Failure('bad_input', 'this file is no split manifest', {
      cause,
      next: 'It is JSON: {"train": [["scenario", task number], …], "val": […]}.',
    });
  }
}

type Settings = Pick<SettingsStore, 'model' | 'roster'>;

/** `trained`: the tasks that the split lists to train on. */
export function planFrom(
  choice: BenchChoice,
  { tasks, trained }: { tasks: readonly ListedTask[]; trained: readonly ListedTask[] },
  settings: Settings,
): BenchPlan {
  const { name, arms: chosen, primary, seeds, first_seed: first, max_tasks: most, ...rest } = choice;
  const arms = chosen.map(({ arm, condition, agent: { policy, protocol, profile } }) => ({
    arm,
    condition,
    agent:
      policy === 'rehearsal'
        ? { policy, protocol, model: null }
        : {
            policy,
            protocol,
            model: settings.model('agent', profile ?? undefined)?.model ?? null,
            ...(profile === null ? {} : { profile }),
          },
  }));
  const experts = rosterFor(arms, settings);
  const planned = drawn(tasks, most ?? tasks.length, rest.order_seed);
  const leaked = rest.section === 'val' ? tasksAlsoIn(planned, trained) : [];
  const plan = {
    ...rest,
    tasks: planned,
    ...(leaked.length === 0 ? {} : { also_in_train: leaked }),
    arms,
    primary: primary ?? { first: arms[0]?.arm ?? '', second: arms.at(-1)?.arm ?? '' },
    seeds: Array.from({ length: seeds }, (_, at) => first + at),
    ...(experts === null ? {} : { experts }),
  };
  return { name: name ?? `bench-${digestOf(plan)}`, ...plan };
}

/** The same choice is the same bench: made again, it goes on with it. */
export const digestOf = (plan: unknown): string =>
  createHash('sha256').update(canonical(plan)).digest('hex').slice(0, 8);

/** In the list's own order, so that the same tasks are the same plan. */
function drawn(tasks: readonly ListedTask[], wanted: number, seed: number): ListedTask[] {
  if (wanted >= tasks.length) return [...tasks];
  const chosen = new Set(shuffled(tasks, seededRandom(`tasks ${String(seed)}`)).slice(0, wanted));
  return tasks.filter((task) => chosen.has(task));
}

/** Null where nobody is in the roster, or no arm may ask. */
function rosterFor(
  arms: readonly Pick<BenchPlan['arms'][number], 'condition'>[],
  { roster }: Pick<Settings, 'roster'>,
): BenchPlan['experts'] | null {
  const now = roster();
  return now.experts.length === 0 || !arms.some(({ condition }) => mayAsk(condition)) ? null : now;
}

/** A bench goes on with the experts that it began with. Throws `bad_input` where the roster is another one now. */
export function checkRoster({ name, arms, experts }: BenchPlan, settings: Pick<Settings, 'roster'>): void {
  const now = rosterFor(arms, settings) ?? null;
  if (canonical(now) === canonical(experts ?? null)) return;
  throw new Failure(
    'bad_input',
    `the roster of experts is not the one that the bench ${name} was planned with`,
    {
      next: 'Put the roster back as it was (the plan holds it), or plan another bench.',
    },
  );
}

/** Throws `bad_input` where tasks that are to be held out are trained on too. */
export function checkHeldOut({ also_in_train: leaked = [] }: BenchPlan): void {
  if (leaked.length === 0) return;
  const which = `${taskNames(leaked)} ${leaked.length === 1 ? 'is' : 'are'}`;
  throw new Failure('bad_input', `the split leaks: ${which} in its val list and in its train list`, {
    next: 'Take them out of one of the lists. Or run `interject bench` with --allow-overlap: the plan and the report name them.',
  });
}

/** An advisor that sees neither criteria nor the answer has to be a model. Throws `model_not_configured`. */
export function checkAdvisors({ arms, is_privileged, experts }: BenchPlan, hasExpertModel: boolean): void {
  const drafted = arms.find(({ condition }) => condition === 'model' || condition === 'human+draft');
  const hasModel = hasExpertModel || experts?.experts.some(({ kind }) => kind === 'model') === true;
  if (drafted === undefined || is_privileged || hasModel) return;
  throw new Failure('model_not_configured', `nobody can draft advice for the arm ${drafted.arm}`, {
    next:
      'Set a model for the advisor. Or choose “Advisors see what is checked, and the answer” (on the command line ' +
      '--privileged): then the built-in reference advises, and the report says so.',
  });
}
