// Cuts an imported episode into table rows in pieces small enough to write between live events.
import type { EpisodeRow } from '../../shared/episode/rowShapes.ts';
import type { Actor } from '../../shared/events/actor.ts';
import { KINDS, type EventOf, type Recorded } from '../../shared/events/vocabulary.ts';
import { IN_PLACE } from '../../shared/episode/change.ts';
import { fold } from '../../shared/episode/fold.ts';
import { emptyRecord } from '../../shared/episode/record.ts';
import { episodeRow } from '../../shared/episode/rows.ts';
import type { LogEntry, TimedEntry } from './eventLog.ts';
import { withoutLongTexts } from './longTexts.ts';

/** A stretch of an episode. The pieces of one follow each other. */
export type ImportPiece = {
  stream: string;
  from: number;
  rows: Rows;
  texts: [sha256: string, text: string][];
  /** Bytes in it, to tell how long it takes to write. */
  size: number;
  /** With the last piece: what is known now that the episode is whole. */
  end: PieceEnd | null;
};

/** Events as their columns in one stretch of memory, which is handed to the thread that writes them as it is. */
export type Rows = { count: number; words: string[]; data: Uint8Array<ArrayBuffer> };

/** The columns, by row. */
type RowColumns = {
  at: Float64Array;
  /** Each body's length in bytes, and all of them, one behind the other. */
  length: Uint32Array;
  bodies: Uint8Array<ArrayBuffer>;
  /** Places in `words`. */
  kind: Uint16Array;
  actor: Uint16Array;
};

/** Bytes of a row in the columns beside its body: wide ones first, so that each lies where it can be read. */
const [AT, LENGTH, KIND, ACTOR, ROW] = [0, 8, 12, 14, 16];

export const rowColumns = ({
  count,
  data: { buffer, byteLength },
}: Pick<Rows, 'count' | 'data'>): RowColumns => ({
  at: new Float64Array(buffer, AT, count),
  length: new Uint32Array(buffer, LENGTH * count, count),
  kind: new Uint16Array(buffer, KIND * count, count),
  actor: new Uint16Array(buffer, ACTOR * count, count),
  bodies: new Uint8Array(buffer, ROW * count, byteLength - ROW * count),
});

export type PieceEnd = {
  /** Its line of the list; null where the record must be folded from the log to tell what its projections hold. */
  row: EpisodeRow | null;
  imported: EventOf<'episode.imported'> | null;
  last: Pick<Recorded, 'n' | 'at' | 'actor' | 'event'>;
  /** What is noted of it in streams of their own. */
  beside: (LogEntry & { stream: string })[];
};

type PiecedEpisode = {
  stream: string;
  entries: readonly TimedEntry[];
  beside?: readonly (LogEntry & { stream: string })[];
};

/** A piece ends with whichever comes first. */
const PIECE_ROWS = 512;
const SIZE = 524_288;

/** Room to write in, taken again and again: what is made in it is copied out. */
export type Scratch = { buffer: Buffer };
const FIRST_BYTES = 32_768;
/** Memory for one very long event is given back. */
const KEPT_BYTES = 4_194_304;
export const createScratch = (): Scratch => ({ buffer: Buffer.allocUnsafeSlow(FIRST_BYTES) });

/**
 * The pieces of a whole episode. An event without a time has that of the one before it, the first that of the next one
 * that has any, or `now`.
 */
export function* importPieces(
  { stream, entries, beside = [] }: PiecedEpisode,
  now: number,
  scratch: Scratch = createScratch(),
): Generator<ImportPiece> {
  let at = entries.find((entry) => entry.at !== null)?.at ?? now;
  let record = emptyRecord(stream);
  let imported: PieceEnd['imported'] = null;
  let isPlain = true;
  let open = openPiece(stream, 1, scratch);
  for (const [index, entry] of entries.entries()) {
    if (open.isFull()) {
      yield open.close(null);
      open = openPiece(stream, index + 1, scratch);
    }
    at = Math.round(entry.at ?? at);
    const { actor } = entry;
    const event = open.put(at, entry);
    const n = index + 1;
    record = fold(record, { seq: n, stream, n, at, actor, event }, IN_PLACE);
    if (event.kind === 'episode.imported') imported = event;
    isPlain &&= !KINDS[event.kind].isProjected;
    if (n < entries.length) continue;
    const row = isPlain && record.status === 'ended' ? episodeRow(record) : null;
    yield open.close({ row, imported, last: { n, at, actor, event }, beside: [...beside] });
  }
}

function openPiece(stream: string, from: number, scratch: Scratch) {
  const [at, kind, actor, length] = [[], [], [], []] as [number[], number[], number[], number[]];
  const words = new Map<string, number>();
  const texts: ImportPiece['texts'] = [];
  const bytes = createBytes(scratch);
  let textSize = 0;
  const word = (text: string): number => {
    const known = words.get(text);
    if (known !== undefined) return known;
    words.set(text, words.size);
    return words.size - 1;
  };
  const actors = new Map<string, number>();
  const actorWord = (one: Actor): number => {
    const name = one.id === null ? one.type : `${one.type} ${one.id}`;
    const known = actors.get(name);
    if (known !== undefined) return known;
    const at = word(JSON.stringify(one));
    actors.set(name, at);
    return at;
  };
  return {
    isFull: (): boolean => at.length >= PIECE_ROWS || bytes.size() + textSize >= SIZE,
    put: (time: number, entry: TimedEntry): TimedEntry['event'] => {
      const event = withoutLongTexts(entry.event, (sha256, text) => {
        texts.push([sha256, text]);
        textSize += text.length;
      });
      at.push(time);
      kind.push(word(event.kind));
      actor.push(actorWord(entry.actor));
      length.push(bytes.add(JSON.stringify(event)));
      return event;
    },
    close: (end: PieceEnd | null): ImportPiece => {
      const rows = { count: at.length, words: [...words.keys()], data: bytes.behind(ROW * at.length) };
      const columns = rowColumns(rows);
      columns.at.set(at);
      columns.length.set(length);
      columns.kind.set(kind);
      columns.actor.set(actor);
      return { stream, from, rows, texts, size: bytes.size() + textSize, end };
    },
  };
}

/** Texts one behind the other, in UTF-8. */
function createBytes(scratch: Scratch) {
  if (scratch.buffer.length > KEPT_BYTES) scratch.buffer = createScratch().buffer;
  let used = 0;
  return {
    size: () => used,
    add: (text: string): number => {
      // A character below 2^16 takes at most three bytes.
      const needed = used + text.length * 3;
      if (needed > scratch.buffer.length) {
        const larger = Buffer.allocUnsafeSlow(Math.max(scratch.buffer.length * 2, needed));
        scratch.buffer.copy(larger, 0, 0, used);
        scratch.buffer = larger;
      }
      const length = scratch.buffer.write(text, used, 'utf8');
      used += length;
      return length;
    },
    /** All of them, behind so many free bytes. */
    behind: (free: number): Uint8Array<ArrayBuffer> => {
      // Written to its last byte: nothing needs to be cleared first.
      const all: Uint8Array<ArrayBuffer> = Buffer.allocUnsafeSlow(free + used);
      all.set(scratch.buffer.subarray(0, used), free);
      return all;
    },
  };
}
