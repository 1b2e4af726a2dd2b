// The other end: a thread with a connection of its own that makes a checkpoint whenever it is asked. It writes no
// row.
import type { MessagePort } from 'node:worker_threads';
import Sqlite from 'better-sqlite3';
import { z } from 'zod';

const Data = z.object({ path: z.string() });
const CheckpointRow = z.object({ log: z.number(), checkpointed: z.number() });

/** Serves a database until the thread is ended. Passive: nobody who reads or writes waits for it. */
export function serveCheckpoints(port: MessagePort, data: unknown): void {
  const db = new Sqlite(Data.parse(data).path, { fileMustExist: true });
  db.pragma('synchronous = NORMAL');
  port.on('message', () => {
    const [row] = db.pragma('wal_checkpoint(PASSIVE)') as unknown[];
    const { log, checkpointed } = CheckpointRow.parse(row);
    port.postMessage({ frames: log, moved: checkpointed });
  });
}
