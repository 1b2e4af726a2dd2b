// Which files are being imported, so that one that a killed process broke off is not forgotten. Whoever imports says
// when it is over; what is found here when the log is opened was broken off.
import type { Database } from './database.ts';

export type UnfinishedImport = { sha256: string; name: string };
export type UnfinishedImports = {
  /** Its episodes begin to come; a file that was broken off before is no longer counted so. */
  begin(file: UnfinishedImport): void;
  /** It was read to its end, or nobody wants the rest. */
  end(sha256: string): void;
  /** Whether an earlier process broke it off, and nobody has gone on. */
  isLeft(sha256: string): boolean;
  /** All that were. */
  left(): UnfinishedImport[];
};

export function createUnfinishedImports(db: Database): UnfinishedImports {
  const insert = db.prepare<[string, string]>(
    'INSERT OR IGNORE INTO unfinished_imports (sha256, name) VALUES (?, ?)',
  );
  const remove = db.prepare<[string]>('DELETE FROM unfinished_imports WHERE sha256 = ?');
  const all = db.prepare<[], UnfinishedImport>('SELECT sha256, name FROM unfinished_imports ORDER BY name');
  const left = new Map(all.all().map((file) => [file.sha256, file]));
  return {
    begin: ({ sha256, name }) => {
      left.delete(sha256);
      insert.run(sha256, name);
    },
    end: (sha256) => {
      left.delete(sha256);
      remove.run(sha256);
    },
    isLeft: (sha256) => left.has(sha256),
    left: () => [...left.values()],
  };
}
