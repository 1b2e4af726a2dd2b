// The two databases that the verifiers in this folder are asked about.
import Sqlite from 'better-sqlite3';

export function itemsDatabase(isFinal: boolean): Uint8Array {
  const db = new Sqlite(':memory:');
  db.exec(`CREATE TABLE items (id INTEGER PRIMARY KEY, title TEXT, amount REAL, made_at TEXT);
    INSERT INTO items VALUES (1, 'table', 20.1, '2026-01-01 00:00:00'), (2, 'Lamp', 1.2, '2026-02-28 23:30:00');`);
  if (isFinal) db.exec("INSERT INTO items VALUES (3, 'Chair', 40.0, '2026-07-04 03:15:00')");
  const bytes = db.serialize();
  db.close();
  return bytes;
}
