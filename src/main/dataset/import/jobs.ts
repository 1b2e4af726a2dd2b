// Owns: imports a console asked for: their files as they come in, one being read at a time, and how each is doing.
import { appendFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Failure, failureShape } from '../../../shared/failure.ts';
import { IMPORT_CHUNK, type FileReport, type ImportJob } from '../../../shared/contract/import.ts';
import { makeFolder } from '../../log/dataFolder.ts';
import { findFiles, isCompanion, type Found } from './findFiles.ts';
import { blankReport, importFile, type ImportParts } from './importFile.ts';
import { LIMITS, sizeWords } from './limits.ts';
import { createNotes } from './notes.ts';

export type FileToCome = { name: string; bytes: number };
export type ImportJobs = {
  begin(files: readonly FileToCome[]): string;
  chunk(id: string, file: number, offset: number, data: Buffer): void;
  end(id: string): void;
  cancel(id: string): void;
  list(): ImportJob[];
  onChanged(listener: () => void): () => void;
  close(): Promise<void>;
};

type Coming = { name: string; bytes: number; got: number; path: string };
type Running = { job: ImportJob; folder: string; files: Coming[]; stopping: AbortController };

/** Imports that are open at once, and reports that are kept. */
const OPEN_MAX = 8;
const KEPT_MAX = 20;
const INCOMING = '.incoming-';

/** `folder` holds what comes in until it is read; what a killed process left there is removed. */
export function createImportJobs(parts: ImportParts, folder: string): ImportJobs {
  const jobs = new Map<string, Running>();
  const listeners = new Set<() => void>();
  let queue: Promise<void> = Promise.resolve();
  removeLeft(folder);

  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  const find = (id: string): Running => {
    const found = jobs.get(id);
    if (found === undefined) throw new Failure('not_found', 'there is no such import');
    return found;
  };
  const receiving = (id: string): Running => {
    const found = find(id);
    if (found.job.state !== 'receiving') throw new Failure('cancelled', 'this import takes no more');
    return found;
  };
  const run = async (running: Running): Promise<void> => {
    if (running.job.state === 'waiting') {
      running.job.state = 'reading';
      tell();
      try {
        await readAll(parts, running, tell);
      } catch (thrown) {
        // The folder itself could not be read: no file to blame.
        running.job.reports.push({ ...blankReport(running.job.name), failure: failureShape(thrown) });
      }
      running.job.state = running.stopping.signal.aborted ? 'cancelled' : 'done';
    }
    rmSync(running.folder, { recursive: true, force: true });
    tell();
  };

  return {
    begin: (files) => {
      const open = [...jobs.values()].filter(({ job }) => isOpen(job));
      if (open.length >= OPEN_MAX)
        throw new Failure('limit_exceeded', `${String(OPEN_MAX)} imports run already`);
      const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
      if (total > LIMITS.fileBytes)
        throw new Failure(
          'limit_exceeded',
          `${sizeWords(total)} at once; the limit is ${sizeWords(LIMITS.fileBytes)}`,
          {
            next: 'Import it with `interject import` on the command line, in parts.',
          },
        );
      const id = parts.newId();
      const place = join(folder, `${INCOMING}${id}`);
      const taken = new Set<string>();
      const coming = files.map((file, index) => ({
        ...file,
        got: 0,
        path: join(place, safePath(file.name, index, taken)),
      }));
      for (const { path } of coming) {
        makeFolder(dirname(path));
        writeFileSync(path, '', { mode: 0o600 });
      }
      const [only] = files;
      const name =
        files.length === 1 && only !== undefined ? basename(only.name) : `${String(files.length)} files`;
      // Each byte is received, copied in and read.
      const job: ImportJob = {
        import: id,
        name,
        state: 'receiving',
        done: 0,
        total: total * 3,
        episodes: 0,
        reports: [],
        ignored: 0,
      };
      jobs.set(id, { job, folder: place, files: coming, stopping: new AbortController() });
      forgetOld(jobs);
      tell();
      return id;
    },
    chunk: (id, index, offset, data) => {
      const { files, job } = receiving(id);
      const file = files[index];
      if (
        file === undefined ||
        offset !== file.got ||
        file.got + data.length > file.bytes ||
        data.length > IMPORT_CHUNK
      ) {
        throw new Failure('bad_input', 'a piece of a file that does not follow the one before it');
      }
      appendFileSync(file.path, data);
      file.got += data.length;
      job.done += data.length;
      tell();
    },
    end: (id) => {
      const running = receiving(id);
      const short = running.files.find(({ bytes, got }) => got !== bytes);
      if (short !== undefined) throw new Failure('bad_input', `${short.name} did not come whole`);
      running.job.state = 'waiting';
      tell();
      queue = queue.then(() => run(running));
    },
    cancel: (id) => {
      const running = find(id);
      const { job } = running;
      if (!isOpen(job)) jobs.delete(id);
      running.stopping.abort();
      if (job.state === 'receiving' || job.state === 'waiting') {
        job.state = 'cancelled';
        rmSync(running.folder, { recursive: true, force: true });
      }
      tell();
    },
    list: () => [...jobs.values()].map(({ job }) => ({ ...job, reports: [...job.reports] })),
    onChanged: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: async () => {
      for (const { stopping } of jobs.values()) stopping.abort();
      await queue;
      for (const running of jobs.values()) rmSync(running.folder, { recursive: true, force: true });
      listeners.clear();
    },
  };
}

