// Writing many rows of events at once. Call inside a transaction.
import type { Recorded } from '../../shared/events/vocabulary.ts';
import type { Database } from './database.ts';

export type NewEventRow = Omit<Recorded, 'seq'>;
type PutRows = (rows: readonly NewEventRow[]) => Recorded[];

/** Rows of one statement: a statement for each costs twice as much. */
const ROWS_PER_INSERT = 16;
const insertEvents = (rows: number): string =>
  `INSERT INTO events (stream, n, at, kind, actor, body) VALUES ${Array(rows).fill('(?, ?, ?, ?, ?, ?)').join(', ')}`;

/** Writes rows in order and returns them with their numbers. Numbers of a statement's rows follow each other: only the last is told. */
export function createPutRows(db: Database): PutRows {
  const one = db.prepare(insertEvents(1));
  const many = db.prepare(insertEvents(ROWS_PER_INSERT));
  return (rows) => {
    const written: Recorded[] = [];
    for (let from = 0; from < rows.length;) {
      const isFull = rows.length - from >= ROWS_PER_INSERT;
      const some = rows.slice(from, from + (isFull ? ROWS_PER_INSERT : 1));
      const values: (string | number)[] = [];
      for (const { stream, n, at, event, actor } of some) {
        values.push(stream, n, at, event.kind, JSON.stringify(actor), JSON.stringify(event));
      }
      const last = Number((isFull ? many : one).run(values).lastInsertRowid);
      some.forEach((row, index) => written.push({ seq: last - some.length + 1 + index, ...row }));
      from += some.length;
    }
    return written;
  };
}
