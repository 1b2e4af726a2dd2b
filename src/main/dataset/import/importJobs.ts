// Runs the imports a console asked for, one read at a time, and tells how each is doing.
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import type { FileReport, ImportJob } from '../../../shared/contract/import.ts';
import { Failure, failureShape } from '../../../shared/failure.ts';
import { blankReport, isUnread, type FileToImport } from './readFile.ts';
import { importFile, type EpisodeReportLine, type ImportDependencies } from './importFile.ts';
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
  begin(files: readonly FileToCome[], how?: { isLossy?: boolean }): string;
  /** Reads files where they lie. */
  read(files: readonly FileToImport[], how: { isLossy: boolean }): string;
  chunk(id: string, file: number, offset: number, data: Buffer): void;
  end(id: string): void;
  cancel(id: string): void;
  /** Resolves once there is more than so much news of files that are read where they lie, or all were. */
  news(id: string, after: number): Promise<{ news: ImportNews[]; isOver: boolean }>;
  list(): ImportJob[];
  onChanged(listener: () => void): () => void;
  close(): Promise<void>;
};

/** An episode of the file in that place, or what became of the file itself. */
type ImportNews = (EpisodeReportLine & { file: number }) | FileReport;

type RunningImport = {
  job: ImportJob;
  /** Null where files are read where they lie. */
  incoming: IncomingFiles | null;
  files: () => FileToImport[];
  stopping: AbortController;
  news: ImportNews[];
  /** Resolves with the next news. */
  next: PromiseWithResolvers<void>;
};

/** Imports that are open at once, and reports that are kept. */
const OPEN_IMPORTS_MAX = 8;
const FINISHED_IMPORTS_MAX = 20;
/** Episodes and files that are told at once. */
const NEWS_MAX = 2_000;

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
  const add = (make: (id: string) => RunningImport): string => {
    checkRoom(jobs);
    const id = parts.newId();
    forgetOldImports(jobs.set(id, make(id)));
    tell();
    return id;
  };
  return {
    begin: (files, { isLossy = false } = {}) => add((id) => newComing(id, folder, files, isLossy)),
    read: (files, { isLossy }) => {
      const id = add((made) => newReading(made, files, isLossy));
      const running = findImport(jobs, id);
      queue = queue.then(() => runImport(parts, running, tell));
      return id;
    },
    chunk: (id, file, offset, data) => {
      const { incoming, job } = receiving(jobs, id);
      if (incoming !== null) addPiece(incoming, file, offset, data);
      job.done += data.length;
      tell();
    },
    end: (id) => {
      const running = receiving(jobs, id);
      if (running.incoming !== null) checkWhole(running.incoming);
      running.job.state = 'waiting';
      tell();
      queue = queue.then(() => runImport(parts, running, tell));
    },
    cancel: (id) => {
      cancel(jobs, id);
      tell();
    },
    news: (id, after) => newsAfter(findImport(jobs, id), after),
    list: () => [...jobs.values()].map(copyOf),
    onChanged: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: async () => {
      for (const { stopping } of jobs.values()) stopping.abort();
      await queue;
      await parts.log.importing.close();
      for (const { incoming } of jobs.values()) if (incoming !== null) removeIncoming(incoming);
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
  job: ImportJob,
  incoming: IncomingFiles | null,
  files: () => FileToImport[],
): RunningImport => ({
  job,
  incoming,
  files,
  stopping: new AbortController(),
  news: [],
  next: Promise.withResolvers<void>(),
});

/** Of files that are read where they lie. */
function newReading(id: string, files: readonly FileToImport[], isLossy: boolean): RunningImport {
  const sized = files.map((file) => ({ ...file, isLossy, bytes: sizeOf(file.path) }));
  const total = sized.reduce((sum, { bytes }) => sum + bytes, 0);
  return newRunning({ ...newJob(id, { files: sized, total }), state: 'waiting' }, null, () => sized);
}

/** Of files that come in pieces. */
function newComing(
  id: string,
  folder: string,
  files: readonly FileToCome[],
  isLossy: boolean,
): RunningImport {
  const incoming = openIncoming(folder, id, files);
  // What came in for this import is not needed after it: it is kept as it lies.
  return newRunning(newJob(id, incoming), incoming, () =>
    filesToRead(incoming).map((file) => ({ ...file, isOurs: true, isLossy })),
  );
}

async function newsAfter(running: RunningImport, after: number): ReturnType<ImportJobs['news']> {
  while (running.news.length <= after && isJobOpen(running.job)) await running.next.promise;
  const news = running.news.slice(after, after + NEWS_MAX);
  const isTold = after + news.length >= running.news.length;
  return { news, isOver: !isJobOpen(running.job) && isTold };
}

/** A file that is gone is reported when it is read. */
const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

function wake(running: RunningImport): void {
  running.next.resolve();
  running.next = Promise.withResolvers<void>();
}

const newJob = (
  id: string,
  { files, total }: { files: readonly { name: string }[]; total: number },
): ImportJob => ({
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
  if (incoming !== null) removeIncoming(incoming);
  wake(running);
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
  if (incoming !== null) removeIncoming(incoming);
  wake(running);
  tell();
}

/** Reads every log among the files; a file of a folder that is none is counted, not complained of. */
async function importAllFiles(
  parts: ImportDependencies,
  running: RunningImport,
  tell: () => void,
): Promise<void> {
  const { job, incoming } = running;
  const { signal } = running.stopping;
  const told = (news: ImportNews): void => {
    running.news.push(news);
    wake(running);
  };
  let begun = 0;
  const read = (file: FileToImport): Promise<FileReport> => {
    const at = begun;
    begun += 1;
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
        if (incoming === null) told({ ...line, file: at });
        tell();
      },
    });
  };
  for await (const report of runAheadInOrder(running.files(), signal, read)) {
    if (isUnread(report)) continue;
    if (incoming === null) told(report);
    if (isNoLog(report)) job.ignored += 1;
    else job.reports.push(report);
    tell();
  }
  if (signal.aborted) return;
  job.done = job.total;
}

const isNoLog = ({ format, name }: FileReport): boolean => format === null && name.includes('/');

/** As many as are begun before the first is done: many small files wait for nothing. */
const AHEAD = 256;

/** The outcome of each that was begun, in order. Once the signal is aborted nothing more is. */
export async function* runAheadInOrder<T, R>(
  items: Iterable<T>,
  signal: AbortSignal,
  run: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const begun: Promise<R>[] = [];
  for (const item of items) {
    if (signal.aborted) break;
    begun.push(run(item));
    const first = begun.length < AHEAD ? undefined : begun.shift();
    if (first !== undefined) yield await first;
  }
  for (const one of begun) yield await one;
}
