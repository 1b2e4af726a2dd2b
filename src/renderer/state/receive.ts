// Folding main's news into the record slice. Pure; the same fold as everywhere.
import type { EpisodeRow } from '../../shared/contract/rows.ts';
import { replaceEqualDeep } from '@tanstack/react-query';
import { foldBatch } from '../../shared/episode/fold.ts';
import { emptyRecord } from '../../shared/episode/record.ts';
import type { Recorded } from '../../shared/events/vocabulary.ts';
import type { FailureShape } from '../../shared/failure.ts';
import { heavyLength, IN_PLACE_MAX, putAway } from './putAway.ts';
import type { DeskSlice, EpisodeEntry, RecordSlice } from './store.ts';

/** Rows kept beyond what runs; the oldest ended ones go first. */
const ROWS_MAX = 5000;
/** How far back `heard` reaches; a rate over less jumps, over more lags. */
const HEARD_MS = 5000;

export const emptyEntry = (id: string): EpisodeEntry => ({
  record: emptyRecord(id),
  events: [],
  inPlace: 0,
  isPartly: false,
  isLoaded: false,
  failure: null,
});

/** One more batch of an episode's events; what was already folded is left out, so a re-sent event changes nothing. */
export function receiveEvents(
  entry: EpisodeEntry,
  batch: readonly Recorded[],
  isCaughtUp: boolean,
): EpisodeEntry {
  const fresh = batch.filter(
    (recorded) => recorded.n > entry.record.n && recorded.stream === entry.record.id,
  );
  const isLoaded = entry.isLoaded || isCaughtUp;
  if (isLoaded && entry.record.n === 0 && fresh.length === 0)
    return { ...entry, isLoaded, failure: unknownEpisode(entry.record.id) };
  if (fresh.length === 0 && isLoaded === entry.isLoaded && entry.failure === null) return entry;
  if (fresh.length === 0) return { ...entry, isLoaded, failure: null };
  const { kept, ...room } = keepLight(entry, fresh);
  const record = foldBatch(entry.record, kept);
  return { record, events: [...entry.events, ...kept], ...room, isLoaded, failure: null };
}

/** A batch as it is held: its heavy texts in place while the episode has room for them, else put away. */
function keepLight(
  { inPlace, isPartly }: EpisodeEntry,
  fresh: readonly Recorded[],
): Pick<EpisodeEntry, 'inPlace' | 'isPartly'> & { kept: readonly Recorded[] } {
  let room = { inPlace, isPartly };
  const kept = fresh.map((recorded) => {
    const whole = room.inPlace + heavyLength(recorded);
    if (whole <= IN_PLACE_MAX) {
      room = { ...room, inPlace: whole };
      return recorded;
    }
    const light = putAway(recorded);
    if (light !== recorded) room = { ...room, isPartly: true };
    return light;
  });
  return { ...room, kept };
}

const unknownEpisode = (id: string): FailureShape => ({
  code: 'not_found',
  message: `There is no episode ${id} in this data folder.`,
  next: 'Choose one in Episodes.',
});

/** Newer rows replace older ones; a row that is older than the one we have is left out. */
export function receiveRows(slice: RecordSlice, rows: readonly EpisodeRow[]): RecordSlice {
  const fresh = rows.filter((row) => row.seq > (slice.rows.get(row.id)?.seq ?? -1));
  if (fresh.length === 0) return slice;
  const next = new Map(slice.rows);
  for (const row of fresh) next.set(row.id, row);
  return { ...slice, rows: next.size > ROWS_MAX ? pruned(next) : next };
}

function pruned(rows: Map<string, EpisodeRow>): Map<string, EpisodeRow> {
  const ended = [...rows.values()]
    .filter((row) => row.status === 'ended')
    .toSorted((a, b) => a.updated_at - b.updated_at);
  for (const row of ended.slice(0, rows.size - ROWS_MAX)) rows.delete(row.id);
  return rows;
}

/**
 * What is as it was keeps its identity, wherever it stands now, so that its line is not drawn again; of a desk that is as
 * it was nothing is.
 */
export function receiveDesk(slice: RecordSlice, told: Omit<DeskSlice, 'isLoaded'>): RecordSlice {
  const before = slice.desk;
  const desk = {
    ...told,
    items: keepEqual(before.items, told.items, ({ consultation }) => consultation),
    holds: keepEqual(before.holds, told.holds, ({ key, since }) => `${key} ${String(since)}`),
    seats: replaceEqualDeep(before.seats, told.seats),
    isLoaded: true,
  };
  const isSame =
    before.isLoaded &&
    before.total === desk.total &&
    before.items === desk.items &&
    before.holds === desk.holds &&
    before.seats === desk.seats;
  return isSame ? slice : { ...slice, desk };
}

/**
 * `next`, with the members of `before` that are the same under the same name; `before` itself where all are. `keep`
 * gives the old one, as it is or in parts, where it equals the new one.
 */
export function keepEqual<T>(
  before: readonly T[],
  next: readonly T[],
  nameOf: (one: T) => string,
  keep: (old: T | undefined, one: T) => T = replaceEqualDeep,
): readonly T[] {
  const named = new Map(before.map((one) => [nameOf(one), one]));
  const kept = next.map((one) => keep(named.get(nameOf(one)), one));
  return kept.length === before.length && kept.every((one, at) => one === before[at]) ? before : kept;
}

/** Notes the newest seq heard, so that the status line can say how fast the log grows. */
export function hear(slice: RecordSlice, seq: number, at: number): RecordSlice {
  const last = slice.heard.at(-1);
  if (seq <= (last?.seq ?? 0)) return slice;
  const recent = slice.heard.filter((mark) => at - mark.at <= HEARD_MS);
  return { ...slice, heard: [...recent, { at, seq }] };
}

/** Events per second over the last few seconds; 0 when nothing was heard lately. */
export function eventRate(heard: RecordSlice['heard'], now: number): number {
  const recent = heard.filter((mark) => now - mark.at <= HEARD_MS);
  const [first, last] = [recent[0], recent.at(-1)];
  return first === undefined || last === undefined ? 0 : (last.seq - first.seq) / (HEARD_MS / 1000);
}
