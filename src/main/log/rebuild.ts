// Owns: making the small tables again from the events alone, when their shape has changed or they are in doubt.
import { foldAll } from '../../shared/episode/fold.ts';
import type { Database } from './database.ts';
import { createProjections } from './projections.ts';
import { createReader } from './reader.ts';

/** Every table that is derived from the events, and nothing else. */
export const PROJECTED_TABLES = ['episodes', 'waiting', 'holds', 'seen'] as const;

/** Empties the projections and fills them from the log, in one transaction. */
export function rebuildProjections(db: Database): void {
  const reader = createReader(db);
  const projections = createProjections(db);
  const rebuild = db.transaction(() => {
    for (const table of PROJECTED_TABLES) db.exec(`DELETE FROM ${table}`);
    for (const stream of reader.streams()) {
      const events = reader.read(stream);
      const record = foldAll(stream, events);
      // A record stands for all its events but these, which are of no episode.
      for (const one of events) if (one.event.kind === 'answer.seen') projections.write(record, one);
      const last = events.at(-1);
      if (last !== undefined && last.event.kind !== 'answer.seen') projections.write(record, last);
    }
  });
  rebuild.immediate();
}
