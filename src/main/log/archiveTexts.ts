// Dropping the long texts that only archived episodes referred to. The log is looked through in short steps, for it may
// be long; what was written meanwhile is looked at in the transaction that drops them.
import { TEXT_HEAD_LENGTH } from '../../shared/events/text.ts';
import type { Database } from './database.ts';

/** Events that one step looks at. */
const STEP = 20_000;
const BLOB = /"\$blob":"([0-9a-f]{64})"/g;

/** Returns a step: true while there is more to do. */
export function dropUnusedTexts(db: Database, archive: Database): () => boolean {
  const left = new Set(
    archive
      .prepare<[], { sha256: string }>('SELECT sha256 FROM texts')
      .all()
      .map(({ sha256 }) => sha256),
  );
  // A reference holds the head of its text: a shorter body has none, and its length is told without reading it.
  const referring = db.prepare<[number, number, number], { body: string }>(
    `SELECT body FROM events WHERE seq > ? AND seq <= ? AND octet_length(body) > ? AND instr(body, '"$blob"') > 0`,
  );
  const last = db.prepare<[], { seq: number | null }>('SELECT max(seq) AS seq FROM events');
  const remove = db.prepare('DELETE FROM texts WHERE sha256 = ?');
  let seq = 0;
  const look = (until: number): void => {
    for (const { body } of referring.iterate(seq, until, TEXT_HEAD_LENGTH))
      for (const match of body.matchAll(BLOB)) left.delete(match[1] ?? '');
    seq = until;
  };
  const finish = db.transaction(() => {
    look(last.get()?.seq ?? 0);
    for (const sha256 of left) remove.run(sha256);
  });
  return () => {
    if (left.size === 0) return false;
    const end = last.get()?.seq ?? 0;
    if (end - seq > STEP) {
      look(seq + STEP);
      return true;
    }
    finish.immediate();
    left.clear();
    return false;
  };
}
