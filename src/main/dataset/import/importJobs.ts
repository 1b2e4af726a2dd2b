// Runs the imports a console asked for, one read at a time, and tells how each is doing.
import { basename } from 'node:path';
import type { FileReport, ImportJob } from '../../../shared/contract/import.ts';
import { Failure, failureShape } from '../../../shared/failure.ts';
import { importFile, type EpisodeReportLine, type ImportDependencies } from './importFile.ts';
import { runAheadInOrder } from './runAheadInOrder.ts';
import { blankReport, isUnread } from './readFile.ts';
import type { FileToImport, Remarks } from './readFile.ts';
import {
  addPiece,
  checkWhole,
  filesToRead,
  openIncoming,
  removeIncoming,
  removeStaleIncoming,
  type FileToCome,
  type IncomingFiles,
} from './incoming.ts';

export type ImportJobs = {
  /** `isLossy` takes in episodes however little of their record can be read. */
  begin(files: readonly FileToCome[], how?: { isLossy?: boolean; remarks?: Remarks | null }): string;
  chunk(id: string, file: number, offset: number, data: Buffer): void;
  end(id: string): void;
  cancel(id: string): void;
  /** Resolves when it is over, with a line for each episode that was read from now on. */
  ended(id: string): Promise<{ job: ImportJob; episodes: EpisodeReportLine[] }>;
  list(): ImportJob[];
  onChanged(listener: () => void): () => void;
  close(): Promise<void>;
};

type RunningImport = {
  job: ImportJob;
  incoming: IncomingFiles;
  stopping: AbortController;
  isLossy: boolean;
  remarks: Remarks | null;
  /** Null while nobody waits for them. */
  lines: EpisodeReportLine[] | null;
  over: PromiseWithResolvers<void>;
};

/** Imports that are open at once, and reports that are kept. */
const OPEN_IMPORTS_MAX = 8;
const FINISHED_IMPORTS_MAX = 20;

/** `folder` holds what comes in until it is read; what a killed process left there is removed. */
export function createImportJobs(
  parts: ImportDependencies & { newId: () => string },
  folder: string,
): ImportJobs {
  const jobs = new Map<string, RunningImport>();
  const listeners = new Set<() => void>();
  let queue: Promise<void> = Promise.resolve();
  removeStaleIncoming(folder);
  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  return {
    begin: (files, { isLossy = false, remarks = null } = {}) => {
      checkRoom(jobs);
      const id = parts.newId();
      forgetOldImports(jobs.set(id, newRunning(id, openIncoming(folder, id, files), { isLossy, remarks })));
      tell();
      return id;
    },
    chunk: (id, file, offset, data) => {
      const { incoming, job } = receiving(jobs, id);
      addPiece(incoming, file, offset, data);
      job.done += data.length;
      tell();
    },
    end: (id) => {
      const running = receiving(jobs, id);
      checkWhole(running.incoming);
      running.job.state = 'waiting';
      tell();
      queue = queue.then(() => runImport(parts, running, tell));
    },
    cancel: (id) => {
      cancel(jobs, id);
      tell();
    },
    ended: async (id) => {
      const running = findImport(jobs, id);
      const episodes = (running.lines ??= []);
      await running.over.promise;
      return { job: copyOf(running), episodes };
    },
    list: () => [...jobs.values()].map(copyOf),
    onChanged: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: async () => {
      for (const { stopping } of jobs.values()) stopping.abort();
      await queue;
      await parts.log.importing.close();
      for (const { incoming } of jobs.values()) removeIncoming(incoming);
      listeners.clear();
    },
  };
}

const copyOf = ({ job }: RunningImport): ImportJob => ({ ...job, reports: [...job.reports] });

/** Throws `limit_exceeded` where too many run already. */
function checkRoom(jobs: ReadonlyMap<string, RunningImport>): void {
  const open = [...jobs.values()].filter(({ job }) => isJobOpen(job)).length;
  if (open < OPEN_IMPORTS_MAX) return;
  throw new Failure('limit_exceeded', `${String(OPEN_IMPORTS_MAX)} imports run already`);
}

