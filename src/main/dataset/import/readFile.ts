// Reads one file: copies it in, detects its format and passes its episodes on in pieces the log can take. It may run
// on another thread, so it reports to `Home` in plain data.
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { SYSTEM } from '../../../shared/events/actor.ts';
import { conservationWords, isWarning, keptShare, REFUSED_BELOW } from '../../../shared/conservation.ts';
import type { Companion, Conservation, ImportFormat } from '../../../shared/events/import.ts';
import type { FileReport } from '../../../shared/contract/import.ts';
import { redactedOf, redactJson } from '../../../shared/redact/redact.ts';
import { Failure, failureShape, type FailureShape } from '../../../shared/failure.ts';
import type { LogEntry, TimedEntry } from '../../log/eventLog.ts';
import { createScratch, importPieces, type ImportPiece, type Scratch } from '../../log/importPieces.ts';
import { utf8Chunks, type Chunks } from './bytes.ts';
import { conservationOf } from './conservation.ts';
import { detectFormat, type DetectedFormat, readerOf } from './detectFormat.ts';
import { addConservation, createNotes, type ImportNotes } from './importNotes.ts';
import {
  episodeEntries,
  type CompanionFile,
  type ImportedEvent,
  type ImportInput,
  type OwnEpisode,
  type ImportedEpisode,
} from './formatReader.ts';
import { identify, type ArrivingRecord } from './recordIdentity.ts';
import type { SourceStore, StagedFile } from './sourceStore.ts';
import { ImportStop } from './limits.ts';

export type FileToImport = {
  name: string;
  path: string;
  beside: readonly CompanionFile[];
  /** It came in for this import alone: it is taken, not copied. */
  isOurs?: boolean;
  /** An episode is taken in however little of its record can be read. */
  isLossy?: boolean;
  /** What its report says of it, whatever is in it. */
  remarks?: Remarks;
};
type Remark = { code: string; message: string };
/** Remarks on it when it could be read as it should be, and when not. */
export type Remarks = { whole: Remark; damaged: Remark };

/** The origin of an episode: which of the file, and which record; of our own bundles its id says that. */
export type EpisodeHeader = {
  index: number;
  format: ImportFormat;
  sha256: string;
  record: ArrivingRecord | null;
  /** Why it is left out unless it is here already: too little of it could be read. Null where it is taken in. */
  refusal: string | null;
};

/** Dependencies of reading on the place it is done in. */
export type ReaderDependencies = { sources: SourceStore; newId: () => string; scratch?: Scratch };

/** Whoever takes in what is read. */
export type Home = {
  /** UTC ms, for a file without times. */
  now: number;
  /** By which records are known again. */
  secret: string;
  /** Resolves when the file, taken in, may be passed on; at once where files are read one after the other. */
  isTurn?: () => Promise<void>;
  /** Takes a piece; the first of an episode says where it comes from. Resolves when there is room for another. */
  put: (piece: ImportPiece, header: EpisodeHeader | null) => Promise<void>;
  /** Bytes of this file that were dealt with, of about twice its size: once to copy it in, once to read it. */
  onBytes: (bytes: number) => void;
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
  conservation: null,
  passed_over: [],
  failure: null,
});

/** Cancelled before anybody looked at it. */
export const isUnread = ({ format, failure }: FileReport): boolean =>
  format === null && failure?.code === 'cancelled';

export const CANCELLED: FailureShape = {
  code: 'cancelled',
  message: 'the import was cancelled',
  next: 'What was read stays; import the file again to go on.',
};

type Work = Omit<ReaderDependencies, 'scratch'> & {
  file: FileToImport;
  home: Home;
  notes: ImportNotes;
  report: FileReport;
  signal: AbortSignal;
  /** Files beside it that are kept already. */
  kept: Map<string, Companion>;
  scratch: Scratch;
  /** Episodes that were read. */
  episodeCount: number;
};

/** Reads a file. Never throws for what is in it: the report says it. What became of its episodes is for `home` to count. */
export async function readFile(
  dependencies: ReaderDependencies,
  file: FileToImport,
  home: Home,
  signal: AbortSignal,
): Promise<FileReport> {
  const notes = createNotes();
  const report = blankReport(file.name);
  const work: Work = {
    ...dependencies,
    file,
    home,
    notes,
    report,
    signal,
    kept: new Map<string, Companion>(),
    scratch: dependencies.scratch ?? createScratch(),
    episodeCount: 0,
  };
  let staged: StagedFile | null = null;
  try {
    signal.throwIfAborted();
    const { size } = statSync(file.path);
    if (size === 0) throw new ImportStop('empty', 'the file is empty');
    const opened = dependencies.sources.open(file.path, size, signal);
    const found = await recognise(file, opened.chunks());
    report.format = found.format;
    staged = await opened.stage({ signal, onBytes: home.onBytes, isOurs: file.isOurs === true });
    report.sha256 = staged.sha256;
    report.bytes = staged.bytes;
    await home.isTurn?.();
    signal.throwIfAborted();
    await readEpisodes(work, staged, found);
  } catch (thrown) {
    report.failure = importFailure(thrown, notes, signal);
  } finally {
    staged?.discard();
  }
  if (file.remarks !== undefined && !signal.aborted) {
    const isWhole = report.failure === null && isUnharmed(notes, work.episodeCount);
    const { code, message } = file.remarks[isWhole ? 'whole' : 'damaged'];
    notes.note(code, message);
  }
  const left = notes.leftOut();
  if (left !== null) measure(work, left);
  if (report.conservation !== null && isWarning(report.conservation))
    notes.once(UNREAD_NOTE, conservationWords(report.conservation));
  report.skipped = notes.skipped();
  report.diagnostics = notes.all();
  report.passed_over = notes.passedOver();
  return report;
}

