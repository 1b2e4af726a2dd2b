// Owns: one file on its way into the log: copied in, recognised, read, its episodes committed one by one, reported.
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { SYSTEM } from '../../../shared/events/actor.ts';
import type { Companion, ImportFormat } from '../../../shared/events/import.ts';
import type { FileReport } from '../../../shared/contract/import.ts';
import { Failure, failureShape, type FailureShape } from '../../../shared/failure.ts';
import type { EventLog } from '../../log/eventLog.ts';
import type { ImportedStream } from '../../log/importCommit.ts';
import { createBatch } from './batch.ts';
import { fileChunks, utf8Chunks } from './bytes.ts';
import { detect, type Detected } from './detect.ts';
import { readerOf } from './formats.ts';
import { createNotes, type Notes } from './notes.ts';
import {
  entriesOf,
  type Beside,
  type Imported,
  type Input,
  type OwnEpisode,
  type ReadEpisode,
} from './read.ts';
import type { Sources, Staged } from './sources.ts';
import { ImportStop } from './stop.ts';

export type FileToImport = { name: string; path: string; beside: readonly Beside[] };
export type EpisodeLine = { episode: string; index: number; isKnown: boolean; format: ImportFormat };

export type ImportParts = {
  log: EventLog;
  sources: Sources;
  newId: () => string;
};
export type Listening = {
  signal: AbortSignal;
  /** Bytes of this file that were dealt with, of about twice its size: once to copy it in, once to read it. */
  onBytes: (bytes: number) => void;
  onEpisode: (line: EpisodeLine) => void;
};

/** A report before anything was read. */
export const blankReport = (name: string): FileReport => ({
  name,
  format: null,
  version: null,
  sha256: null,
  bytes: 0,
  episodes: 0,
  known: 0,
  skipped: 0,
  first: [],
  not_recorded: [],
  diagnostics: [],
  failure: null,
});

/** Reads a file into the log. Never throws for what is in the file: the report says it. */
export async function importFile(
  parts: ImportParts,
  file: FileToImport,
  listening: Listening,
): Promise<FileReport> {
  const notes = createNotes();
  const report = blankReport(file.name);
  let staged: Staged | null = null;
  try {
    const found = await recognise(file, listening.signal);
    report.format = found.format;
    staged = await parts.sources.stage(file.path, listening);
    report.sha256 = staged.sha256;
    report.bytes = staged.bytes;
    await readInto(
      parts,
      { kept: new Map(), taken: new Set(), file, staged, notes, report, listening },
      found,
    );
  } catch (thrown) {
    report.failure = failureOf(thrown, notes, listening.signal);
  } finally {
    staged?.discard();
  }
  report.skipped = notes.skipped();
  report.diagnostics = notes.all();
  if (report.failure === null && report.episodes === 0) report.failure = nothingRead(report);
  return report;
}

/** Episodes a report leads to. */
const FIRST = 20;
const remember = ({ first }: FileReport, episode: string): void => {
  if (first.length < FIRST) first.push(episode);
};

const nothingRead = ({ format, diagnostics }: FileReport): FailureShape => ({
  code: 'import_failed',
  message: `no episode could be read from it${diagnostics[0] === undefined ? '' : `: ${diagnostics[0].message}`}`,
  next: format === null ? null : 'The diagnostics say where it breaks off.',
});

function failureOf(thrown: unknown, notes: Notes, signal: AbortSignal): FailureShape {
  if (signal.aborted) {
    return {
      code: 'cancelled',
      message: 'the import was cancelled',
      next: 'What was read stays; import the file again to go on.',
    };
  }
  if (thrown instanceof ImportStop) {
    notes.note(thrown.code, thrown.message, thrown.pointer);
    const isLimit = thrown.code === 'limit_exceeded';
    return { code: isLimit ? 'limit_exceeded' : 'import_failed', message: thrown.message, next: null };
  }
  const isOfFile =
    thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' && 'path' in thrown;
  if (isOfFile)
    return {
      code: 'import_failed',
      message: `cannot read the file: ${thrown.message}`,
      next: 'Check the path and its permissions.',
    };
  return failureShape(thrown);
}

type Work = {
  /** Files beside it that are kept already, and own episodes that wait to be committed. */
  kept: Map<string, Companion>;
  taken: Set<string>;
  file: FileToImport;
  staged: Staged;
  notes: Notes;
  report: FileReport;
  listening: Listening;
};

