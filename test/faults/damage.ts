// What a start says of a copy of the data folder that was damaged: pages overwritten, or the newest part taken away.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, rmSync, statSync, writeFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { isRecord, tryJson } from '../../src/shared/json.ts';
import { runProgram } from './programs.ts';

const PAGE = 4096;

/** What was done, and whether a start of it was clear: it opens whole, or ends with a named failure. */
export type DamageFinding = { damage: string; isClear: boolean; said: string };

/** `next` gives random numbers in [0, 1). */
export async function tryDamages(home: string, work: string, next: () => number): Promise<DamageFinding[]> {
  const pages = join(work, 'damaged-pages');
  copyFolder(home, pages);
  overwriteSomePages(join(pages, 'interject.db'), next);
  const wal = join(work, 'damaged-wal');
  copyFolder(home, wal);
  const path = join(wal, 'interject.db-wal');
  const bytes = existsSync(path) ? statSync(path).size : 0;
  const whole = digestOf(join(home, 'interject.db'));
  for (const name of ['interject.db-wal', 'interject.db-shm']) rmSync(join(wal, name), { force: true });
  const findings = await Promise.all([
    startOf(pages, 'pages overwritten', { work, whole }),
    startOf(wal, `WAL of ${String(bytes)} bytes deleted`, { work, whole }),
  ]);
  for (const folder of [pages, wal]) rmSync(folder, { recursive: true, force: true });
  return findings;
}

function copyFolder(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, {
    recursive: true,
    filter: (source) => !source.includes('.sock') && !source.endsWith('tap.json'),
  });
}

function overwriteSomePages(path: string, next: () => number): void {
  const bytes = readFileSync(path);
  const pages = Math.floor(bytes.length / PAGE);
  for (let i = 0; i < 4; i += 1) {
    const page = 1 + Math.floor(next() * (pages - 1));
    for (let at = page * PAGE; at < (page + 1) * PAGE; at += 1) bytes[at] = Math.floor(next() * 256);
  }
  writeFileSync(path, bytes);
}

/**
 * A check of an export opens the log as every command does, and ends by itself. One that opens must be whole: what was damaged held
 * nothing then, as a WAL of which every page is in the database already.
 */
async function startOf(
  folder: string,
  damage: string,
  { work, whole }: { work: string; whole: string | null },
): Promise<DamageFinding> {
  const isWhole = whole !== null && digestOf(join(folder, 'interject.db')) === whole;
  const check = ['export', '--format', 'scores', '--check', '--despite', 'no_rows'];
  const { code, said } = await runProgram([...check, '--data', folder, '--json'], work);
  const line = said.trim().split('\n').at(-1) ?? '';
  const last: unknown = tryJson(line);
  const isRefused = isRecord(last) && last['code'] === 'log_damaged' && typeof last['next'] === 'string';
  const isNamed = isRefused || (isRecord(last) && Array.isArray(last['damaged']));
  const isClear = (code === 1 && isNamed) || (code === 0 && isWhole);
  const lost = isWhole ? ', nothing lost' : '';
  return { damage: `${damage}${lost}`, isClear, said: `exit ${String(code)}: ${line.slice(0, 200)}` };
}

/** Of all events and long texts (a log that was not begun has none); null where they cannot all be read. */
function digestOf(path: string): string | null {
  const hash = createHash('sha256');
  let db: Sqlite.Database | null = null;
  try {
    // Whoever may write moves the WAL into the database as the last to close it.
    db = new Sqlite(path, { readonly: true, fileMustExist: true });
    const has = db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?");
    for (const [table, order] of Object.entries({ events: 'seq', texts: 'sha256' })) {
      if (has.get(table) === undefined) continue;
      const rows = db.prepare(`SELECT * FROM ${table} ORDER BY ${order}`);
      for (const row of rows.iterate()) hash.update(JSON.stringify(row));
    }
    return hash.digest('hex');
  } catch {
    return null;
  } finally {
    db?.close();
  }
}
