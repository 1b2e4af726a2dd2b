// Owns: a command that needs no more of the product than its log: the data folder is taken, the log opened, both given back.
import { takeDataFolder, type DataFolder } from '../log/dataFolder.ts';
import { openDatabase } from '../log/database.ts';
import { createEventLog, type EventLog } from '../log/eventLog.ts';
import { nodeEdges } from './edges.ts';
import type { Output } from './output.ts';
import { dataFolderPath } from './paths.ts';

export type OpenLog = { log: EventLog; folder: DataFolder };

/** Throws `data_in_use`, `data_unwritable`, `data_corrupt`, and what the work throws. */
export async function withLog<T>(
  { data, output }: { data: string | undefined; output: Output },
  work: (opened: OpenLog) => T | Promise<T>,
): Promise<T> {
  const folder = takeDataFolder(dataFolderPath(data));
  const { clock, report, startThread } = nodeEdges((text) => output.say(text));
  try {
    const db = openDatabase(folder.file('interject.db'));
    try {
      return await work({ log: createEventLog({ db, clock, onListenerError: report, startThread }), folder });
    } finally {
      db.close();
    }
  } finally {
    folder.release();
  }
}
