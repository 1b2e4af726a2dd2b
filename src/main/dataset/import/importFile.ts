// Takes the episodes of one file into the log: not those that are here already or were erased here. One that goes on from an
// earlier one takes its place.
import { TOO_LITTLE } from '../../../shared/conservation.ts';
import type { FileReport } from '../../../shared/contract/import.ts';
import { SYSTEM } from '../../../shared/events/actor.ts';
import type { ImportFormat } from '../../../shared/events/import.ts';
import { SUPERSEDED } from '../../../shared/events/library.ts';
import { Failure, failureShape, type FailureShape } from '../../../shared/failure.ts';
import type { EventLog } from '../../log/eventLog.ts';
import type { ImportPiece, PieceEnd } from '../../log/importPieces.ts';
import type { PieceOwner } from '../../log/importQueue.ts';
import { createNotes } from './importNotes.ts';
import { CANCELLED, type EpisodeHeader, type FileToImport, type Home } from './readFile.ts';
import type { ReadFiles } from './readOnThread.ts';
import { judgeRecord, recordSecret, type ArrivingRecord, type RecordVerdict } from './recordIdentity.ts';
import type { SourceStore } from './sourceStore.ts';

export type EpisodeReportLine = { episode: string; index: number; isKnown: boolean; format: ImportFormat };

export type ImportDependencies = {
  log: EventLog;
  clock: () => number;
  /** Reads files, here or on another thread. */
  read: ReadFiles;
  sources: Pick<SourceStore, 'remove'>;
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
  const { episodes, known, first, notes } = taking;
  const remarks = notes.all();
  // What was erased from the log must not stay beside it.
  const hasErased = remarks.some(({ code }) => code === REMARKS.erased[0]);
  if (hasErased && report.sha256 !== null) parts.sources.remove(report.sha256);
  const failure = taking.failure ?? report.failure;
  const diagnostics = [...remarks, ...report.diagnostics];
  const skipped = report.skipped + notes.skipped();
  const whole = { ...report, episodes, known, first, skipped, failure, diagnostics };
  if (failure !== null || episodes > 0 || hasErased) return whole;
  return { ...whole, failure: notes.skipped() > 0 ? TOO_LITTLE_READ : nothingRead(whole) };
}

const nothingRead = ({ format, diagnostics }: FileReport): FailureShape => ({
  code: 'import_failed',
  message: `no episode could be read from it${diagnostics[0] === undefined ? '' : `: ${diagnostics[0].message}`}`,
  next: format === null ? null : 'The diagnostics say where it breaks off.',
});

const TOO_LITTLE_READ: FailureShape = {
  code: 'import_failed',
  message: 'too little of it could be read',
  next: 'Import it anyway to take in what can be read of it; on the command line that is --lossy.',
};

const BROKEN_OFF: FailureShape = {
  code: 'import_failed',
  message: 'reading it broke off inside an episode',
  next: 'What was read before stays; import it again for the rest.',
};

const REMARKS = {
  known: ['already_imported', 'an episode that was imported before'],
  grown: ['grown', `an episode that goes on from an earlier one, which is tagged ${SUPERSEDED} now`],
  changed: ['changed', 'an episode that differs from an earlier one of the same record, which stays'],
  erased: ['erased_here', 'a record that was erased here, and is not read again'],
} as const;

