// Which episodes are watched. Those on screen are; a few that were stay warm, so that going back is instant.
import type { Transport } from '../client/transport.ts';
import { emptyEntry, hear, receiveEvents } from './receive.ts';
import { IN_PLACE_MAX } from './putAway.ts';
import { changeRecord, type EpisodeEntry, type ConsoleStore } from './store.ts';
import type { Recorded } from '../../shared/events/vocabulary.ts';

/** Records kept after the last view of them is gone. */
const WARM_MAX = 6;

export type EpisodeKeeper = {
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

/** How many of those left longest ago have to go: too many are kept, or what they hold is too much. */
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

export function createEpisodeKeeper(store: ConsoleStore, { transport, onErased }: Edges): EpisodeKeeper {
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
        if (seq !== undefined) changeRecord(store, (slice) => hear(slice, seq, Date.now()));
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
