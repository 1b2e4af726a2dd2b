// What a data folder says about a log that lost something: real files, deleted, emptied, cut and put back.
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHighWater, readHighWater } from '../../src/main/log/highWater.ts';
import { checkLog } from '../../src/main/log/openLog.ts';
import { startChild } from '../support/children.ts';
import { modesOf, newDataFolder, openFolder, writeEpisode } from '../support/dataFolder.ts';

let folder = '';
const at = (name: string): string => join(folder, name);
const damaged = (message: RegExp) =>
  expect.objectContaining({
    code: 'log_damaged',
    message: expect.stringMatching(message),
    next: expect.stringContaining('interject repair'),
  });

beforeEach(() => {
  folder = newDataFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A process that answers questions and is killed: what it acknowledged is on disk, in the write-ahead log. */
async function writeAndKill(episodes: number): Promise<void> {
  const child = startChild(
    `
    const { openFolder, writeEpisode } = await import(src + '/../test/support/dataFolder.ts');
    const opened = openFolder(process.argv[1]);
    for (let n = 0; n < ${String(episodes)}; n += 1) writeEpisode(opened, 'killed' + String(n));
    process.stdout.write('acknowledged ' + String(opened.log.lastSeq()) + '\\n');
    setInterval(() => undefined, 1000);
    `,
    [folder],
  );
  expect(await child.line()).toMatch(/^acknowledged/);
  child.process.kill('SIGKILL');
  await child.ended;
}

describe('a log', () => {
  it('killed at any moment opens again with everything that was acknowledged, and no word of loss', async () => {
    await writeAndKill(3);
    const notices: string[] = [];

    const opened = openFolder(folder, notices);

    expect(opened.log.record('killed2').ended?.outcome).toBe('done');
    expect(notices).toEqual([]);
    opened.close();
  });

  it('whose write-ahead log was deleted is refused, and says how many events are gone', async () => {
    openFolder(folder).close();
    await writeAndKill(3);
    const last = readHighWater(at('interject.mark'))?.seq ?? 0;
    expect(last).toBe(18);
    rmSync(at('interject.db-wal'));
    rmSync(at('interject.db-shm'), { force: true });
    const before = readFileSync(at('interject.db'));

    expect(() => openFolder(folder)).toThrow(damaged(/event 18 was written: 18 events are gone/));
    expect(() => checkLog(folder)).toThrow(damaged(/18 events are gone/));
    expect(readFileSync(at('interject.db')).equals(before)).toBe(true);
  });

  it('that was emptied, cut off or deleted is never taken for a new one', () => {
    const opened = openFolder(folder);
    for (let n = 0; n < 40; n += 1) writeEpisode(opened, `e${String(n)}`);
    opened.close();
    const whole = readFileSync(at('interject.db'));

    for (const damage of [
      () => truncateSync(at('interject.db'), 0),
      () => truncateSync(at('interject.db'), 4096 * 3),
      () => writeFileSync(at('interject.db'), 'not a database at all, but long enough to look'),
      () => rmSync(at('interject.db')),
    ]) {
      writeFileSync(at('interject.db'), whole);
      damage();
      expect(() => openFolder(folder)).toThrow(damaged(/interject\.db/));
      expect(() => openFolder(folder)).toThrow(damaged(/interject\.db/));
    }
  });

  it('without a mark is refused when it is empty and opens when it is whole', () => {
    const opened = openFolder(folder);
    writeEpisode(opened, 'e1');
    opened.close();
    rmSync(at('interject.mark'));

    openFolder(folder).close();
    expect(readHighWater(at('interject.mark'))?.seq).toBe(6);

    rmSync(at('interject.mark'));
    truncateSync(at('interject.db'), 0);
    expect(() => openFolder(folder)).toThrow(damaged(/is empty/));
  });

  it('in whose place an older copy, or another log, was put says so', () => {
    const first = openFolder(folder);
    writeEpisode(first, 'e1');
    first.close();
    copyFileSync(at('interject.db'), at('older.db'));
    const second = openFolder(folder);
    writeEpisode(second, 'e2');
    second.close();
    copyFileSync(at('older.db'), at('interject.db'));
    expect(() => openFolder(folder)).toThrow(damaged(/6 events are gone.*--accept-loss/));

    rmSync(at('interject.mark'));
    const third = openFolder(folder);
    writeEpisode(third, 'other1');
    writeEpisode(third, 'other2');
    third.close();
    copyFileSync(at('interject.db'), at('other.db'));
    copyFileSync(at('older.db'), at('interject.db'));
    rmSync(at('interject.mark'));
    const fourth = openFolder(folder);
    writeEpisode(fourth, 'e2');
    fourth.close();
    copyFileSync(at('other.db'), at('interject.db'));
    expect(() => openFolder(folder)).toThrow(damaged(/is not the log that this folder held/));
  });

  it('gives places out again that a half import had taken, without a false alarm', () => {
    const opened = openFolder(folder);
    writeEpisode(opened, 'e1');
    opened.db.exec(
      `INSERT INTO events (stream, n, at, kind, actor, body) VALUES ('half', 1, 1, 'x', '{}', '{}'), ('half', 2, 1, 'x', '{}', '{}');
       INSERT INTO half_imported (stream) VALUES ('half');`,
    );
    createHighWater(at('interject.mark'), opened.db, () => undefined).close();
    opened.close();
    expect(readHighWater(at('interject.mark'))?.seq).toBe(8);

    const again = openFolder(folder);

    expect(again.log.lastSeq()).toBe(6);
    expect(readHighWater(at('interject.mark'))?.seq).toBe(6);
    again.close();
    openFolder(folder).close();
  });

  it('trusts the older half of its mark when the newer one is torn, and goes on without a mark that is no mark', () => {
    const opened = openFolder(folder);
    writeEpisode(opened, 'e1');
    opened.close();
    const newest = readHighWater(at('interject.mark'));
    const text = readFileSync(at('interject.mark'));
    text.fill(0x20, ((newest?.count ?? 0) % 2) * 256 + 20, ((newest?.count ?? 0) % 2) * 256 + 60);
    writeFileSync(at('interject.mark'), text);
    expect(readHighWater(at('interject.mark'))?.count).toBe((newest?.count ?? 0) - 1);

    writeFileSync(at('interject.mark'), 'nonsense');
    const again = openFolder(folder);
    expect(again.log.lastSeq()).toBe(6);
    again.close();
  });
});

describe.runIf(process.platform !== 'win32')('under a umask that hides nothing', () => {
  it('every file of a data folder is its owner’s alone, as the log is written and after it is closed', () => {
    const inside = join(folder, 'home');
    const before = process.umask(0);
    try {
      const opened = openFolder(inside);
      writeEpisode(opened, 'e1', 'x'.repeat(40_000));
      expect(existsSync(join(inside, 'interject.db-wal'))).toBe(true);
      const open = modesOf(inside);
      opened.close();

      expect(Object.keys(open)).toEqual(
        expect.arrayContaining(['interject.db', 'interject.db-wal', 'interject.db-shm', 'interject.mark']),
      );
      expect(new Set(Object.values({ ...open, ...modesOf(inside) }))).toEqual(new Set(['600']));
      expect(statSync(inside).mode & 0o777).toBe(0o700);
    } finally {
      process.umask(before);
    }
  });

  it('files that others could read are closed to them, and the person hears of it', () => {
    openFolder(folder).close();
    mkdirSync(at('sources'), { mode: 0o755 });
    chmodSync(at('interject.db'), 0o644);
    const notices: string[] = [];

    openFolder(folder, notices).close();

    expect(modesOf(folder)).toMatchObject({ 'interject.db': '600', sources: '700' });
    expect(notices).toEqual([expect.stringMatching(/interject\.db, sources could be read by other users/)]);
  });
});
