import Sqlite from 'better-sqlite3';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { main } from '../../src/main/hosts/main.ts';
import { openProduct, removeFolder, startInput } from '../support/product.ts';

const CODE = `def verify_task_completion(initial_db_path, final_db_path, final_answer=None):
    import sqlite3
    now = sqlite3.connect(f"file:{final_db_path}?mode=ro", uri=True)
    state = now.execute("SELECT state FROM orders").fetchone()[0]
    return {"result": "complete" if state == "done" and final_answer == "Closed it." else "others"}
`;
const folders: string[] = [];
const folderOf = (files: Record<string, string | Uint8Array>): string => {
  const folder = mkdtempSync(join(tmpdir(), 'interject-verify-'));
  folders.push(folder);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
};
const image = (state: string): Uint8Array => {
  const db = new Sqlite(':memory:');
  db.exec(`CREATE TABLE orders (state TEXT); INSERT INTO orders VALUES ('${state}')`);
  const bytes = db.serialize();
  db.close();
  return bytes;
};
const verifier = JSON.stringify({ scenario: 'Orders', task_idx: 3, task: 't', verification: { code: CODE } });
const awmTrajectory = JSON.stringify({
  scenario: 'orders',
  task: 't',
  task_idx: 3,
  steps: 1,
  trajectory: [
    { action: 'verify', arguments: { final_answer: 'Closed it.' }, success: true, reward_type: 'others' },
  ],
});