/** By what a record on its way in is found: who it is, and where it stands in these bytes. */
const keysOf = ({ identity }: ArrivingRecord, { sha256, index }: EpisodeHeader): [string, string] => [
  identity,
  `${sha256}/${String(index)}`,
];

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
  #failure: FailureShape | null = null;
  #isCut = false;
  /** What is put goes on an episode that is not written. */
  #isPassed = false;
  /** Episodes that records of this file are: no further one is the same. */
  readonly #claimed = new Set<string>();
  /** The versions that these episodes go on from. */
  readonly #older = new Map<string, string>();
  #sameBytes: ReadonlyMap<number, string> | null = null;
  episodes = 0;
  known = 0;
  /** What its report says of records that were here, and of those that were refused. */
  readonly notes = createNotes();
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
    return {
      now: clock(),
      secret: recordSecret(log),
      put: (piece, header) => this.#put(piece, header),
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

  /** Nothing more comes. An episode that breaks off never becomes whole: its reader was lost. */
  over(failure: FailureShape | null): void {
    if (this.#open.size === 0) return;
    const { code, message, next } = failure ?? BROKEN_OFF;
    this.#parts.log.importing.giveUp(this, new Failure(code, message, next === null ? {} : { next }));
  }

  onWhole({ stream: episode }: ImportPiece): void {
    const header = this.#waiting.get(episode);
    if (header === undefined) return;
    this.#arrived(episode);
    const older = this.#older.get(episode);
    if (older !== undefined) moveLabels(this.#parts.log, older, episode);
    this.#count({ episode, index: header.index, isKnown: false, format: header.format });
    if (this.#waiting.size === 0) this.#settle?.();
  }

  onFailed(thrown: unknown): void {
    this.#failure ??= failureShape(thrown);
    this.#stopping.abort();
    for (const episode of this.#waiting.keys()) this.#arrived(episode);
    this.#settle?.();
  }

  #put(piece: ImportPiece, header: EpisodeHeader | null): Promise<void> {
    if (header !== null) this.#isPassed = !this.signal.aborted && !this.#takes(piece.stream, header);
    if (this.#isPassed) return Promise.resolve();
    if (!this.#waiting.has(piece.stream)) {
      this.#isCut = true;
      return Promise.resolve();
    }
    if (piece.end === null) this.#open.add(piece.stream);
    else this.#open.delete(piece.stream);
    const older = this.#older.get(piece.stream);
    if (older !== undefined) piece.end?.beside.push(...supersede(this.#parts.log, older, piece.stream));
    return this.#parts.log.importing.put(piece, this);
  }

  /** Whether an episode is written: not where its record is here already, or was erased here. */
  #takes(episode: string, header: EpisodeHeader): boolean {
    const { index, format, record, refusal } = header;
    const verdict = this.#judge(episode, header);
    if ('episode' in verdict) this.#claimed.add(verdict.episode);
    if (verdict.is === 'known') this.#count({ episode: verdict.episode, index, isKnown: true, format });
    const isHere = verdict.is === 'known' || verdict.is === 'erased';
    if (refusal !== null && !isHere) this.notes.skip(TOO_LITTLE, refusal);
    else if (verdict.is !== 'new') this.notes.note(REMARKS[verdict.is][0], REMARKS[verdict.is][1]);
    if (isHere || refusal !== null) return false;
    if (verdict.is === 'grown') this.#older.set(episode, verdict.episode);
    this.#claimed.add(episode);
    this.#waiting.set(episode, header);
    if (record !== null)
      for (const key of keysOf(record, header))
        this.#parts.log.importing.arriving.set(key, { episode, record });
    return true;
  }

  #judge(episode: string, header: EpisodeHeader): RecordVerdict {
    const { log } = this.#parts;
    const { importing, projections } = log;
    if (header.record === null) {
      const isThere = importing.holds(episode) || log.read(episode, 0, 1).length > 0;
      return isThere ? { is: 'known', episode } : { is: 'new' };
    }
    this.#sameBytes ??= projections.importedFrom(header.sha256);
    const [identity, place] = keysOf(header.record, header);
    const isOther = (one: string): boolean => !this.#claimed.has(one);
    const verdict = judgeRecord(log, header.record, isOther, {
      arriving: importing.arriving.get(identity),
      secret: recordSecret(log),
    });
    if (verdict.is !== 'new' && verdict.is !== 'changed') return verdict;
    // The same bytes may be here under another name.
    const known = importing.arriving.get(place)?.episode ?? this.#sameBytes.get(header.index);
    return known === undefined || !isOther(known) ? verdict : { is: 'known', episode: known };
  }

  #arrived(episode: string): void {
    const header = this.#waiting.get(episode);
    const { arriving } = this.#parts.log.importing;
    if (header?.record)
      for (const key of keysOf(header.record, header))
        if (arriving.get(key)?.episode === episode) arriving.delete(key);
    this.#waiting.delete(episode);
  }

  /** Of what was read before it was cancelled, no more is written than an episode that is half written. */
  #cut(): void {
    for (const episode of this.#parts.log.importing.withdraw(this)) {
      this.#arrived(episode);
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

/** The longer version takes the tags over; by its own tag no export trains the shorter one any more. */
function supersede({ projections }: EventLog, older: string, newer: string): PieceEnd['beside'] {
  const change = (episode: string, added: string[]): PieceEnd['beside'][number] => ({
    stream: `tags/${episode}`,
    actor: SYSTEM,
    event: { kind: 'tags.changed', episode, added, removed: [] },
  });
  const tags = (projections.episode(older)?.tags ?? []).filter((tag) => tag !== SUPERSEDED);
  return [change(older, [SUPERSEDED]), ...(tags.length === 0 ? [] : [change(newer, tags)])];
}

/** The steps of the longer version begin with those of the shorter one: what was said of one holds for its equal. */
function moveLabels(log: EventLog, older: string, newer: string): void {
  const labels = log.read(older).filter(({ event }) => event.kind === 'label.given');
  if (labels.length > 0)
    log.appendAll(
      newer,
      labels.map(({ actor, event }) => ({ actor, event })),
    );
}
