// Episodes that were started and wait for a place. The log has no word of them yet: here they outlive a killed process, each
// with the events that its log would begin with.
import { z } from 'zod';
import { Actor } from '../../shared/events/actor.ts';
import { LogEvent } from '../../shared/events/vocabulary.ts';
import { parseJson } from '../../shared/json.ts';
import { createCover } from '../../shared/redact/cover.ts';
import { databaseFailure, isSqlite, type Database } from './database.ts';
import type { LogEntry } from './eventLog.ts';

export type QueuedEpisode = { id: string; opening: LogEntry[] };
export type QueuedEpisodes = {
  /** Throws `data_unwritable`. */
  add(episode: QueuedEpisode): void;
  /** Those that are not begun any more. What begins leaves by itself, in the transaction of its first event. */
  remove(ids: readonly string[]): void;
  /** In the order in which they were started. One that cannot be read is left out. */
  all(): QueuedEpisode[];
};

const Opening = z.array(z.object({ actor: Actor, event: z.looseObject({ kind: z.string() }) })).min(1);

export function createQueuedEpisodes(db: Database): QueuedEpisodes {
  const insert = db.prepare<[string, string]>('INSERT INTO queued (id, opening) VALUES (?, ?)');
  const remove = createDequeue(db);
  const select = db.prepare<[], { id: string; opening: string }>(
    'SELECT id, opening FROM queued ORDER BY place',
  );
  const inOne = db.transaction((ids: readonly string[]) => ids.forEach(remove));
  const saying = <T>(work: () => T): T => {
    try {
      return work();
    } catch (thrown) {
      throw isSqlite(thrown) ? databaseFailure(thrown, db.name) : thrown;
    }
  };
  return {
    add: ({ id, opening }) =>
      saying(() => void insert.run(id, JSON.stringify(createCover([]).cover(opening)))),
    remove: (ids) => saying(() => inOne.immediate(ids)),
    all: () =>
      select.all().flatMap(({ id, opening }) => {
        const read = readOpening(opening);
        return read === null ? [] : [{ id, opening: read }];
      }),
  };
}

/** Takes one out: call it inside the transaction in which its log begins. */
export function createDequeue(db: Database): (id: string) => void {
  const statement = db.prepare<[string]>('DELETE FROM queued WHERE id = ?');
  return (id) => void statement.run(id);
}

function readOpening(text: string): LogEntry[] | null {
  try {
    return Opening.parse(parseJson(text)).map(({ actor, event }) => ({
      actor,
      event: LogEvent.parse(event),
    }));
  } catch {
    return null;
  }
}
