// A data folder with episodes in it, opened as every host opens it, and files of it damaged as disks do.
import {
  closeSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { userKey } from '../../src/main/hosts/userKey.ts';
import { isOwnFolder, markAsOwn } from '../../src/main/settings/cameWith.ts';
import { openDataFolder, type OpenedLog } from '../../src/main/log/openLog.ts';
import { drafted, ended, HUMAN, openQuestion, SYSTEM } from './log.ts';

/** Settings that this user wrote, not a stranger. */
export async function writeSettings(home: string, settings: object): Promise<void> {
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'settings.json'), JSON.stringify(settings), { mode: 0o600 });
  markAsOwn(home, key);
}

const key = await userKey();

/** What a program that is killed now leaves of a folder, as if it lay there still: a copy by itself is known for one. */
export function killedCopy(from: string, to = mkdtempSync(join(tmpdir(), 'interject-killed-'))): string {
  cpSync(from, to, { recursive: true, filter: (path) => !path.endsWith('.lock') });
  if (isOwnFolder(from, key)) markAsOwn(to, key);
  return to;
}

export const newDataFolder = (): string => mkdtempSync(join(tmpdir(), 'interject-folder-'));

export const openFolder = (path: string, notices: string[] = []): OpenedLog =>
  openDataFolder(path, {
    clock: () => 1_000_000,
    report: (thrown) => {
      throw thrown;
    },
    tell: (notice) => notices.push(notice),
  });

/** An episode with a question, a draft and a person's decision; `text` is the advice. */
export function writeEpisode(
  { log }: Pick<OpenedLog, 'log'>,
  id: string,
  text = 'rename_workflow({"id":1})',
): void {
  openQuestion(log, id);
  log.append(id, SYSTEM, drafted({ consultation: `${id}:c1` }));
  log.append(id, HUMAN, {
    kind: 'advice.approved',
    consultation: `${id}:c1`,
    draft: 'd1',
    act: 'edit',
    text,
    privilege: [],
    human_act: null,
    seen_seq: 3,
    timing: { first_seen_at: null, active_ms: null },
  });
  log.append(id, SYSTEM, ended());
}

/** A small generator of numbers below `max`, the same for the same seed. */
export function createRandom(seed: number): (max: number) => number {
  let state = seed;
  return (max) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % max;
  };
}

/** Overwrites whole pages with bytes that are no page. */
export function overwritePages(file: string, pages: readonly number[]): void {
  const handle = openSync(file, 'r+');
  for (const page of pages)
    writeSync(handle, Buffer.alloc(4096, `damaged ${String(page)} `), 0, 4096, page * 4096);
  closeSync(handle);
}

export const pagesOf = (file: string): number => Math.floor(statSync(file).size / 4096);

/** Every file and folder under a folder, with its mode. */
export const modesOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    (readdirSync(folder, { recursive: true }) as string[]).map((name) => [
      name,
      (statSync(join(folder, name)).mode & 0o777).toString(8),
    ]),
  );