const isOpen = ({ state }: ImportJob): boolean =>
  state === 'receiving' || state === 'waiting' || state === 'reading';

function forgetOld(jobs: Map<string, Running>): void {
  const over = [...jobs.entries()].filter(([, { job }]) => !isOpen(job));
  for (const [id] of over.slice(0, Math.max(0, over.length - KEPT_MAX))) jobs.delete(id);
}

function removeLeft(folder: string): void {
  let names: string[] = [];
  try {
    names = readdirSync(folder);
  } catch {
    // Nothing was ever imported here.
  }
  for (const name of names)
    if (name.startsWith(INCOMING)) rmSync(join(folder, name), { recursive: true, force: true });
}

/** Names as people have them, without a way out of the folder; files that belong together stay together. */
function safePath(name: string, index: number, taken: Set<string>): string {
  const steps = name
    .split(/[\\/]+/)
    .filter((step) => step !== '' && step !== '.' && step !== '..')
    .slice(-8)
    .map((step) => step.replace(/[^\p{L}\p{N}._ -]/gu, '_').slice(0, 80));
  const path = steps.length === 0 ? 'file' : join(...steps);
  // Files that were chosen one by one may have the same name.
  const free = taken.has(path) ? join(`${INCOMING}${String(index)}`, path) : path;
  taken.add(free);
  return free;
}

/** What was dropped by itself is read whatever it is; of a folder what is a log. */
function filesToRead(folder: string, files: readonly Coming[]): Found[] {
  const alone = files.filter(({ name }) => !name.includes('/'));
  const isAllCompanions = alone.every(({ name }) => isCompanion(name));
  const named = alone
    .filter(({ name }) => isAllCompanions || !isCompanion(name))
    .flatMap(({ path }) => findFiles(path, createNotes()));
  const paths = new Set(alone.map(({ path }) => path));
  return [...named, ...findFiles(folder, createNotes()).filter(({ path }) => !paths.has(path))];
}

/** Reads every log among the files; a file of a folder that is none is counted, not complained of. */
async function readAll(
  parts: ImportParts,
  { job, folder, files, stopping }: Running,
  tell: () => void,
): Promise<void> {
  const received = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const named = new Map(files.map(({ path, name }) => [path, name]));
  let before = received;
  for (const file of filesToRead(folder, files)) {
    if (stopping.signal.aborted) return;
    const name = named.get(file.path) ?? basename(file.path);
    let size = 0;
    const report = await importFile(
      parts,
      { ...file, name },
      {
        signal: stopping.signal,
        onBytes: (bytes) => {
          size = bytes;
          job.done = Math.min(job.total, before + bytes);
          tell();
        },
        onEpisode: () => {
          job.episodes += 1;
          tell();
        },
      },
    );
    before += size;
    if (isNoLog(report, name)) job.ignored += 1;
    else job.reports.push(report);
    tell();
  }
  job.done = job.total;
}

const isNoLog = ({ format }: FileReport, name: string): boolean => format === null && name.includes('/');
