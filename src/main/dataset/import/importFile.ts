// Imports one file: its episodes get ids and go into the log's queue, and the report says what became of each.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Conservation, ImportFormat } from '../../../shared/events/import.ts';
import type { FileReport } from '../../../shared/contract/import.ts';
import { Failure, failureShape, type FailureShape } from '../../../shared/failure.ts';
import type { EventLog } from '../../log/eventLog.ts';
import type { PieceOwner } from '../../log/importQueue.ts';
import type { ImportPiece } from '../../log/importPieces.ts';
import { addConservation } from './conservation.ts';
import type { ImportedEvent } from './formatReader.ts';
import { CANCELLED, type FileToImport, type Home, type EpisodeHeader } from './readFile.ts';
import type { ReadFiles } from './reading.ts';

export type EpisodeReportLine = { episode: string; index: number; isKnown: boolean; format: ImportFormat };

export type ImportDependencies = {
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
