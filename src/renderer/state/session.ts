// One console's session: its store, its line to main, the news every view needs, which episodes are watched, and folding
// what comes into the record slice.
import { type QueryClient, replaceEqualDeep } from '@tanstack/react-query';
import type { EpisodeRow } from '../../shared/episode/rowShapes.ts';
import { foldBatch } from '../../shared/episode/fold.ts';
import type { Status } from '../../shared/episode/record.ts';
import type { Recorded } from '../../shared/events/vocabulary.ts';
import { failureShape, type FailureShape } from '../../shared/failure.ts';
import type { Transport } from '../client/transport.ts';
import { keepChoices } from './choices.ts';
import { forgetOldDrafts, keepDrafts, readDrafts } from './drafts.ts';
import { createKept, type TabStorage, type Storage } from './kept.ts';
import { createKeyboard, type Keyboard } from './keyboard.ts';
import { chordsOf } from './keys.ts';
import { IN_PLACE_MAX, heavyLength, putAway } from './putAway.ts';
import { createQueries } from './queries.ts';
import {
  changeRecord,
  changeUi,
  createConsoleStore,
  type ConsoleStore,
  type EpisodeEntry,
  type DeskSlice,
  type RecordSlice,
  emptyEntry,
} from './store.ts';
import { tabKept } from './tab.ts';
import { createTexts, type Texts } from './texts.ts';
import { showToast } from './toasts.ts';

export type Session = {
  call: Transport['call'];
  /** Watches what the session itself does not; returns its undo. */
  watch: Transport['subscribe'];
  seat: string;
  /** Goes on with the owner's new token in place of the old one. */
  enter?: (token: string) => Promise<void>;
  store: ConsoleStore;
  episodes: EpisodeKeeper;
  texts: Texts;
  keyboard: Keyboard;
  /** What main answered, as long as something shows it. */
  queries: QueryClient;
  /** What a view keeps for itself over a reload. */
  kept: TabStorage;
  /** The same, for this tab alone: what a person has written and not sent. */
  own: TabStorage;
  retry: () => void;
  /** Reads again what main says about itself, after settings changed. */
  refreshApp: () => void;
  close: () => void;
};

type SessionEdges = Pick<Session, 'seat' | 'enter'> & {
  transport: Transport;
  storage: Storage;
  /** Tells this tab from others of the same browser. */
  tab: string;
  now?: () => number;
};

const RUNNING: readonly Status[] = ['starting', 'running', 'waiting'];
const ROWS_LIMIT = 500;

export function createSession({ transport, storage, tab, now = Date.now, ...who }: SessionEdges): Session {
  const kept = createKept(storage);
  const own = tabKept(kept, tab);
  forgetOldDrafts(own, now());
  const store = createConsoleStore(kept, readDrafts(own));
  const texts = createTexts(transport.call);
  const episodes = createEpisodeKeeper(store, { transport, onErased: texts.forget });
  const keyboard = createKeyboard(now, (id) => chordsOf(id, store.getState().ui.prefs.plain_keys));

  const refreshApp = (): void => void readApp(store, transport);
  const onOpen = (): void => {
    refreshApp();
    void readRunning(store, transport);
  };
  const ends = [
    keepDrafts(store, own, now),
    keepChoices(store, kept),
    transport.subscribe({ topic: 'desk' }, (push) => {
      if (push.topic !== 'desk') return;
      const { topic: _topic, ...desk } = push;
      const isFirst = !store.getState().record.desk.isLoaded;
      if (isFirst && desk.items.length > 0) changeUi(store, () => ({ isFirstCardNext: true }));
      changeRecord(store, (slice) => receiveDesk(slice, desk));
    }),
    transport.subscribe({ topic: 'episodes' }, (push) => {
      if (push.topic === 'refetch') void readRunning(store, transport);
      if (push.topic !== 'episodes') return;
      const newest = Math.max(0, ...push.rows.map((row) => row.seq));
      changeRecord(store, (slice) => hear(receiveRows(slice, push.rows), newest));
    }),
    // An expert's seat is led to its reviews from the moment a queue is for it.
    transport.subscribe({ topic: 'projects' }, () => {
      const { app } = store.getState().record;
      if (app?.role === 'expert' && app.may_review !== true) refreshApp();
    }),
    transport.onStatus((connection) => {
      changeUi(store, () => ({ connection }));
      if (connection.state === 'open') onOpen();
    }),
  ];
  changeUi(store, () => ({ connection: transport.status() }));
  if (transport.status().state === 'open') onOpen();

  return {
    call: transport.call,
    watch: transport.subscribe,
    ...who,
    store,
    episodes,
    texts,
    keyboard,
    queries: createQueries(),
    kept,
    own,
    retry: transport.retry,
    refreshApp,
    close() {
      for (const end of ends) end();
      episodes.close();
      transport.close();
    },
  };
}

async function readApp(store: ConsoleStore, { call }: Pick<Transport, 'call'>): Promise<void> {
  try {
    const app = await call('app.describe', {});
    changeRecord(store, (slice) => ({ ...slice, app }));
  } catch (thrown) {
    reportUnlessClosed(store, thrown, 'Could not connect to the server');
  }
}

/** Reads what runs now; rows that ended while we were away are read again by whoever shows them. */
async function readRunning(store: ConsoleStore, { call }: Pick<Transport, 'call'>): Promise<void> {
  try {
    const pages = await Promise.all(
      RUNNING.map((status) =>
        call('episodes.page', { query: '', status, condition: null, offset: 0, limit: ROWS_LIMIT }),
      ),
    );
    const rows = pages.flatMap((page) => page.rows);
    const running = new Set(rows.map((row) => row.id));
    changeRecord(store, (slice) => {
      const still = [...slice.rows].filter(([id, row]) => row.status === 'ended' || running.has(id));
      const next = receiveRows({ ...slice, rows: new Map(still) }, rows);
      return { ...next, areRowsLoaded: true, rowsRevision: slice.rowsRevision + 1 };
    });
  } catch (thrown) {
    reportUnlessClosed(store, thrown, 'Could not read the running episodes');
  }
}

