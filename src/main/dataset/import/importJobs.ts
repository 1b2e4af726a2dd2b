// Runs the imports a console asked for, one read at a time, and tells how each is doing.
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import type { FileReport, ImportJob } from '../../../shared/contract/import.ts';
import { Failure, failureShape, type FailureShape } from '../../../shared/failure.ts';
import {
  blankReport,
  isUnread,
  type FileToImport,
  CANCELLED,
  type Home,
  type EpisodeHeader,
} from './readFile.ts';
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
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Conservation, ImportFormat } from '../../../shared/events/import.ts';
import type { EventLog } from '../../log/eventLog.ts';
import type { PieceOwner } from '../../log/importQueue.ts';
import type { ImportPiece } from '../../log/importPieces.ts';
import { addConservation } from './conservation.ts';
import type { ImportedEvent } from './formatReader.ts';
import type { ReadFiles } from './reading.ts';

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

/** What is not there any more is said when it is read. */
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

type EpisodeReportLine = { episode: string; index: number; isKnown: boolean; format: ImportFormat };

type ImportDependencies = {
  log: EventLog;
  clock: () => number;
  /** Reads files, here or on another thread. */
  read: ReadFiles;
};
export type ImportListener = {
  signal: AbortSignal;
  /** Bytes of this file that were dealt with, of about twice its size: once to copy it in, once to read it. */
  onBytes: (bytes: number) => void;
  onEpisode: (line: EpisodeReportLine) => void;
};

/** Reads a file into the log. Never throws for what is in the file: the report says it. */
export async function importFile(
  parts: ImportDependencies,
  file: FileToImport,
  listening: ImportListener,
): Promise<FileReport> {
  const taking = new FileImport(parts, listening);
  const report = await parts.read(file, taking.home, taking.signal);
  taking.over(report.failure);
  await taking.settled();
  const { episodes, known, first } = taking;
  const failure = taking.failure ?? report.failure;
  const whole = { ...report, episodes, known, first, failure };
  const isThere = whole.diagnostics.some(({ code }) => code === 'episode_exists');
  return whole.failure === null && episodes === 0 && !isThere
    ? { ...whole, failure: nothingRead(whole) }
    : whole;
}

/** What an episode says of its import; null for one that was not imported. It stands among its first events. */
export function importedIn(log: EventLog, episode: string): ImportedEvent | null {
  for (const { event } of log.read(episode, 0, 2)) if (event.kind === 'episode.imported') return event;
  return null;
}

/** How many are looked at before others have their turn. */
const AT_ONCE = 100;

/** What the records of these kept when they came in from this file; one of our own may say it of another file. */
async function conservationOfKnown(
  log: EventLog,
  episodes: Iterable<string>,
  sha256: string,
): Promise<Conservation | null> {
  let sum: Conservation | null = null;
  let seen = 0;
  for (const episode of episodes) {
    seen += 1;
    if (seen % AT_ONCE === 0) await nextTurn();
    const imported = importedIn(log, episode);
    if (imported?.source.sha256 === sha256 && imported.conservation)
      sum = addConservation(sum, imported.conservation);
  }
  return sum;
}

const nothingRead = ({ format, diagnostics }: FileReport): FailureShape => ({
  code: 'import_failed',
  message: `no episode could be read from it${diagnostics[0] === undefined ? '' : `: ${diagnostics[0].message}`}`,
  next: format === null ? null : 'The diagnostics say where it breaks off.',
});

const BROKEN_OFF: FailureShape = {
  code: 'import_failed',
  message: 'reading it broke off inside an episode',
  next: 'What was read before stays; import it again for the rest.',
};

/** Episodes a report leads to. */
const FIRST_EPISODES_MAX = 20;

/** Takes in the episodes of one file. */
class FileImport implements PieceOwner {
  readonly #parts: ImportDependencies;
  readonly #listening: ImportListener;
  readonly #stopping = new AbortController();
  readonly signal: AbortSignal;
  /** Episodes that were put and are not in the log yet, by their ids. */
  readonly #waiting = new Map<string, EpisodeHeader>();
  /** Of these more is to come. */
  readonly #open = new Set<string>();
  #settle: (() => void) | null = null;
  source: string | null = null;
  #failure: FailureShape | null = null;
  #isCut = false;
  episodes = 0;
  known = 0;
  first: string[] = [];

  constructor(parts: ImportDependencies, listening: ImportListener) {
    this.#parts = parts;
    this.#listening = listening;
    this.signal = AbortSignal.any([listening.signal, this.#stopping.signal]);
    this.signal.addEventListener('abort', () => this.#cut(), { once: true });
  }

  get failure(): FailureShape | null {
    return this.#failure ?? (this.#isCut ? CANCELLED : null);
  }

  get home(): Home {
    const { log, clock } = this.#parts;
    const { importing, projections } = log;
    return {
      now: clock(),
      known: async (sha256, format) => {
        // The same bytes may be on their way in under another name.
        if (importing.holdsOf(sha256)) await importing.settled();
        this.source = sha256;
        const known = projections.importedFrom(sha256);
        for (const [index, episode] of known) this.#count({ episode, index, isKnown: true, format });
        return { episodes: known, conservation: await conservationOfKnown(log, known.values(), sha256) };
      },
      isThere: async (episode) => {
        const isThere = importing.holds(episode) || log.read(episode, 0, 1).length > 0;
        // Only our own bundles bring their ids along.
        if (isThere) this.#count({ episode, index: 0, isKnown: true, format: 'interject_events' });
        return isThere;
      },
      put: (piece, told) => this.#put(piece, told),
      onBytes: this.#listening.onBytes,
    };
  }

  /** Resolves when everything that was read is in the log, or cannot be. */
  settled(): Promise<void> {
    if (this.#waiting.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  /** Nothing more is told. An episode that breaks off never becomes whole: its reader was lost. */
  over(failure: FailureShape | null): void {
    if (this.#open.size === 0) return;
    const { code, message, next } = failure ?? BROKEN_OFF;
    this.#parts.log.importing.giveUp(this, new Failure(code, message, next === null ? {} : { next }));
  }

  onWhole({ stream: episode }: ImportPiece): void {
    const told = this.#waiting.get(episode);
    if (told === undefined) return;
    this.#waiting.delete(episode);
    this.#count({ episode, index: told.index, isKnown: false, format: told.format });
    if (this.#waiting.size === 0) this.#settle?.();
  }

  onFailed(thrown: unknown): void {
    this.#failure ??= failureShape(thrown);
    this.#stopping.abort();
    this.#waiting.clear();
    this.#settle?.();
  }

  #put(piece: ImportPiece, told: EpisodeHeader | null): Promise<void> {
    if (told !== null && !this.signal.aborted) this.#waiting.set(piece.stream, told);
    if (!this.#waiting.has(piece.stream)) {
      this.#isCut = true;
      return Promise.resolve();
    }
    if (piece.end === null) this.#open.add(piece.stream);
    else this.#open.delete(piece.stream);
    return this.#parts.log.importing.put(piece, this);
  }

  /** Of what was read before it was cancelled, no more is written than an episode that is half written. */
  #cut(): void {
    for (const episode of this.#parts.log.importing.withdraw(this)) {
      this.#waiting.delete(episode);
      this.#open.delete(episode);
      this.#isCut = true;
    }
    if (this.#waiting.size === 0) this.#settle?.();
  }

  #count(line: EpisodeReportLine): void {
    this.episodes += 1;
    if (line.isKnown) this.known += 1;
    if (this.first.length < FIRST_EPISODES_MAX) this.first.push(line.episode);
    this.#listening.onEpisode(line);
  }
}

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
