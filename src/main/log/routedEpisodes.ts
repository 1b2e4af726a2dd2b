// The episodes in which a question went to an expert of a roster, found by an index of their own.
import type { Database } from './database.ts';

/** Oldest first. */
export function readRoutedEpisodes(db: Database): string[] {
  // Written as in the index, so that it is used.
  const found = db.prepare<[], { stream: string }>(
    `SELECT stream FROM events
     WHERE kind = 'consultation.asked' AND json_extract(body, '$.routed') IS NOT NULL
     GROUP BY stream ORDER BY min(seq)`,
  );
  return found.all().map(({ stream }) => stream);
}
