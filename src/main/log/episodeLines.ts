// An episode's line in the list and what it puts on the desk, written only where they changed: most events of a crowd
// change little of either.
import type { EpisodeRow } from '../../shared/episode/rowShapes.ts';
import { holdItems } from '../../shared/episode/calls.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import { deskItems, episodeRow } from '../../shared/episode/rows.ts';
import type { Database } from './database.ts';
import { filterText, type EpisodeList, type ListLine } from './episodeList.ts';

export type EpisodeLines = {
  /** `before`: the record that was committed last, if that is known. Call inside the event's transaction. */
  write: (record: EpisodeRecord, before: EpisodeRecord | null) => void;
  /** A line by itself, which puts nothing on the desk. `index`: where it stood in its file. */
  put: (row: EpisodeRow, index: number) => void;
  /** The line of a record, where it was written here. */
  of: (record: EpisodeRecord | undefined) => EpisodeRow | null;
};

type Written = ListLine & { hasItems: boolean };

export function createEpisodeLines(db: Database, list: EpisodeList): EpisodeLines {
  const upsert = db.prepare(
    `INSERT INTO episodes (id, started_at, status, condition, haystack, row) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET status = excluded.status, haystack = excluded.haystack, row = excluded.row`,
  );
  // A statement that names a column rewrites its indexes, also where the value stays as it was.
  const setRow = db.prepare('UPDATE episodes SET row = ? WHERE id = ?');
  const writeItems = createItems(db);
  // By the record that it was made of. A record of which the commit failed is never the one before another, so what is
  // kept here of the one before is what the tables hold.
  const written = new WeakMap<EpisodeRecord, Written>();

  const putLine = (line: ListLine, before: ListLine | null, index: number): void => {
    const { row, haystack } = line;
    const isSame = before !== null && before.haystack === haystack && before.row.status === row.status;
    const text = JSON.stringify(row);
    if (!isSame || setRow.run(text, row.id).changes === 0)
      upsert.run(row.id, row.started_at, row.status, row.condition ?? '', haystack, text);
    list.write(line, before, index);
  };
  return {
    write: (record, before) => {
      const row = episodeRow(record);
      if (row === null) return;
      const known = before === null ? undefined : written.get(before);
      const line = { row, haystack: filterText(row) };
      putLine(line, known ?? null, record.imported?.source.index ?? 0);
      const mayHaveItems = before === null || (before.n > 0 && known?.hasItems !== false);
      const hasItems = writeItems(record, mayHaveItems);
      written.set(record, { ...line, hasItems });
    },
    put: (row, index) => putLine({ row, haystack: filterText(row) }, null, index),
    of: (record) => (record === undefined ? undefined : written.get(record))?.row ?? null,
  };
}

/** Writes the episode's desk items anew; true if there are any. */
function createItems(db: Database): (record: EpisodeRecord, mayHaveItems: boolean) => boolean {
  const clearWaiting = db.prepare('DELETE FROM waiting WHERE episode = ?');
  const addWaiting = db.prepare(
    'INSERT OR REPLACE INTO waiting (consultation, episode, asked_at, item) VALUES (?, ?, ?, ?)',
  );
  const clearHolds = db.prepare('DELETE FROM holds WHERE episode = ?');
  const addHold = db.prepare('INSERT OR REPLACE INTO holds (key, episode, since, item) VALUES (?, ?, ?, ?)');
  return (record, mayHaveItems) => {
    if (mayHaveItems) {
      clearWaiting.run(record.id);
      clearHolds.run(record.id);
    }
    const [waiting, holds] = [deskItems(record), holdItems(record)];
    for (const item of waiting)
      addWaiting.run(item.consultation, item.episode, item.asked_at, JSON.stringify(item));
    for (const item of holds) addHold.run(item.key, item.episode, item.since, JSON.stringify(item));
    return waiting.length + holds.length > 0;
  };
}