let lines: Record<string, unknown>[] = [];
let said: string[] = [];
beforeEach(() => {
  lines = [];
  said = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    for (const line of String(text).trim().split('\n'))
      lines.push(JSON.parse(line) as Record<string, unknown>);
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said.push(...String(text).trimEnd().split('\n'));
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

describe('interject verify', () => {
  it('judges the folder a server left, with the answer the verifier was given then', async () => {
    const awm = folderOf({ 'gen_verifier.pure_code.jsonl': verifier });
    const run = folderOf({
      'trajectory.json': awmTrajectory,
      'orders_initial.db': image('open'),
      'orders.db': image('done'),
    });
    const agreeing = awmTrajectory.replace('"others"', '"complete"');
    writeFileSync(join(run, 'trajectory.json'), agreeing);
    expect(await main(['verify', run, '--awm-data', awm, '--json'])).toBe(0);
    expect(lines).toMatchObject([
      {
        type: 'verify',
        result: 'complete',
        reward_type: 'complete',
        verifier: 'code',
        logged: 'complete',
        agreement: 'same',
        task_idx: 3,
      },
    ]);
    expect(said).toEqual(['the verifier says: complete, as logged']);
  });

  it('takes the data folder of the settings where none is named', async () => {
    const awm = folderOf({ 'gen_verifier.pure_code.jsonl': verifier });
    const home = folderOf({ 'settings.json': JSON.stringify({ awm: { data_folder: awm } }) });
    const elsewhere = folderOf({ 'settings.json': JSON.stringify({ awm: { data_folder: `${awm}-gone` } }) });
    const run = folderOf({
      'trajectory.json': awmTrajectory.replace('"others"', '"complete"'),
      'orders_initial.db': image('open'),
      'orders.db': image('done'),
    });
    vi.stubEnv('AWM_DATA_DIR', undefined);

    expect(await main(['verify', run, '--data', home, '--json'])).toBe(0);
    expect(await main(['verify', run, '--data', elsewhere, '--json'])).toBe(1);
    vi.unstubAllEnvs();

    expect(lines).toMatchObject([
      { type: 'verify', result: 'complete', agreement: 'same' },
      { type: 'error', message: expect.stringContaining(`${awm}-gone`) },
    ]);
  });

  it('exits 1 and says first that the verdict contradicts the logged one', async () => {
    const awm = folderOf({ 'gen_verifier.pure_code.jsonl': verifier });
    const run = folderOf({
      'trajectory.json': awmTrajectory,
      'orders_initial.db': image('open'),
      'orders.db': image('done'),
    });
    expect(await main(['verify', run, '--awm-data', awm, '--json'])).toBe(1);
    expect(said[0]).toBe('CONTRADICTION: the logged verdict is others, but the verifier now says complete.');
    expect(lines).toMatchObject([
      { type: 'verify', result: 'complete', logged: 'others', agreement: 'contradicts', problem: null },
    ]);
  });

  it('gives no verdict where a module is missing, though the verifier swallows that, and says what to do', async () => {
    const code = CODE.replace(
      '    import sqlite3\n',
      '    try:\n        import pytz\n    except Exception:\n        return {"result": "others"}\n',
    );
    const line = { scenario: 'Orders', task_idx: 3, verification: { code } };
    const awm = folderOf({ 'gen_verifier.jsonl': JSON.stringify(line) });
    const run = folderOf({
      'trajectory.json': awmTrajectory,
      'orders_initial.db': image('open'),
      'orders.db': image('done'),
    });
    expect(await main(['verify', run, '--awm-data', awm, '--json'])).toBe(1);
    expect(lines).toMatchObject([
      {
        result: null,
        reward_type: 'unknown',
        agreement: 'no_verdict',
        problem_code: 'verifier_module_missing',
      },
    ]);
    expect(said.join('\n')).toContain('Run `interject verify --install-packages` once');
  });

  it('judges the folder of an agent’s run, with the agent’s last word', async () => {
    const awm = folderOf({ 'gen_verifier.jsonl': verifier });
    const trajectory = {
      scenario: 'orders',
      task_id: 3,
      task: 't',
      trajectory: [{ iteration: 1, content: 'Closed it.', is_final: true }],
    };
    const run = folderOf({
      'trajectory.json': JSON.stringify(trajectory),
      'initial.db': image('open'),
      'final.db': image('open'),
    });
    expect(await main(['verify', run, '--awm-data', awm, '--json'])).toBe(0);
    expect(lines).toMatchObject([{ type: 'verify', result: 'others', reward_type: 'others' }]);
  });

  it('names what is missing: the task, the verifier, the databases', async () => {
    const awm = folderOf({ 'gen_verifier.jsonl': verifier });
    const bare = folderOf({});
    expect(await main(['verify', bare, '--awm-data', awm, '--json'])).not.toBe(0);
    expect(
      await main(['verify', bare, '--awm-data', awm, '--scenario', 'orders', '--task', '3', '--json']),
    ).toBe(1);
    const run = folderOf({ 'initial.db': image('open'), 'final.db': image('open') });
    expect(
      await main(['verify', run, '--awm-data', awm, '--scenario', 'orders', '--task', '9', '--json']),
    ).toBe(1);
    expect(lines.map(({ type, code }) => [type, code])).toEqual([
      ['error', 'bad_input'],
      ['error', 'not_found'],
      ['error', 'not_found'],
    ]);
  });

  it('judges an episode of the log again: the state rebuilt, the same word as then', async () => {
    const product = await openProduct();
    const { episodes } = await product.as('owner')('episode.start', startInput({ condition: 'none' }));
    const id = episodes[0] ?? '';
    const record = await product.ended(id);
    const again = await product.as('owner')('episode.verify', { episode: id, awm_data: null });
    await product.close();
    expect(again).toMatchObject({
      result: record.verified?.reward_type,
      logged: record.verified?.reward_type,
      verifier: 'built_in',
      drift: 0,
    });
    expect(await main(['verify', id, '--data', product.folder, '--json'])).toBe(0);
    expect(lines).toMatchObject([{ type: 'verify', episode: id, result: record.verified?.reward_type }]);
    removeFolder(product.folder);
  });
});

describe('interject verify --probe', () => {
  it('names the tasks that pass with nothing done, that break, that need a missing module; and rows that only mended quotes let in', async () => {
    const swallows = CODE.replace('state == "done" and final_answer == "Closed it."', 'True');
    const breaks = 'def verify_task_completion(initial_db_path):\n    raise ValueError("no")\n';
    const imports =
      'def verify_task_completion():\n    try:\n        import dateutil\n    except Exception:\n        return {}\n';
    const line = (task_idx: number, code: string): string =>
      JSON.stringify({ scenario: 'Orders', task_idx, task: 't', verification: { code } });
    const awm = folderOf({
      'gen_verifier.pure_code.jsonl': `${line(0, CODE)}\n${line(1, swallows)}\n${line(2, breaks)}\n${line(3, imports)}\n`,
      'gen_db.jsonl': JSON.stringify({
        scenario: 'orders',
        db_schema: { tables: [{ name: 'orders', ddl: 'CREATE TABLE orders (state TEXT);', indexes: [] }] },
      }),
      'gen_sample.jsonl': JSON.stringify({
        scenario: 'Orders',
        sample_data: {
          tables: [
            {
              table_name: 'orders',
              insert_statements: [
                "INSERT INTO orders VALUES ('open')",
                "INSERT INTO orders VALUES ('it\\'s')",
                'INSERT INTO nowhere VALUES (1)',
              ],
            },
          ],
        },
      }),
    });
    expect(await main(['verify', '--probe', '--awm-data', awm])).toBe(1);
    expect(lines).toEqual([]);
    expect(said).toEqual([
      '4 tasks probed',
      '1 pass when nothing was done:',
      '  Orders 1',
      '1 break on the database as it was at reset:',
      '  Orders 2: error: ValueError: no (line 2)',
      '1 import a module that is missing here:',
      expect.stringMatching(/^  Orders 3: .*the module dateutil cannot be imported here/),
    ]);
    expect(await main(['verify', '--probe', '--awm-data', awm, '--json'])).toBe(1);
    expect(lines).toMatchObject([
      {
        type: 'probe',
        task_idx: 0,
        passes_untouched: false,
        passes_empty: false,
        breaks: null,
        rows_repaired: 1,
        rows_lost: 1,
      },
      { type: 'probe', task_idx: 1, passes_untouched: true },
      { type: 'probe', task_idx: 2, passes_untouched: false, breaks: expect.stringContaining('ValueError') },
      { type: 'probe', task_idx: 3, code: 'verifier_module_missing' },
    ]);
  });

  it('asks for something to verify when neither an episode nor --probe is given', async () => {
    expect(await main(['verify', '--json'])).not.toBe(0);
    expect(lines).toMatchObject([{ type: 'error', code: 'bad_input' }]);
  });
});