/** The diagnostic of a file whose text or labels were not all read. */
const UNREAD_NOTE = 'not_all_read';

const isUnharmed = (notes: ImportNotes, episodes: number): boolean =>
  episodes > 0 && notes.all().every(({ code }) => code === UNREAD_NOTE);

function importFailure(thrown: unknown, notes: ImportNotes, signal: AbortSignal): FailureShape {
  if (signal.aborted) return CANCELLED;
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

/** Looks before anything is copied: a folder may hold much that is no log. */
async function recognise({ name }: FileToImport, chunks: Chunks): Promise<DetectedFormat> {
  const found = await detectFormat(chunks);
  if (found !== null) return found;
  throw new Failure('import_failed', `${basename(name)} is in none of the formats that are read here`, {
    next: 'See docs/data.md#importing for the formats; they are recognised by their content.',
  });
}

async function readEpisodes(work: Work, staged: StagedFile, found: DetectedFormat): Promise<void> {
  const { signal } = work;
  const input = readerInput(work, staged);
  for await (const read of readerOf(found)(input)) {
    signal.throwIfAborted();
    staged.keep();
    await readEpisode(work, staged, found, read);
  }
}

async function readEpisode(
  work: Work,
  staged: StagedFile,
  { format }: DetectedFormat,
  read: ImportedEpisode | OwnEpisode,
): Promise<void> {
  const { file, home, report, newId } = work;
  const { index } = read;
  const extra = 'own' in read ? {} : withoutSecrets(read);
  const id = 'own' in read ? read.own.id : newId();
  const bare: ImportedEvent = {
    kind: 'episode.imported',
    episode: id,
    format,
    version: null,
    source: { name: basename(file.name), sha256: staged.sha256, bytes: staged.bytes, index },
    companions: [],
    task: null,
    not_recorded: [],
    diagnostics: read.notes.all(),
    extra: {},
  };
  const record = 'own' in read ? null : identify({ ...read, extra }, format, { file, secret: home.secret });
  const putEpisode = async (
    entries: TimedEntry[],
    beside: (LogEntry & { stream: string })[],
    refusal: string | null = null,
  ): Promise<void> => {
    work.episodeCount += 1;
    let header: EpisodeHeader | null = { index, format, sha256: staged.sha256, record, refusal };
    for (const piece of importPieces({ stream: id, entries, beside }, home.now, work.scratch)) {
      await home.put(piece, header);
      header = null;
    }
  };
  if ('own' in read) {
    measure(work, conservationOf(read.sources, read.own.entries).conservation);
    return putEpisode(read.own.entries, [{ stream: `import/${id}`, actor: SYSTEM, event: bare }]);
  }
  const { version, task, notRecorded } = read;
  const event: ImportedEvent = { ...bare, version, task, not_recorded: notRecorded, extra };
  const entries = episodeEntries(read, format, event);
  const { conservation, keptMessages } = conservationOf(read.sources, [...entries, ...read.elsewhere]);
  measure(work, conservation);
  event.conservation = conservation;
  if (record !== null) {
    const { stepHashes: _hashes, ...identity } = record;
    event.record = identity;
  }
  event.companions = await keepCompanions(work, read);
  report.version = version;
  report.not_recorded = [...new Set([...report.not_recorded, ...notRecorded])];
  return putEpisode(entries, [], file.isLossy === true ? null : refusalOf(read, conservation, keptMessages));
}

/** Unknown fields go into the log as they stand, but for credentials of the run, whose place the check names. */
function withoutSecrets({ extra, notes }: ImportedEpisode): ImportedEpisode['extra'] {
  return redactJson(extra, (secret) => {
    notes.note('secret_covered', SECRET);
    return redactedOf(secret);
  });
}
const SECRET = 'a secret among its metadata is covered in the log; it stands in the kept file only';

function measure({ report }: Work, conservation: Conservation): void {
  report.conservation = addConservation(report.conservation, conservation);
}

/** An episode that holds less than half of its messages would pass for something that it is not. */
function refusalOf(
  { index }: ImportedEpisode,
  conservation: Conservation,
  keptMessages: number,
): string | null {
  if (keptMessages >= REFUSED_BELOW) return null;
  const messages = `${String(Math.floor(keptMessages * 100))} % of its messages`;
  const words = keptShare(conservation) < REFUSED_BELOW ? '' : `${messages}; `;
  return `episode ${String(index + 1)} left out: ${words}${conservationWords(conservation)}`;
}

function readerInput({ file, home, notes, signal }: Work, staged: StagedFile): ImportInput {
  return {
    name: basename(file.name),
    get path() {
      return staged.path;
    },
    bytes: staged.bytes,
    chunks: () =>
      utf8Chunks(
        countBytes(staged.chunks(signal), (done) => home.onBytes(staged.bytes + done)),
        notes,
      ),
    beside: file.beside,
    notes,
    signal,
  };
}

async function* countBytes(chunks: Chunks, onBytes: (bytes: number) => void): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    onBytes(bytes);
    yield chunk;
  }
}

/** A file beside it is kept once, however many episodes it belongs to. */
async function keepCompanions(
  { sources, kept, signal }: Work,
  { companions }: ImportedEpisode,
): Promise<Companion[]> {
  const all: Companion[] = [];
  for (const { role, file } of companions) {
    const known = kept.get(file.path);
    if (known !== undefined) {
      all.push(known);
      continue;
    }
    const opened = sources.open(file.path, file.bytes, signal);
    const staged = await opened.stage({ signal, onBytes: () => undefined, isOurs: false });
    staged.keep();
    const companion = { name: file.name, role, sha256: staged.sha256, bytes: staged.bytes };
    kept.set(file.path, companion);
    all.push(companion);
  }
  return all;
}
