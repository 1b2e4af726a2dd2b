// A data folder on a file system that is full, and then has space again. The full one is real where this machine lets
// us mount a small one; elsewhere SQLite is told that its file may not grow. The commands are tried in
// test/commands/unwritable.test.ts.
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { LogEvent } from '../../src/shared/events/vocabulary.ts';
import { openDatabase } from '../../src/main/log/database.ts';
import { takeDataFolder } from '../../src/main/log/dataFolder.ts';
import { createEventLog } from '../../src/main/log/eventLog.ts';
import { started, SYSTEM } from '../support/log.ts';
import { openProduct, removeFolder, startInput, type Product } from '../support/product.ts';

const mountable = mkdtempSync(join(tmpdir(), 'interject-full-'));
const isMounted =
  process.platform === 'linux' &&
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', mountable]).status === 0;
if (!isMounted) process.stderr.write('A full disk is not tested: a tmpfs cannot be mounted here.\n');

afterAll(() => {
  if (isMounted) spawnSync('umount', ['-l', mountable]);
  removeFolder(mountable);
});

/** Takes what is left; returns how to give it back. */
function fillDisk(): () => void {
  const path = join(mountable, 'filler');
  const file = openSync(path, 'a');
  const block = Buffer.alloc(4096);
  try {
    for (;;) writeSync(file, block);
  } catch {
    closeSync(file);
  }
  return () => rmSync(path);
}

describe.skipIf(!isMounted)('on a full disk', () => {
  let product: Product;
  let asking = '';
  let giveBack = (): void => undefined;
  beforeAll(async () => {
    product = await openProduct(join(mountable, 'home'));
  });
  afterEach(() => giveBack());
  afterAll(async () => {
    await product.close();
  });
  const call = (): ReturnType<Product['as']> => product.as('seat-one');
  const startAsking = async () => {
    const { episodes } = await call()('episode.start', startInput());
    asking = episodes[0] ?? '';
    return product.until(asking, ({ consultations }) => consultations.some(({ draft }) => draft !== null));
  };

  it('an episode that could not write its end has it once there is space again', async () => {
    await startAsking();
    giveBack = fillDisk();
    product.supervisor.abandon(asking);
    await expect.poll(() => product.supervisor.running()).toBe(0);
    expect(product.log.record(asking).ended).toBeNull();

    giveBack();
    giveBack = () => undefined;
    await call()('episode.start', startInput({ condition: 'none' }));

    const record = await product.ended(asking);
    expect(record.ended).toMatchObject({ outcome: 'error', failure: { code: 'data_unwritable' } });
  });
});

it.skipIf(!isMounted)(
  'a folder that became read-only is refused by name, and taken once it can be written',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'interject-read-only-'));
    const mount = (...args: string[]): void => void spawnSync('mount', [...args, folder]);
    mount('-t', 'tmpfs', '-o', 'size=4m', 'tmpfs');
    try {
      takeDataFolder(folder).release();
      mount('-o', 'remount,ro');

      expect(() => takeDataFolder(folder)).toThrow(
        expect.objectContaining({
          code: 'data_unwritable',
          message: expect.stringMatching(/^cannot use the data folder/),
          next: expect.stringContaining('writable'),
        }),
      );

      mount('-o', 'remount,rw');
      takeDataFolder(folder).release();
    } finally {
      spawnSync('umount', ['-l', folder]);
      removeFolder(folder);
    }
  },
);

it('a log that may not grow refuses an event by name, keeps what it has, and goes on when it may', () => {
  const folder = mkdtempSync(join(tmpdir(), 'interject-grow-'));
  const db = openDatabase(join(folder, 'interject.db'));
  const log = createEventLog({ db, clock: () => 1, onListenerError: () => undefined });
  try {
    log.append('e', SYSTEM, started());
    db.pragma(`max_page_count = ${String(db.pragma('page_count', { simple: true }))}`);
    const long: LogEvent = { kind: 'stop.requested', reason: 'x'.repeat(200_000) };

    expect(() => log.append('e', SYSTEM, long)).toThrow(
      expect.objectContaining({ code: 'data_unwritable', message: expect.stringContaining('no space left') }),
    );
    expect(log.record('e').n).toBe(1);

    db.pragma('max_page_count = 100000');
    log.append('e', SYSTEM, long);
    expect(log.read('e').map(({ n }) => n)).toEqual([1, 2]);
  } finally {
    db.close();
    removeFolder(folder);
  }
});
