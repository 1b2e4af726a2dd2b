import Sqlite from 'better-sqlite3';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { main } from '../../src/main/hosts/main.ts';
import { openProduct } from '../support/product.ts';

const CODE = `def verify_task_completion(initial_db_path, final_db_path, final_answer=None):
    import sqlite3
    state = lambda path: sqlite3.connect(f"file:{path}?mode=ro", uri=True).execute("SELECT state FROM orders").fetchone()[0]
    return {"result": "complete" if (state(initial_db_path), state(final_db_path)) == ("open", "done") else "others"}
`;
const image = (state: string): Uint8Array => {
  const db = new Sqlite(':memory:');
  db.exec(
    `CREATE TABLE orders (id INTEGER PRIMARY KEY, state TEXT); INSERT INTO orders VALUES (1, '${state}')`,
  );
  const bytes = db.serialize();
  db.close();
  return bytes;
};

let folder = '';
let lines: Record<string, unknown>[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'interject-imported-'));
  lines = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    for (const line of String(text).trim().split('\n'))
      lines.push(JSON.parse(line) as Record<string, unknown>);
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

function runFolder(withDatabases: boolean): string {
  const run = join(folder, 'run');
  mkdirSync(run);
  const trajectory = {
    scenario: 'orders',
    task: 'Close the order',
    task_idx: 0,
    steps: 3,
    trajectory: [
      { action: 'list_tools', success: true, num_tools: 1, tool_names: ['close_order'] },
      {
        action: 'call_tool',
        tool_name: 'close_order',
        arguments: { id: 1 },
        success: true,
        result: '{"ok":true}',
        error: null,
      },
      {
        action: 'verify',
        arguments: { verifier_mode: 'code', final_answer: 'Done.' },
        success: true,
        reward_type: 'others',
        reward: 0,
        verify_result: { result: 'others' },
      },
    ],
  };
  writeFileSync(join(run, 'trajectory.json'), JSON.stringify(trajectory));
  if (withDatabases) {
    writeFileSync(join(run, 'orders_initial.db'), image('open'));
    writeFileSync(join(run, 'orders.db'), image('done'));
  }
  const awm = join(folder, 'awm');
  mkdirSync(awm);
  const line = { scenario: 'Orders', task_idx: 0, task: 't', verification: { code: CODE } };
  writeFileSync(join(awm, 'gen_verifier.pure_code.jsonl'), JSON.stringify(line));
  return run;
}

describe('a log that was imported with its databases', () => {
  it('can be browsed at its start and its end, compared, and verified again', async () => {
    const run = runFolder(true);
    const data = join(folder, 'data');
    expect(await main(['import', run, '--data', data, '--json'])).toBe(0);
    const episode = String(lines.find(({ type }) => type === 'episode')?.['episode']);
    rmSync(run, { recursive: true });

    const product = await openProduct(data);
    const end = await product.as('owner')('state.tables', { episode, turn: null });
    const start = await product.as('owner')('state.tables', { episode, turn: 0 });
    const verified = await product.as('owner')('episode.verify', { episode, awm_data: join(folder, 'awm') });
    await product.close();

    expect(end.tables.map(({ name }) => name)).toEqual(['orders']);
    expect(end.changes).toMatchObject([{ table: 'orders', changed: 1 }]);
    expect(start.changes).toEqual([]);
    expect(verified).toMatchObject({
      result: 'complete',
      logged: 'others',
      verifier: 'code',
      source: 'left',
      agreement: 'contradicts',
      // An imported record is dated by its import.
      clock_at: null,
    });
    expect(await main(['verify', episode, '--data', data, '--awm-data', join(folder, 'awm'), '--json'])).toBe(
      1,
    );
    expect(lines.at(-1)).toMatchObject({ type: 'verify', agreement: 'contradicts' });
  });

  it('says that no databases lay beside a log that came alone', async () => {
    const run = runFolder(false);
    const data = join(folder, 'data');
    expect(await main(['import', join(run, 'trajectory.json'), '--data', data, '--json'])).toBe(0);
    const episode = String(lines.find(({ type }) => type === 'episode')?.['episode']);
    expect(await main(['verify', episode, '--data', data, '--awm-data', join(folder, 'awm'), '--json'])).toBe(
      1,
    );
    expect(lines.at(-1)).toMatchObject({
      type: 'error',
      message: expect.stringContaining('No databases lay beside'),
    });
  });

  it('leaves nothing of an erased episode beside the log: the kept file goes too', async () => {
    const run = runFolder(true);
    const data = join(folder, 'data');
    await main(['import', run, '--data', data, '--json']);
    const episode = String(lines.find(({ type }) => type === 'episode')?.['episode']);
    const before = readdirSync(join(data, 'sources'));
    expect(await main(['erase', episode, '--data', data, '--json'])).toBe(0);

    expect(before.length).toBe(3);
    expect(readdirSync(join(data, 'sources'))).toEqual([]);
    expect(
      await main(['export', '--format', 'source', '--out', join(folder, 'out'), '--data', data, '--json']),
    ).toBe(0);
    expect(lines.at(-1)).toMatchObject({ type: 'export', rows: 0 });
  });
});
