// Taking out what a killed process had written of an episode that never became whole. Nobody has seen any of it.
import type { Database } from './database.ts';
import { forgetFrom } from './searchIndex.ts';

/** Removes half-imported episodes when the log is opened. */
export function removeHalfImported(db: Database, beforeRemoval?: BeforeRemoval): void {
  const left = db.prepare<[], { stream: string }>('SELECT stream FROM half_imported').all();
  for (const { stream } of left) removeHalf(db, stream, beforeRemoval);
}

/** Told the first place in the log that will be given out again. */
type BeforeRemoval = (firstSeq: number) => void;

/** One such episode, and the words the search had taken in of it: its places in the log are given out again. */
export function removeHalf(
  db: Database,
  stream: string,
  beforeRemoval: BeforeRemoval = () => undefined,
): void {
  const first = db.prepare<[string], { seq: number | null }>(
    'SELECT min(seq) AS seq FROM events WHERE stream = ?',
  );
  const seq = first.get(stream)?.seq ?? null;
  if (seq !== null) beforeRemoval(seq);
  db.transaction(() => {
    if (seq !== null) forgetFrom(db, seq);
    db.prepare('DELETE FROM events WHERE stream = ?').run(stream);
    db.prepare('DELETE FROM half_imported WHERE stream = ?').run(stream);
  }).immediate();
}
