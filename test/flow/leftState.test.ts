import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isOnThisMachine } from '../../src/main/episode/images.ts';
import { openState, stateTables } from '../../src/main/state/database.ts';
import { readSessionFolder } from '../../src/main/state/sessionFolder.ts';
import type { StartEpisode } from '../../src/shared/contract/areas.ts';
import { openProduct, removeFolder, startInput, type Product } from '../support/product.ts';
import { PACK, serveWorlds, type Served } from '../support/worlds.ts';

const filesUnder = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder, { recursive: true }).map(String) : [];

describe('a server that is not ours, on this machine', () => {
  let product: Product;
  let served: Served;
  let isServing = false;
  const stopServing = async (): Promise<void> => {
    if (isServing) await served.close();
    isServing = false;
  };
  beforeEach(async () => {
    served = await serveWorlds();
    isServing = true;
    product = await openProduct();
  });
  afterEach(async () => {
    await product.close();
    removeFolder(product.folder);
    await stopServing();
  });
  const call = () => product.as('seat-one');
  const start = async (over: Partial<StartEpisode>): Promise<string> => {
    const { id } = await call()('environments.add', { name: 'theirs', url: served.url });
    const { episodes } = await call()('episode.start', startInput({ environment: id, ...over }));
    return episodes[0] ?? '';
  };
  /** The end of an episode whose draft was sent as it is. */
  const play = async (over: Partial<StartEpisode>): Promise<string> => {
    const episode = await start({ condition: 'model', ...over });
    await product.ended(episode);
    return episode;
  };

  it('has a state that can be read at the end, when it was asked to keep its folder', async () => {
    const theirs = await play({ keeps_session: true });
    const { episodes } = await call()('episode.start', startInput({ condition: 'model' }));
    const ours = episodes[0] ?? '';
    await product.ended(ours);
    const [left, own] = [
      await call()('state.tables', { episode: theirs, turn: null }),
      await call()('state.tables', { episode: ours, turn: null }),
    ];

    expect(left.source).toBe('left');
    expect(left.changes.length).toBeGreaterThan(0);
    expect({ ...left, source: '' }).toEqual({ ...own, source: '' });
    const page = { episode: theirs, turn: null, table: 'workflows', offset: 0, limit: 3 };
    expect((await call()('state.page', page)).page).toHaveLength(3);
    const began = await call()('state.tables', { episode: theirs, turn: 0 });
    expect(began.changes).toEqual([]);
    // A turn in between is rebuilt in a session of its own.
    expect(await call()('state.tables', { episode: theirs, turn: 1 })).toMatchObject({
      source: 'rebuilt',
      at_turn: 1,
      drift: 0,
    });
  });

  it('is shown while it runs from a session of its own, says up to which turn, and leaves nothing behind', async () => {
    const episode = await start({ keeps_session: true });
    const { turns } = await product.until(episode, ({ consultations }) => consultations[0]);
    const calls = turns.filter(({ call: one }) => one?.returned).length;

    const world = await call()('state.tables', { episode, turn: null });

    expect(calls).toBeGreaterThan(0);
    expect(world).toMatchObject({ source: 'rebuilt', at_turn: calls, drift: 0 });
    expect(filesUnder(served.sessions).filter((name) => name.endsWith('.db'))).toEqual([]);
    expect(product.log.record(episode).turns).toHaveLength(turns.length);
  });

  it('is rebuilt where nothing was kept; where the server is gone too, what would have helped is said', async () => {
    const episode = await play({});

    expect(filesUnder(served.sessions).some((name) => name.endsWith('.db'))).toBe(false);
    const { source, changes } = await call()('state.tables', { episode, turn: null });
    expect([source, changes.length > 0]).toEqual(['rebuilt', true]);
    const other = await play({ task_idx: 1 });
    await stopServing();
    await expect(call()('state.tables', { episode: other, turn: null })).rejects.toMatchObject({
      message: 'The server kept no session folder',
      next: expect.stringContaining('Keep the server’s session folder') as string,
    });
  });

  it('says so when the folder is gone', async () => {
    const episode = await play({ keeps_session: true });
    await stopServing();
    rmSync(served.sessions, { recursive: true, force: true });

    await expect(call()('state.tables', { episode, turn: null })).rejects.toThrow(/cannot be read/);
  });
});

describe('what lies in a session folder', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'left-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const make = (name: string, rows: number): Sqlite.Database => {
    const db = new Sqlite(join(folder, name));
    db.pragma('journal_mode = WAL');
    db.exec('CREATE TABLE t (id INTEGER PRIMARY KEY)');
    for (let id = 1; id <= rows; id += 1) db.exec(`INSERT INTO t VALUES (${String(id)})`);
    return db;
  };
  const rowsOf = (image: Uint8Array): number => {
    const db = openState(image);
    try {
      return stateTables(db)[0]?.rows ?? 0;
    } finally {
      db.close();
    }
  };

  it('is read from a copy, rows still in the log included, and left as it was', () => {
    const open = [make(`${PACK}_initial.db`, 1), make(`${PACK}.db`, 3)];
    const before = readdirSync(folder).toSorted();
    const { initial, current } = readSessionFolder(folder, PACK);

    expect([rowsOf(initial), rowsOf(current)]).toEqual([1, 3]);
    expect(readdirSync(folder).toSorted()).toEqual(before);
    for (const db of open) db.close();
  });

  it('is not followed out of the folder, and must be databases', () => {
    make('a_initial.db', 1).close();
    symlinkSync('/etc/hostname', join(folder, 'a.db'));
    expect(() => readSessionFolder(folder, null)).toThrow(/no plain file/);
    rmSync(join(folder, 'a.db'));
    writeFileSync(join(folder, 'a.db'), 'no database at all, but text of some length');
    expect(() => readSessionFolder(folder, null)).toThrow(/no database that can be read/);
    rmSync(join(folder, 'a.db'));
    expect(() => readSessionFolder(folder, null)).toThrow(/holds no pair of databases/);
    expect(() => readSessionFolder('relative/path', null)).toThrow(/cannot be read/);
  });

  it('is looked for only where the server runs on this machine', () => {
    const here = ['http://127.0.0.1:8899', 'localhost:8899', 'ws://[::1]:1/ws', 'http://127.1.2.3'];
    const elsewhere = ['http://10.0.0.2:8899', 'https://example.org', 'http://127.0.0.1.example.org', ''];
    expect(here.map(isOnThisMachine)).toEqual(here.map(() => true));
    expect(elsewhere.map(isOnThisMachine)).toEqual(elsewhere.map(() => false));
  });
});
