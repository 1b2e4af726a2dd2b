// Numbers that belong to the log and are not derived from its events: how far each source outside it was read, how
// much is left of a deadline.
import type { Database } from './database.ts';

export type SourceMark = { name: string; value: number };
export type SourceMarks = {
  /** 0 when there is none of that name. */
  read(name: string): number;
  /** Call inside the transaction of what was taken in. */
  write(mark: SourceMark): void;
  /** Writes several, in a transaction of their own. */
  keep(marks: readonly SourceMark[]): void;
  drop(names: readonly string[]): void;
  names(prefix: string): string[];
};

export function createMarks(db: Database): SourceMarks {
  const select = db.prepare<[string], { value: number }>('SELECT value FROM marks WHERE name = ?');
  const upsert = db.prepare(
    'INSERT INTO marks (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  );
  const remove = db.prepare<[string]>('DELETE FROM marks WHERE name = ?');
  const below = db
    .prepare<[string, string], string>('SELECT name FROM marks WHERE name >= ? AND name < ?')
    .pluck();
  const write = ({ name, value }: SourceMark): void => {
    upsert.run(name, value);
  };
  const inOne = db.transaction((run: () => void) => run());
  return {
    read: (name) => select.get(name)?.value ?? 0,
    write,
    keep: (marks) => inOne.immediate(() => marks.forEach(write)),
    drop: (names) => inOne.immediate(() => names.forEach((name) => remove.run(name))),
    names: (prefix) => below.all(prefix, `${prefix}\uffff`),
  };
}
