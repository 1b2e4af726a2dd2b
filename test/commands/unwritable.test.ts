// Every command that keeps something, where nothing can be kept: on a full disk, and in a folder that became read-only.
// One product goes through both. The disk is a small one of its own, which only root can mount on Linux.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { contract } from '../../src/shared/contract/contract.ts';
import type { Row } from '../../src/shared/contract/row.ts';
import { failureShape, type FailureShape } from '../../src/shared/failure.ts';
import { mountDisk } from '../faults/disk.ts';
import { filesOf } from '../support/filesOf.ts';
import { openProduct, type Product } from '../support/product.ts';
import { NEEDS_MORE, WRITES } from '../support/writingCommands.ts';
import { leaveBroken, setScene, type Scene } from '../support/writingScene.ts';

const work = mkdtempSync(join(tmpdir(), 'interject-unwritable-'));
const home = join(work, 'home');
const disk = mountDisk(work);
if (disk.fill === null) process.stderr.write('A full disk is not tested: a tmpfs cannot be mounted here.\n');

it('every command that keeps something is tried here, or says what it needs to be tried', () => {
  const writing = Object.entries<Row>(contract).flatMap(([method, { writes, parts }]) => {
    if (!writes) return [];
    return parts === undefined ? [method] : Object.keys(parts).map((part) => `${method} of ${part}`);
  });

  expect([...Object.keys(WRITES), ...Object.keys(NEEDS_MORE)].toSorted()).toEqual(writing.toSorted());
});

describe.skipIf(disk.fill === null)('every command that keeps something', () => {
  let product: Product;
  let scene: Scene;
  /** The product's own connection to its log. */
  let db: Sqlite.Database | undefined;
  beforeAll(async () => {
    const broken = leaveBroken(home);
    const pragma = vi.spyOn(Sqlite.prototype, 'pragma');
    product = await openProduct(home);
    db = pragma.mock.contexts
      .filter((one): one is Sqlite.Database => one instanceof Sqlite)
      .find(({ name, readonly, open }) => open && !readonly && name.endsWith('interject.db'));
    pragma.mockRestore();
    scene = await setScene(product, broken);
  });
  afterAll(async () => {
    await product.close();
    disk.unmount();
    rmSync(work, { recursive: true, force: true });
  });

  /** What each came to: null where it worked. */
  async function tryAll(): Promise<[method: string, failure: FailureShape | null][]> {
    const came: [string, FailureShape | null][] = [];
    for (const [method, write] of Object.entries(WRITES))
      came.push([method, await Promise.resolve(write(scene)).then(() => null, failureShape)]);
    return came;
  }

  /** Tries them all where `cause` keeps everything from being written. */
  async function expectRefused(cause: RegExp): Promise<void> {
    const [last, running, before] = [product.log.lastSeq(), product.supervisor.running(), filesOf(home)];
    for (const [method, failure] of await tryAll()) {
      expect([method, failure]).toEqual([
        method,
        {
          code: 'data_unwritable',
          message: expect.stringMatching(cause) as string,
          next: expect.stringMatching(/disk|writable/) as string,
        },
      ]);
    }
    await expect.poll(() => product.supervisor.running()).toBe(running);
    expect(product.log.lastSeq()).toBe(last);
    expect(Object.keys(filesOf(home))).toEqual(Object.keys(before));
  }

  it('says on a full disk what to do, leaves nothing half-made, and so again once it is read-only', async () => {
    // Space that the log's file has left would take some of them.
    db?.pragma('wal_checkpoint(TRUNCATE)');
    const giveBack = disk.fill?.();
    await expectRefused(/no space left|disk is full/).finally(giveBack);

    // The files that are open already cannot be made read-only: SQLite refuses for them.
    db?.pragma('query_only = 1');
    spawnSync('mount', ['--bind', home, home]);
    spawnSync('mount', ['-o', 'remount,ro,bind', home]);
    await expectRefused(/read-?only/).finally(() => {
      spawnSync('umount', ['-l', home]);
      db?.pragma('query_only = 0');
    });
  });

  it('works again as soon as there is space', async () => {
    expect((await tryAll()).filter(([, failure]) => failure !== null)).toEqual([]);
  });
});
