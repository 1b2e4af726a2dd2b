// Checks of `interject doctor` in a data folder: its owner, file locks, the log, its files, the disk.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Failure } from '../../shared/failure.ts';
import { sizeWords } from '../dataset/import/limits.ts';
import { LOCK_FILE, takeDataFolder } from '../log/dataFolder.ts';
import { lastSeq } from '../log/highWater.ts';
import { checkLog, LOG_FILE } from '../log/openLog.ts';
import { readLog } from '../log/readOnly.ts';
import { openToOthers } from '../log/ownerOnly.ts';
import { CAME_WITH, isOwnFolder } from '../settings/cameWith.ts';
import { readUserKey } from './userKey.ts';

type CheckFinding = { status: 'pass' | 'warn' | 'fail'; evidence: string };

export const passFinding = (evidence: string): CheckFinding => ({ status: 'pass', evidence });
export const warnFinding = (evidence: string): CheckFinding => ({ status: 'warn', evidence });

/** Each check of a data folder by its name. One that throws has failed. */
export const folderChecks = (folder: string): { name: string; run: () => Promise<CheckFinding> }[] => [
  { name: 'data folder', run: async () => writable(folder) },
  {
    name: 'folder lock',
    run: async () => (existsSync(folder) ? lock(folder) : passFinding('nothing to lock yet')),
  },
  { name: 'origin', run: () => origin(folder) },
  { name: 'log', run: async () => log(folder) },
  { name: 'file permissions', run: async () => permissions(folder) },
  { name: 'disk space', run: async () => space(folder) },
];

function nearestExisting(folder: string): string {
  let at = folder;
  while (!existsSync(at) && dirname(at) !== at) at = dirname(at);
  return at;
}

function writable(folder: string): CheckFinding {
  const at = nearestExisting(folder);
  accessSync(at, constants.W_OK);
  return passFinding(at === folder ? `${folder} is writable` : `${folder} will be made`);
}

/** Exits with 0 when it gets a lock that this process holds, 5 when it is refused as it should be. */
const TRY_LOCK = `
const Sqlite = require(process.argv[1]);
try {
  new Sqlite(process.argv[2], { timeout: 0 }).exec('BEGIN EXCLUSIVE');
} catch (thrown) {
  process.exit(thrown.code === 'SQLITE_BUSY' ? 5 : 6);
}
`;

/** Some network file systems grant every lock to everybody: only a second process tells. */
function lock(folder: string): CheckFinding {
  let held: ReturnType<typeof takeDataFolder>;
  try {
    held = takeDataFolder(folder, 0);
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === 'data_in_use') return passFinding(thrown.message);
    throw thrown;
  }
  try {
    const addon = createRequire(import.meta.url).resolve('better-sqlite3');
    const args = ['-e', TRY_LOCK, addon, join(folder, LOCK_FILE)];
    const { status } = spawnSync(process.execPath, args, { stdio: 'ignore', timeout: 30_000 });
    if (status === 5) return passFinding('free; a second process is kept out');
    if (status === 0) {
      throw new Failure('data_unwritable', `the file system of ${folder} gives one lock to two processes`, {
        next: 'Choose a folder on a local disk: two Interjects could write one log there.',
      });
    }
    return warnFinding('free; whether a second process is kept out could not be tried');
  } finally {
    held.release();
  }
}

/** Checks that this user made it here. */
async function origin(folder: string): Promise<CheckFinding> {
  if (!existsSync(join(folder, LOG_FILE)) && !existsSync(join(folder, 'settings.json')))
    return passFinding('nothing came with it');
  if (!isOwnFolder(folder, await readUserKey()))
    return warnFinding(
      'made elsewhere, or by a backup: of its invites, keys and addresses none holds until you say so on the desk',
    );
  return existsSync(join(folder, CAME_WITH))
    ? warnFinding('what came with it waits for your word on the desk')
    : passFinding('made by you on this machine');
}

function log(folder: string): CheckFinding {
  const lost = checkLog(folder, true);
  const path = join(folder, LOG_FILE);
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return passFinding('there is none yet');
  const last = readLog(folder, lastSeq);
  const words = `SQLite finds no fault in ${sizeWords(statSync(path).size)}; it ends with event ${String(last)}, where it should`;
  return lost === null ? passFinding(words) : warnFinding(lost);
}

function permissions(folder: string): CheckFinding {
  const open = openToOthers(folder);
  return open.length === 0
    ? passFinding('the log, settings and keys can be read by their owner only')
    : warnFinding(`other users can read ${open.join(', ')}; the next start closes them`);
}

const LOW_BYTES = 1024 * 1024 * 1024;

/** A backup, or erasing, needs room for the log once more. */
function space(folder: string): CheckFinding {
  const { bavail, bsize } = statfsSync(nearestExisting(folder));
  const size = statSync(join(folder, LOG_FILE), { throwIfNoEntry: false })?.size ?? 0;
  const words = `${sizeWords(bavail * bsize)} free`;
  return bavail * bsize < Math.max(LOW_BYTES, 2 * size)
    ? warnFinding(
        `${words}: the log takes ${sizeWords(size)}, and erasing or changing its form needs that once more`,
      )
    : passFinding(words);
}