/** Looks before anything is copied: a folder may hold much that is no log. */
async function recognise({ name, path }: FileToImport, signal: AbortSignal): Promise<Detected> {
  const { size } = await stat(path);
  if (size === 0) throw new ImportStop('empty', 'the file is empty');
  const found = await detect(fileChunks(path, size, signal));
  if (found !== null) return found;
  throw new Failure('import_failed', `${basename(name)} is in none of the formats that are read here`, {
    next: 'See docs/import.md for the formats; they are recognised by their content.',
  });
}

async function readInto(parts: ImportParts, work: Work, found: Detected): Promise<void> {
  const { staged, notes, report, listening } = work;
  const { signal } = listening;
  const known = parts.log.projections.importedFrom(staged.sha256);
  for (const [index, episode] of known) {
    report.episodes += 1;
    report.known += 1;
    remember(report, episode);
    listening.onEpisode({ episode, index, isKnown: true, format: found.format });
  }
  if (known.size > 0)
    notes.note('already_imported', `${String(known.size)} of its episodes were imported before`);
  const input = inputOf(work, (index) => known.has(index));
  const batch = createBatch(parts.log, ({ stream }, index) => {
    report.episodes += 1;
    remember(report, stream);
    listening.onEpisode({ episode: stream, index, isKnown: false, format: found.format });
  });
  try {
    for await (const read of readerOf(found)(input)) {
      signal.throwIfAborted();
      staged.keep();
      const stream = await streamOf(parts, work, found, read);
      // Others have their turn between two transactions.
      if (stream !== null && batch.add(stream, read.index)) await new Promise((go) => setImmediate(go));
    }
  } finally {
    // What is whole stays, whatever comes after it.
    batch.flush();
  }
}

function inputOf({ file, staged, notes, listening }: Work, isKnown: (index: number) => boolean): Input {
  const { signal, onBytes } = listening;
  return {
    name: basename(file.name),
    get path() {
      return staged.path;
    },
    bytes: staged.bytes,
    chunks: () =>
      utf8Chunks(
        counted(fileChunks(staged.path, staged.bytes, signal), (done) => onBytes(staged.bytes + done)),
        notes,
      ),
    beside: file.beside,
    notes,
    signal,
    isKnown,
  };
}

async function* counted(
  chunks: AsyncIterable<Buffer>,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    onBytes(bytes);
    yield chunk;
  }
}

/** An episode with what it came from; null when it is there already under its own name. */
async function streamOf(
  parts: ImportParts,
  work: Work,
  { format }: Detected,
  read: ReadEpisode | OwnEpisode,
): Promise<ImportedStream | null> {
  const { file, staged, notes, report } = work;
  const source = { name: basename(file.name), sha256: staged.sha256, bytes: staged.bytes, index: read.index };
  const imported = (episode: string, more: Partial<Imported>): Imported => ({
    kind: 'episode.imported',
    episode,
    format,
    version: null,
    source,
    companions: [],
    task: null,
    not_recorded: [],
    diagnostics: read.notes.all(),
    extra: {},
    ...more,
  });
  if ('own' in read) {
    const { id, entries } = read.own;
    if (work.taken.has(id) || parts.log.record(id).n > 0) {
      notes.skip('episode_exists', `the episode ${id} is in this data folder already`);
      return null;
    }
    work.taken.add(id);
    const beside = { stream: `import/${id}`, actor: SYSTEM, event: imported(id, {}) };
    return { stream: id, entries, beside: [beside] };
  }
  const companions = await keepCompanions(parts, read, work);
  const episode = parts.newId();
  report.version = read.version;
  report.not_recorded = [...new Set([...report.not_recorded, ...read.notRecorded])];
  const { version, task, notRecorded, extra } = read;
  const event = imported(episode, { version, task, not_recorded: notRecorded, extra, companions });
  return { stream: episode, entries: entriesOf(read, format, event) };
}

/** A file beside it is kept once, however many episodes it belongs to. */
async function keepCompanions(
  { sources }: ImportParts,
  { companions }: ReadEpisode,
  { kept, listening: { signal } }: Work,
): Promise<Companion[]> {
  const all: Companion[] = [];
  for (const { role, file } of companions) {
    const known = kept.get(file.path);
    if (known !== undefined) {
      all.push(known);
      continue;
    }
    const staged = await sources.stage(file.path, { signal, onBytes: () => undefined });
    staged.keep();
    const companion = { name: file.name, role, sha256: staged.sha256, bytes: staged.bytes };
    kept.set(file.path, companion);
    all.push(companion);
  }
  return all;
}
