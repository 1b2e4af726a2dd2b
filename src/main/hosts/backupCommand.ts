// `interject backup`: a copy of a data folder that is proven whole, taken while Interject runs or not.
import { existsSync, writeFileSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { Failure } from '../../shared/failure.ts';
import { copyDatabase } from '../log/copyDatabase.ts';
import { checkLog, LOG_FILE } from '../log/openLog.ts';
import { markLog, readLog } from '../log/readOnly.ts';
import { CAME_WITH } from '../settings/cameWith.ts';
import { copyBeside, fillFolder, KEY_FILES, SETTINGS_FILES } from './folderCopy.ts';
import type { CommandOutput } from './output.ts';
import { dataFolderPath, fromCaller } from './paths.ts';
import { VERSION } from './version.ts';

export type BackupOptions = { data?: string; out?: string; keys?: boolean };

/** Says what a backup holds; the folder opens with `--data`. */
const BACKUP_FILE = 'backup.json';

/** Takes no lock: the copy is how the log stood at one moment. Resolves with the exit code. */
export async function backupCommand(
  { data, out, keys }: BackupOptions,
  output: CommandOutput,
): Promise<number> {
  if (out === undefined) {
    throw new Failure('bad_input', 'where to write is not said', {
      next: 'Name an empty folder with --out.',
    });
  }
  const from = dataFolderPath(data);
  const to = fromCaller(out);
  const notice = checkLog(from);
  if (notice !== null) output.say(notice);
  if (!existsSync(join(from, LOG_FILE))) {
    throw new Failure('not_found', `there is no log in ${from}`, { next: 'Name its folder with --data.' });
  }
  if (!relative(from, to).startsWith('..') && !isAbsolute(relative(from, to)))
    throw new Failure('bad_input', 'a backup inside the data folder would be lost with it', {
      next: 'Name a folder elsewhere with --out.',
    });
  const made = fillFolder(to, () => copyInto(from, to, keys === true));
  const { log, files, broken_files: broken } = made;
  output.line({ ...made, type: 'backup', folder: to });
  output.say(
    `${log.events.toLocaleString('en')} events, ${log.texts.toLocaleString('en')} long texts and ${String(Object.keys(files).length)} files are in ${to}; they were read back and are alike`,
  );
  if (existsSync(join(from, CAME_WITH)))
    output.say('what came with the folder and waits for your word was left out: say it on the desk first');
  if (keys !== true) output.say('keys were left out: --keys takes them along');
  for (const name of broken) output.say(`not copied, its bytes are not what was imported: ${name}`);
  output.say(`it opens with --data ${to}; what is erased from the log later still stands in it`);
  return broken.length === 0 ? 0 : 1;
}

/** Copies the log and what lies beside it, and says in a file of its own what the copy holds. */
function copyInto(from: string, to: string, hasKeys: boolean) {
  const log = readLog(from, (db) => copyDatabase(db, join(to, LOG_FILE)));
  markLog(to);
  const names = [...SETTINGS_FILES, ...(hasKeys ? KEY_FILES : [])];
  const { files, broken } = copyBeside(from, to, names);
  const made = {
    type: 'interject.backup',
    version: VERSION,
    made_at: new Date().toISOString(),
    log,
    files,
    has_keys: hasKeys,
    broken_files: broken,
  };
  writeFileSync(join(to, BACKUP_FILE), `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  return made;
}
