// Runs a command that needs no more of the product than its log: the data folder is taken, the log opened, both given back.
import type { Database } from '../log/database.ts';
import type { DataFolder } from '../log/dataFolder.ts';
import type { EventLog } from '../log/eventLog.ts';
import { openDataFolder } from '../log/openLog.ts';
import { nodeEdges } from './edges.ts';
import type { CommandOutput } from './output.ts';
import { dataFolderPath } from './paths.ts';

type OpenLog = { log: EventLog; folder: DataFolder; db: Database };

/** Throws `data_in_use`, `data_unwritable`, `data_corrupt`, `log_damaged`, and what the work throws. */
export async function withLog<T>(
  { data, output }: { data: string | undefined; output: CommandOutput },
  work: (opened: OpenLog) => T | Promise<T>,
): Promise<T> {
  const opened = openDataFolder(
    dataFolderPath(data),
    nodeEdges((text) => output.say(text)),
  );
  try {
    return await work(opened);
  } finally {
    opened.close();
  }
}
