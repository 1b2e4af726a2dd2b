// Whether every page of a database file can be read, looked at on a thread where there is one: a large file takes seconds.
import type { MessagePort, Worker } from 'node:worker_threads';
import { z } from 'zod';
import type { StartThread } from './checkpoints.ts';
import { readDatabase } from './database.ts';

const Data = z.object({ path: z.string() });

/** What SQLite says of the file: `ok`, or what is wrong with it. Throws `log_damaged` for what it cannot read at all. */
const integrityOf = (path: string): string =>
  readDatabase(path, (db) => String(db.pragma('integrity_check(1)', { simple: true })));

/** The other end: looks at one file and says what it found. */
export function serveIntegrity(port: MessagePort, data: unknown): void {
  port.postMessage(integrityOf(Data.parse(data).path));
}

/** Resolves with `ok` or what is wrong. Where a thread cannot do it, it is done here. */
export async function checkIntegrity(path: string, start: StartThread | undefined): Promise<string> {
  if (start === undefined) return integrityOf(path);
  return (await wordOf(start('integrity', { path }))) ?? integrityOf(path);
}

/** Null of a thread that ended without a word. */
function wordOf(thread: Worker): Promise<string | null> {
  return new Promise((resolve) => {
    thread.once('message', (word: unknown) => resolve(z.string().safeParse(word).data ?? null));
    thread.once('error', () => resolve(null));
    thread.once('exit', () => resolve(null));
  });
}