/** A lost line already shows in the status line. */
function reportUnlessClosed(store: ConsoleStore, thrown: unknown, title: string): void {
  const failure = failureShape(thrown);
  if (failure.code === 'closed') return;
  showToast(store, { tone: 'error', title, text: failure.message });
}

/** Records kept after the last view of them is gone. */
const WARM_MAX = 6;

type EpisodeKeeper = {
  /** Watches an episode until the returned function is called; many may watch the same one. */
  acquire: (id: string) => () => void;
  close: () => void;
};

type Edges = {
  transport: Pick<Transport, 'subscribe'>;
  /** Texts of an episode were taken out of the log: what was read of them must not stay here. */
  onErased: () => void;
};

const entryChange =
  (store: ConsoleStore) =>
  (id: string, by: (entry: EpisodeEntry) => EpisodeEntry): void =>
    changeRecord(store, (slice) => {
      const entry = slice.episodes[id] ?? emptyEntry(id);
      const next = by(entry);
      return next === slice.episodes[id] ? slice : { ...slice, episodes: { ...slice.episodes, [id]: next } };
    });

/** The number of those left longest ago that have to go: too many are kept, or they hold too much. */
function coldCount(store: ConsoleStore, warm: readonly string[]): number {
  const { episodes } = store.getState().record;
  let [room, count] = [IN_PLACE_MAX, 0];
  for (const id of warm.toReversed()) {
    room -= episodes[id]?.inPlace ?? 0;
    // The one just left stays, whatever it holds: one goes back to it.
    if (count > 0 && (count >= WARM_MAX || room < 0)) break;
    count += 1;
  }
  return warm.length - count;
}

/** Tells, once for each, that events which are held are no longer what the log holds. */
function createErasures(store: ConsoleStore): (id: string, events: readonly Recorded[]) => boolean {
  const known = new Map<string, number>();
  return (id, events) => {
    const n = events.findLast(({ event }) => event.kind === 'episode.erased')?.n ?? 0;
    if (n <= (known.get(id) ?? 0)) return false;
    known.set(id, n);
    return (store.getState().record.episodes[id]?.record.n ?? 0) > 0;
  };
}

/** Those on screen are watched; a few that were stay warm, so that going back is instant. */
function createEpisodeKeeper(store: ConsoleStore, { transport, onErased }: Edges): EpisodeKeeper {
  const users = new Map<string, number>();
  const watches = new Map<string, () => void>();
  /** Ids nobody looks at, longest unused first. */
  let warm: string[] = [];
  const isErasure = createErasures(store);

  const change = entryChange(store);
  const watch = (id: string): void => {
    change(id, (entry) => ({ ...entry, failure: null }));
    const after = store.getState().record.episodes[id]?.record.n ?? 0;
    const end = transport.subscribe(
      { topic: 'episode', episode: id, after },
      (push) => {
        if (push.topic !== 'episode') return;
        if (isErasure(id, push.events)) {
          forget(id);
          onErased();
          return watch(id);
        }
        change(id, (entry) => receiveEvents(entry, push.events, push.is_caught_up));
        const seq = push.events.at(-1)?.seq;
        if (seq !== undefined) changeRecord(store, (slice) => hear(slice, seq));
      },
      (failure) => {
        watches.delete(id);
        change(id, (entry) => ({ ...entry, failure }));
      },
    );
    watches.set(id, end);
  };
  const forget = (id: string): void => {
    watches.get(id)?.();
    watches.delete(id);
    changeRecord(store, (slice) => {
      const { [id]: _gone, ...episodes } = slice.episodes;
      return { ...slice, episodes };
    });
  };

  return {
    acquire(id) {
      users.set(id, (users.get(id) ?? 0) + 1);
      warm = warm.filter((other) => other !== id);
      if (!watches.has(id)) watch(id);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        const left = (users.get(id) ?? 1) - 1;
        users.set(id, left);
        if (left > 0) return;
        users.delete(id);
        warm = [...warm, id];
        for (const cold of warm.splice(0, coldCount(store, warm))) forget(cold);
      };
    },
    close() {
      for (const end of watches.values()) end();
      watches.clear();
    },
  };
}

/** Rows kept beyond what runs; the oldest ended ones go first. */
const ROWS_MAX = 5000;

/** One more batch of an episode's events; what was already folded is left out, so a re-sent event changes nothing. */
function receiveEvents(entry: EpisodeEntry, batch: readonly Recorded[], isCaughtUp: boolean): EpisodeEntry {
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
function receiveRows(slice: RecordSlice, rows: readonly EpisodeRow[]): RecordSlice {
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
 * An unchanged item keeps its identity, wherever it stands now, so that its line is not drawn again; of an unchanged
 * desk nothing is.
 */
export function receiveDesk(slice: RecordSlice, news: Omit<DeskSlice, 'isLoaded'>): RecordSlice {
  const before = slice.desk;
  const desk = {
    ...news,
    items: keepEqual(before.items, news.items, ({ consultation }) => consultation),
    holds: keepEqual(before.holds, news.holds, ({ key, since }) => `${key} ${String(since)}`),
    seats: replaceEqualDeep(before.seats, news.seats),
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

const hear = (slice: RecordSlice, seq: number): RecordSlice =>
  seq <= slice.newestSeq ? slice : { ...slice, newestSeq: seq };
