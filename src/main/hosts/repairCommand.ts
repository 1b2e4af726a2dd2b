// `interject repair`: what can still be read of a damaged data folder, in a new one; or a log taken as it is.
import { countText } from '../../shared/countText.ts';
import { appendFileSync, copyFileSync, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../shared/failure.ts';
import { createForOwner, makeFolder, takeDataFolder } from '../log/dataFolder.ts';
import { checkVersion, databaseFailure, openDatabase, type Database } from '../log/database.ts';
import { lastSeq, readHighWater } from '../log/highWater.ts';
import { checkLog, LOG_FILE, MARK_FILE } from '../log/openLog.ts';
import { markLog, openDamaged, readLog } from '../log/readOnly.ts';
import { isOwnFolder, markAsOwn } from '../settings/cameWith.ts';
import { salvage, type BrokenStream, type Salvage } from '../log/salvage.ts';
import { copyBeside, fillFolder, KEY_FILES, SETTINGS_FILES } from './backupCommand.ts';
import type { CommandOutput } from './output.ts';
import { dataFolderPath, fromCaller } from './paths.ts';
import { readUserKey } from './userKey.ts';

export type RepairOptions = { data?: string; out?: string; acceptLoss?: boolean };

/** Readable events of streams that are not whole, a file each. */
const UNREADABLE = 'incomplete';
const DRAFT = '.damaged';
/** After heavy damage hundreds are not whole. */
const NAMED_MAX = 20;

/** Resolves with the exit code. The damaged folder is not changed; with `--accept-loss` only its mark is. */
export async function repairCommand(options: RepairOptions, output: CommandOutput): Promise<number> {
  const { data, out, acceptLoss } = options;
  if ((out === undefined) === (acceptLoss !== true)) {
    throw new Failure('bad_input', 'say what to do: either --out DIR or --accept-loss', {
      next: '--out DIR saves what can be read into a new folder; --accept-loss goes on with a log that reads well but has lost its end.',
    });
  }
  const from = dataFolderPath(data);
  const key = await readUserKey();
  const folder = takeDataFolder(from);
  try {
    if (out === undefined) acceptTheLoss(from, output);
    else repairInto(from, fromCaller(out), key, output);
  } finally {
    folder.release();
  }
  return 0;
}

function repairInto(from: string, to: string, key: Buffer, output: CommandOutput): void {
  if (!existsSync(join(from, LOG_FILE))) {
    throw new Failure('not_found', `there is no ${LOG_FILE} in ${from}`, {
      next: 'Restore a backup, or begin anew with `interject repair --accept-loss`.',
    });
  }
  const {
    saved,
    files,
    broken: brokenFiles,
  } = fillFolder(to, () => {
    const salvaged = salvageInto(from, to);
    markLog(to);
    const beside = copyBeside(from, to, [...SETTINGS_FILES, ...KEY_FILES]);
    if (isOwnFolder(from, key)) markAsOwn(to, key);
    return { saved: salvaged, ...beside };
  });
  output.line({ type: 'repair', folder: to, ...saved, files: Object.keys(files), broken_files: brokenFiles });
  const count = (value: number): string => value.toLocaleString('en');
  const ofBroken = (field: 'readable' | 'lost' | 'texts'): number =>
    saved.broken.reduce((sum, one) => sum + one[field], 0);
  output.say(
    `Kept: ${count(saved.events)} events of ${count(saved.streams)} whole streams, in the new log ${join(to, LOG_FILE)}`,
  );
  if (saved.broken.length > 0)
    output.say(
      `Not whole: ${count(saved.broken.length)} streams, with ${count(ofBroken('readable'))} events that can be read, ${count(ofBroken('lost'))} lost and ${count(ofBroken('texts'))} long texts lost`,
    );
  for (const one of saved.broken.slice(0, NAMED_MAX)) output.say(`  ${brokenStreamLine(one)}`);
  if (saved.broken.length > NAMED_MAX)
    output.say(`  and ${count(saved.broken.length - NAMED_MAX)} more (--json names them all)`);
  if (saved.broken.length > 0)
    output.say(
      `What can be read of them is in ${join(to, UNREADABLE)}, an event a line; they are not in the new log`,
    );
  if (saved.lost_places > 0)
    output.say(`Lost: ${count(saved.lost_places)} places of the old log hold nothing that can be read`);
  for (const name of brokenFiles) output.say(`not copied, its bytes are not what was imported: ${name}`);
  output.say(`${from} was not changed.`);
  output.say(`Next: look at what was kept with \`interject serve --data ${to}\``);
}

const brokenStreamLine = ({ stream, readable, lost, texts }: BrokenStream): string =>
  [
    `${stream}: ${countText(readable, 'event')} can be read`,
    ...(lost > 0 ? [`${String(lost)} are lost`] : []),
    ...(texts > 0 ? [`${String(texts)} long texts are lost`] : []),
  ].join(', ');

/** SQLite works on a copy: reading what lies in the write-ahead log would change the original. */
function salvageInto(from: string, to: string): Salvage {
  const draft = join(to, DRAFT);
  makeFolder(draft);
  for (const end of ['', '-wal']) {
    const name = `${LOG_FILE}${end}`;
    if (!existsSync(join(from, name))) continue;
    createForOwner(join(draft, name));
    copyFileSync(join(from, name), join(draft, name));
  }
  let damaged: Database | null = null;
  let db: Database | null = null;
  try {
    damaged = openDamaged(join(draft, LOG_FILE));
    checkVersion(damaged, join(from, LOG_FILE));
    createForOwner(join(to, LOG_FILE));
    db = openDatabase(join(to, LOG_FILE));
    return salvage(damaged, db, readHighWater(join(from, MARK_FILE))?.seq ?? 0, (stream, row) => {
      makeFolder(join(to, UNREADABLE));
      const file = join(to, UNREADABLE, `${stream.replaceAll(/[^\w.-]/g, '_')}.jsonl`);
      appendFileSync(file, `${JSON.stringify(row)}\n`, { mode: 0o600 });
    });
  } catch (thrown) {
    throw databaseFailure(thrown, join(from, LOG_FILE));
  } finally {
    damaged?.close();
    db?.close();
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Goes on with a log whose end is lost, or with none. Throws `log_damaged` where what is there cannot be read. */
function acceptTheLoss(from: string, output: CommandOutput): void {
  const path = join(from, LOG_FILE);
  const known = readHighWater(join(from, MARK_FILE))?.seq ?? 0;
  const loss = lossOf(from);
  if (loss === null) {
    output.line({ type: 'accepted', lost: 0 });
    output.say(`${path} reads well and has lost nothing: nothing was changed`);
    return;
  }
  setOrphanAside(path, output);
  // What is broken inside is no loss at the end: that needs a new folder.
  const last = lastSeqIn(from);
  rmSync(join(from, MARK_FILE), { force: true });
  createForOwner(join(from, MARK_FILE));
  const lost = Math.max(0, known - last);
  output.line({ type: 'accepted', lost, last });
  output.say(`${loss.message}`);
  output.say(
    `accepted: the log goes on from event ${String(last)}; ${String(lost)} events that were written are gone`,
  );
}

/** A write-ahead log without its database would be deleted by SQLite: it is kept under another name. */
function setOrphanAside(path: string, output: CommandOutput): void {
  const isThere = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
  if (isThere || !existsSync(`${path}-wal`)) return;
  const aside = `${path}-wal.lost-${String(Date.now())}`;
  renameSync(`${path}-wal`, aside);
  output.say(`${path}-wal belongs to no log any more; it was moved to ${aside}`);
}

function lossOf(from: string): Failure | null {
  try {
    checkLog(from, true);
    return null;
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === 'log_damaged') return thrown;
    throw thrown;
  }
}

function lastSeqIn(folder: string): number {
  const path = join(folder, LOG_FILE);
  if (!existsSync(path)) return 0;
  return readLog(folder, (db) => {
    const found = String(db.pragma('integrity_check(1)', { simple: true }));
    if (found !== 'ok') throw new Failure('log_damaged', `${path} is damaged: ${found}`, { next: USE_OUT });
    return lastSeq(db);
  });
}

const USE_OUT = 'There is nothing to accept yet: save what can be read with `interject repair --out DIR`.';
