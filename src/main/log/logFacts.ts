// Numbers about a log for whoever looks for a fault: counts, kinds, codes and sizes, never a text.
import { existsSync, statSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { FailureCode } from '../../shared/failureCodes.ts';

type KindCount = { kind: string; count: number };

/** Reads the file beside whoever owns it; null where there is none, the code of what is wrong where it cannot be read. */
export function logFacts(file: string): object | null {
  if (!existsSync(file)) return null;
  try {
    const db = new Sqlite(file, { readonly: true });
    try {
      const all = (sql: string): KindCount[] => db.prepare<[], KindCount>(sql).all();
      return {
        bytes: statSync(file).size,
        schema: db.pragma('user_version', { simple: true }),
        integrity: db.pragma('quick_check(1)', { simple: true }) === 'ok',
        events: all('SELECT kind, count(*) AS count FROM events GROUP BY kind ORDER BY kind'),
        outcomes: all(
          "SELECT json_extract(body, '$.outcome') AS kind, count(*) AS count FROM events WHERE kind = 'episode.ended' GROUP BY 1",
        ),
        failures: all(
          "SELECT json_extract(body, '$.failure.code') AS kind, count(*) AS count FROM events WHERE json_extract(body, '$.failure.code') IS NOT NULL GROUP BY 1",
        ).filter(({ kind }) => FailureCode.safeParse(kind).success),
      };
    } finally {
      db.close();
    }
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'unreadable';
    return { bytes: statSync(file).size, problem: code };
  }
}
