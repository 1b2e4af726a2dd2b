// How far each source outside the log was read. Not derived from events, so it is not a projection.
import type { Database } from './database.ts';

export type SourceMark = { name: string; value: number };
export type SourceMarks = {
  /** 0 when there is none of that name. */
  read(name: string): number;
  /** Call inside the transaction of what was taken in. */
  write(mark: SourceMark): void;
};

export function createMarks(db: Database): SourceMarks {
  db.exec(
    'CREATE TABLE IF NOT EXISTS marks (name TEXT PRIMARY KEY, value REAL NOT NULL) STRICT, WITHOUT ROWID',
  );
  const select = db.prepare<[string], { value: number }>('SELECT value FROM marks WHERE name = ?');
  const upsert = db.prepare(
    'INSERT INTO marks (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  );
  return {
    read: (name) => select.get(name)?.value ?? 0,
    write: ({ name, value }) => {
      upsert.run(name, value);
    },
  };
}
