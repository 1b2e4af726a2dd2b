// What the console asks of benches before they run and after they are over: a plan to look at, a report to keep.
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { cellsOf, checkPlan } from '../../shared/bench/plan.ts';
import type { Handlers } from '../../shared/contract/contract.ts';
import { Failure } from '../../shared/failure.ts';
import { TaskLists } from '../../shared/split.ts';
import type { EventLog } from '../log/eventLog.ts';
import { noteSplit, pinnedSplits } from '../log/pinnedSplits.ts';
import { benchReport } from '../report/benchReport.ts';
import { openRasteriser } from '../report/raster.ts';
import { reportFiles } from '../report/report.ts';
import type { SettingsStore } from '../settings/settings.ts';
import type { Benches } from './benches.ts';
import { checkAdvisors, checkHeldOut, planFrom } from './benchPlan.ts';
import { checkTasks } from './listedTasks.ts';

type BenchFolderDependencies = {
  log: EventLog;
  settings: SettingsStore;
  benches: Pick<Benches, 'show'>;
  environments: Parameters<typeof checkTasks>[0];
  /** Where reports are written. */
  reportsFolder: string;
};
type BenchFolderHandlers = Pick<Handlers, 'bench.splits' | 'bench.plan' | 'bench.export' | 'split.pin'>;

export function benchFolderCommands(parts: BenchFolderDependencies): BenchFolderHandlers {
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
  };
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