const newRunning = (
  id: string,
  incoming: IncomingFiles,
  how: Pick<RunningImport, 'isLossy' | 'remarks'>,
): RunningImport => ({
  job: newJob(id, incoming),
  incoming,
  ...how,
  stopping: new AbortController(),
  lines: null,
  over: Promise.withResolvers<void>(),
});

const newJob = (id: string, { files, total }: IncomingFiles): ImportJob => ({
  import: id,
  name: files.length === 1 ? basename(files[0]?.name ?? '') : `${String(files.length)} files`,
  state: 'receiving',
  done: 0,
  // Each byte is received, copied in and read.
  total: total * 3,
  episodes: 0,
  reports: [],
  ignored: 0,
});

const isJobOpen = ({ state }: ImportJob): boolean =>
  state === 'receiving' || state === 'waiting' || state === 'reading';

function findImport(jobs: ReadonlyMap<string, RunningImport>, id: string): RunningImport {
  const found = jobs.get(id);
  if (found === undefined) throw new Failure('not_found', 'there is no such import');
  return found;
}

function receiving(jobs: ReadonlyMap<string, RunningImport>, id: string): RunningImport {
  const found = findImport(jobs, id);
  if (found.job.state !== 'receiving') throw new Failure('cancelled', 'this import takes no more');
  return found;
}

function cancel(jobs: Map<string, RunningImport>, id: string): void {
  const running = findImport(jobs, id);
  const { job, stopping, incoming } = running;
  if (!isJobOpen(job)) jobs.delete(id);
  stopping.abort();
  if (job.state !== 'receiving' && job.state !== 'waiting') return;
  job.state = 'cancelled';
  removeIncoming(incoming);
  running.over.resolve();
}

function forgetOldImports(jobs: Map<string, RunningImport>): void {
  const over = [...jobs.entries()].filter(([, { job }]) => !isJobOpen(job));
  for (const [id] of over.slice(0, Math.max(0, over.length - FINISHED_IMPORTS_MAX))) jobs.delete(id);
}

async function runImport(parts: ImportDependencies, running: RunningImport, tell: () => void): Promise<void> {
  const { job, incoming, stopping } = running;
  if (job.state === 'waiting') {
    job.state = 'reading';
    tell();
    try {
      await importAllFiles(parts, running, tell);
    } catch (thrown) {
      // The folder itself could not be read: no file to blame.
      job.reports.push({ ...blankReport(job.name), failure: failureShape(thrown) });
    }
    job.state = stopping.signal.aborted ? 'cancelled' : 'done';
  }
  removeIncoming(incoming);
  running.over.resolve();
  tell();
}

/** Reads every log among the files; a file of a folder that is none is counted, not complained of. */
async function importAllFiles(
  parts: ImportDependencies,
  running: RunningImport,
  tell: () => void,
): Promise<void> {
  const { job, incoming, isLossy, remarks } = running;
  const { signal } = running.stopping;
  const read = (file: FileToImport): Promise<FileReport> => {
    let before = 0;
    return importFile(parts, file, {
      signal,
      onBytes: (bytes) => {
        job.done = Math.min(job.total, job.done + bytes - before);
        before = bytes;
        tell();
      },
      onEpisode: (line) => {
        job.episodes += 1;
        running.lines?.push(line);
        tell();
      },
    });
  };
  // What came in for this import is not needed after it: it is kept as it lies.
  const said = remarks === null ? {} : { remarks };
  const files = filesToRead(incoming).map((file) => ({ ...file, isOurs: true, isLossy, ...said }));
  for await (const report of runAheadInOrder(files, signal, read)) {
    if (isUnread(report)) continue;
    if (isNoLog(report)) job.ignored += 1;
    else job.reports.push(report);
    tell();
  }
  if (signal.aborted) return;
  job.done = job.total;
}

const isNoLog = ({ format, name }: FileReport): boolean => format === null && name.includes('/');
