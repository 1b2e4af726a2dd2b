// The lines of episodes as they are when each is written once, from all its events, into tables that are empty.
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { openDatabase, type Database } from '../../src/main/log/database.ts';
import type { EventLog } from '../../src/main/log/eventLog.ts';
import { createProjections } from '../../src/main/log/projections.ts';
import { foldAll } from '../../src/shared/episode/fold.ts';

const TABLES = ['episodes', 'episode_list', 'waiting', 'holds'];

/** The rows of each table, in an order that does not depend on how they came there. */
export const rowsOf = (db: Database, tables: readonly string[]): string[][] =>
  tables.map((table) =>
    db
      .prepare(`SELECT * FROM ${table}`)
      .all()
      .map((row) => JSON.stringify(row))
      .toSorted(),
  );

/** Throws where the tables of a log, or the rows that it tells, are not as they are when they are written at once. */
export function checkLines(db: Database, log: EventLog): void {
  const anew = openDatabase(':memory:');
  try {
    const projections = createProjections(anew, (text) => log.texts.loadText(text));
    for (const stream of log.streams('')) {
      const events = log.read(stream);
      projections.writeStream(foldAll(stream, events), events);
    }
    const [there, due] = [rowsOf(db, TABLES), rowsOf(anew, TABLES)];
    if (!isDeepStrictEqual(there, due)) expect(there).toEqual(due);
    for (const { id } of db.prepare<[], { id: string }>('SELECT id FROM episodes').all()) {
      const [told, read] = [log.projections.episode(id), projections.episode(id)];
      // What is told of it beside its line stands in other tables.
      if (!isDeepStrictEqual(told, { ...read, tags: told?.tags })) expect(told).toEqual(read);
    }
  } finally {
    anew.close();
  }
}
