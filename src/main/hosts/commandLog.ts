// The log for a command that reads it: its own where nobody has the data folder, else the one beside whoever has it.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../shared/failure.ts';
import type { Database } from '../log/database.ts';
import type { EventLog } from '../log/eventLog.ts';
import { openLogBeside } from '../log/logBeside.ts';
import { openDataFolder } from '../log/openLog.ts';
import { openDoorLine, type DoorLine } from './doorLine.ts';
import { nodeEdges } from './edges.ts';
import type { CommandOutput } from './output.ts';
import { dataFolderPath } from './paths.ts';

export type CommandLog = {
  log: EventLog;
  db: Database;
  folder: string;
  file: (name: string) => string;
  /** To whoever has the folder: what is to be written goes there. Null where the log is the command's own. */
  line: DoorLine | null;
};
type Asked = {
  data: string | undefined;
  output: CommandOutput;
  /** False where something may be written too: whoever has the folder must have a door then. */
  isReading: boolean;
  /** Whether the folder is made where there is none: for what begins a log. */
  isMaking?: boolean;
};

/** Throws what opening a log throws; `data_in_use` where something is to be written and whoever has the folder has no door. */
export async function withCommandLog<T>(
  { data, output, isReading, isMaking = false }: Asked,
  work: (opened: CommandLog) => T | Promise<T>,
): Promise<T> {
  const folder = dataFolderPath(data);
  if (!isMaking) checkFolderExists(folder);
  const opened = await openOwnOrBeside(folder, output, isReading);
  try {
    return await work(opened);
  } finally {
    opened.close();
  }
}

/** Throws `not_found`: what works on the episodes of a folder makes none, as its name may be mistyped. */
export function checkFolderExists(folder: string): void {
  if (!existsSync(folder))
    throw new Failure('not_found', `there is no data folder ${folder}`, { next: 'Name it with --data.' });
}

type OpenedLog = CommandLog & { close: () => void };

async function openOwnOrBeside(
  folder: string,
  output: CommandOutput,
  isReading: boolean,
): Promise<OpenedLog> {
  const line = await openDoorLine(folder);
  if (line !== null) return besideOf(folder, output, line);
  try {
    const own = openDataFolder(
      folder,
      nodeEdges((text) => output.say(text)),
    );
    const { log, db } = own;
    const file = (name: string): string => join(folder, name);
    return { log, db, folder, file, line: null, close: () => own.close() };
  } catch (thrown) {
    if (!isInUse(thrown)) throw thrown;
    // Somebody may have opened it this moment.
    const late = await openDoorLine(folder);
    if (late === null && !isReading) throw thrown;
    return besideOf(folder, output, late);
  }
}

export const isInUse = (thrown: unknown): boolean =>
  thrown instanceof Failure && thrown.code === 'data_in_use';

function besideOf(folder: string, output: CommandOutput, line: DoorLine | null): OpenedLog {
  try {
    const { log, db, close } = openLogBeside(folder, (thrown) =>
      output.say(`a listener failed: ${String(thrown)}`),
    );
    return {
      log,
      db,
      folder,
      file: (name) => join(folder, name),
      line,
      close: () => {
        close();
        line?.close();
      },
    };
  } catch (thrown) {
    line?.close();
    throw thrown;
  }
}
