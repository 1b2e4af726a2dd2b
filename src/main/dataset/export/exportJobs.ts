// Runs the exports a console asked for, one at a time, with their progress, and lists earlier ones.
import { join } from 'node:path';
import type { ExportJob, ExportReport } from '../../../shared/contract/export.ts';
import { ExportFormat, ExportRules } from '../../../shared/contract/export.ts';
import type { Actor } from '../../../shared/events/actor.ts';
import type { JsonObject } from '../../../shared/events/turns.ts';
import { Failure, failureShape } from '../../../shared/failure.ts';
import type { SplitManifest } from '../../../shared/split.ts';
import type { EventLog } from '../../log/eventLog.ts';
import type { Kit } from '../kit.ts';
import { removePartial } from './folderStage.ts';
import { holdOut } from './select.ts';
import { checkExport, writeExport, type CheckRequest, type Hooks, type WriteRequest } from './runExport.ts';

export type ExportJobs = {
  check: (ask: CheckRequest) => string;
  write: (ask: ExportRequest, actor: Actor) => string;
  /** Throws `not_found`. */
  job: (id: string) => ExportJob;
  cancel: (id: string) => void;
  close: () => Promise<void>;
};
type ExportRequest = Omit<WriteRequest, 'folder' | 'isForced' | 'kit' | 'onReport'> & {
  kit: Kit | null;
  /** In the folder of exports where it is not said. */
  into: { folder: string; isForced: boolean } | null;
};
type PastExport = {
  at: number;
  format: ExportFormat;
  folder: string;
  rows: number;
  log_to: number | null;
  rules: ExportRules;
};

type RunningExport = { job: ExportJob; stopping: AbortController };
type ExportJobsDependencies = {
  log: EventLog;
  /** Where exports go. */
  folder: string;
  /** What is shipped. */
  resources: string;
  clock: () => number;
  newId: () => string;
  /** The manifest that was given for this run of the product; absent without one. */
  split?: SplitManifest | null;
};

const EXPORTS = 'exports';
const FINISHED_MAX = 20;

export function createExportJobs(parts: ExportJobsDependencies): ExportJobs {
  const { log, folder, resources, clock, newId, split = null } = parts;
  const jobs = new Map<string, RunningExport>();
  let queue: Promise<void> = Promise.resolve();
  removePartial(folder);
  const begin = (
    mode: ExportJob['mode'],
    format: ExportFormat,
    work: (hooks: Hooks, onReport: (report: ExportReport) => void) => Promise<ExportReport>,
  ): string => {
    const job: ExportJob = {
      export: newId(),
      mode,
      format,
      state: 'running',
      done: 0,
      total: 0,
      report: null,
      failure: null,
    };
    const running = { job, stopping: new AbortController() };
    jobs.set(job.export, running);
    forgetOldExports(jobs);
    queue = queue.then(() => runJob(running, work));
    return job.export;
  };
  const find = (id: string): RunningExport => {
    const found = jobs.get(id);
    if (found === undefined) throw new Failure('not_found', 'there is no such export');
    return found;
  };
  return {
    check: (ask) =>
      begin('preview', ask.format, (hooks) =>
        checkExport(log, { ...ask, rules: holdOut(log, ask.rules, split) }, hooks),
      ),
    write: (ask, actor) =>
      begin('write', ask.format, async (hooks, onReport) => {
        const stamp = new Date(clock()).toISOString().replace(/[:.]/g, '-');
        const kit = ask.kit === null ? null : { name: ask.kit, resources };
        const into = ask.into ?? { folder: join(folder, `${ask.format}-${stamp}`), isForced: false };
        const rules = holdOut(log, ask.rules, split);
        const report = await writeExport(log, { ...ask, ...into, rules, kit, onReport }, hooks);
        noteExport(log, actor, report, rules);
        return report;
      }),
    job: (id) => ({ ...find(id).job }),
    cancel: (id) => {
      const { job, stopping } = find(id);
      stopping.abort();
      if (job.state === 'running') job.state = 'cancelled';
    },
    close: async () => {
      for (const { stopping } of jobs.values()) stopping.abort();
      await queue;
    },
  };
}

function forgetOldExports(jobs: Map<string, RunningExport>): void {
  const over = [...jobs.entries()].filter(([, { job }]) => job.state !== 'running');
  for (const [id] of over.slice(0, Math.max(0, over.length - FINISHED_MAX))) jobs.delete(id);
}

async function runJob(
  { job, stopping: { signal } }: RunningExport,
  work: (hooks: Hooks, onReport: (report: ExportReport) => void) => Promise<ExportReport>,
): Promise<void> {
  const onReport = (report: ExportReport): void => void (job.report = report);
  if (signal.aborted) return void (job.state = 'cancelled');
  try {
    const onProgress = (done: number, total: number): void => {
      job.done = done;
      job.total = total;
    };
    job.report = await work({ signal, onProgress }, onReport);
    job.state = 'done';
  } catch (thrown) {
    job.state = signal.aborted ? 'cancelled' : 'failed';
    job.failure = signal.aborted ? null : failureShape(thrown);
  }
}

/** Puts into the log that a data set was written; its episodes' events stay as they are. */
export function noteExport(
  log: Pick<EventLog, 'append'>,
  actor: Actor,
  {
    format,
    folder,
    rows,
    log_from,
    log_to,
  }: Pick<ExportReport, 'format' | 'folder' | 'rows' | 'log_from' | 'log_to'>,
  rules: ExportRules,
): void {
  log.append(EXPORTS, actor, {
    kind: 'export.written',
    format,
    folder: folder ?? '',
    rows,
    log_from,
    log_to,
    rules: rules as unknown as JsonObject,
  });
}

/** Newest first. One whose rules this version does not know is not among them. */
export const exportHistory = (log: Pick<EventLog, 'read'>): PastExport[] =>
  log
    .read(EXPORTS)
    .flatMap(({ at, event }) => {
      if (event.kind !== 'export.written') return [];
      const format = ExportFormat.safeParse(event.format);
      const rules = ExportRules.safeParse(event.rules);
      if (!format.success || !rules.success) return [];
      const { folder, rows, log_to } = event;
      return [{ at, format: format.data, folder, rows, log_to, rules: rules.data }];
    })
    .toReversed();
