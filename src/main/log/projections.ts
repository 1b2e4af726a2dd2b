// Owns: the small tables a console reads (episode list, desk, what a seat has seen). Written in the event's own
// transaction, and rebuildable from the log alone.
import { DeskItem, EpisodeRow } from '../../shared/contract/rows.ts';
import { Saw } from '../../shared/events/actor.ts';
import type { Recorded } from '../../shared/events/vocabulary.ts';
import { deskItems, episodeRow } from '../../shared/episode/rows.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import type { Database } from './database.ts';

export type EpisodeQuery = {
  query: string;
  status: string | null;
  condition: string | null;
  offset: number;
  limit: number;
};

export type Projections = {
  /** Brings the tables up to date with one event. Call inside the event's transaction. */
  write(record: EpisodeRecord, recorded: Recorded): void;
  episodes(query: EpisodeQuery): { total: number; rows: EpisodeRow[] };
  episode(id: string): EpisodeRow | null;
  /** Ids of the episodes that have not ended. */
  open(): string[];
  /** Ids of the episodes that have ended, oldest first. */
  ended(): string[];
  desk(offset: number, limit: number): { total: number; items: DeskItem[] };
  /** What a seat has seen of a task's answer, in any episode. */
  seen(seat: string, scenario: string, taskIdx: number | null): Saw[];
};

/** A task without an index still needs a key. */
const NO_TASK = -1;

export function createProjections(db: Database): Projections {
  const upsert = db.prepare(
    `INSERT INTO episodes (id, started_at, status, condition, haystack, row) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET status = excluded.status, haystack = excluded.haystack, row = excluded.row`,
  );
  const clearWaiting = db.prepare('DELETE FROM waiting WHERE episode = ?');
  const addWaiting = db.prepare(
    'INSERT OR REPLACE INTO waiting (consultation, episode, asked_at, item) VALUES (?, ?, ?, ?)',
  );
  const see = db.prepare('INSERT OR IGNORE INTO seen (seat, scenario, task_idx, saw) VALUES (?, ?, ?, ?)');
  const seenBy = db.prepare<[string, string, number], { saw: string }>(
    'SELECT saw FROM seen WHERE seat = ? AND scenario = ? AND task_idx = ?',
  );
  const oneRow = db.prepare<[string], { row: string }>('SELECT row FROM episodes WHERE id = ?');
  const unended = db.prepare<[], { id: string }>(
    `SELECT id FROM episodes WHERE status <> 'ended' ORDER BY started_at, id`,
  );
  const ended = db.prepare<[], { id: string }>(
    `SELECT id FROM episodes WHERE status = 'ended' ORDER BY started_at, id`,
  );
  const deskCount = db.prepare<[], { total: number }>('SELECT count(*) AS total FROM waiting');
  const deskPage = db.prepare<[number, number], { item: string }>(
    'SELECT item FROM waiting ORDER BY asked_at, consultation LIMIT ? OFFSET ?',
  );

  const writeWaiting = (record: EpisodeRecord, before: boolean): void => {
    const items = deskItems(record);
    if (!before && items.length === 0) return;
    clearWaiting.run(record.id);
    for (const item of items) {
      addWaiting.run(item.consultation, item.episode, item.asked_at, JSON.stringify(item));
    }
  };

  return {
    write: (record, { event }) => {
      if (event.kind === 'answer.seen') {
        for (const saw of event.saw) see.run(event.seat, event.scenario, event.task_idx ?? NO_TASK, saw);
        return;
      }
      const row = episodeRow(record);
      if (row === null) return;
      const haystack = [row.id, row.scenario, row.task, row.model, row.environment].join('\n').toLowerCase();
      upsert.run(row.id, row.started_at, row.status, row.condition, haystack, JSON.stringify(row));
      if (record.consultations.length > 0) writeWaiting(record, true);
    },
    episodes: (query) => pageOfEpisodes(db, query),
    episode: (id) => {
      const found = oneRow.get(id);
      return found === undefined ? null : EpisodeRow.parse(JSON.parse(found.row));
    },
    ended: () => ended.all().map(({ id }) => id),
    open: () => unended.all().map(({ id }) => id),
    desk: (offset, limit) => ({
      total: deskCount.get()?.total ?? 0,
      items: deskPage.all(limit, offset).map(({ item }) => DeskItem.parse(JSON.parse(item))),
    }),
    seen: (seat, scenario, taskIdx) =>
      seenBy.all(seat, scenario, taskIdx ?? NO_TASK).map(({ saw }) => Saw.parse(saw)),
  };
}

function pageOfEpisodes(db: Database, { query, status, condition, offset, limit }: EpisodeQuery) {
  const where: string[] = [];
  const values: (string | number)[] = [];
  for (const word of query.toLowerCase().split(/\s+/).filter(Boolean)) {
    where.push(`haystack LIKE ? ESCAPE '\\'`);
    values.push(`%${word.replace(/[\\%_]/g, '\\$&')}%`);
  }
  if (status !== null) {
    where.push('status = ?');
    values.push(status);
  }
  if (condition !== null) {
    where.push('condition = ?');
    values.push(condition);
  }
  const filter = where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`;
  const count = db.prepare<unknown[], { total: number }>(`SELECT count(*) AS total FROM episodes ${filter}`);
  const page = db.prepare<unknown[], { row: string }>(
    `SELECT row FROM episodes ${filter} ORDER BY started_at DESC, id DESC LIMIT ? OFFSET ?`,
  );
  return {
    total: count.get(...values)?.total ?? 0,
    rows: page.all(...values, limit, offset).map(({ row }) => EpisodeRow.parse(JSON.parse(row))),
  };
}
