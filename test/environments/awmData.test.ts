import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAwmData } from '../../src/main/environments/awmData.ts';

const CODE = `def verify_task_completion(initial_db_path, final_db_path, final_answer=None):
    import sqlite3
    now = sqlite3.connect(f"file:{final_db_path}?mode=ro", uri=True)
    rows = now.execute("SELECT count(*) FROM orders WHERE state = 'done'").fetchone()[0]
    return {"result": "complete" if rows == 1 else "others"}
`;
const SQL = 'def verify_task(initial_db_path, final_db_path):\n    return {"rows": 3}\n';
const SWALLOWS = `def verify_task_completion(initial_db_path, final_db_path):
    return {"result": "complete"}
`;
const line = (scenario: string, task_idx: number, code: string | null): string =>
  JSON.stringify({ scenario, task_idx, task: 'Close the order', verification: { code, raw_response: '{}' } });

const folder = mkdtempSync(join(tmpdir(), 'interject-awm-'));
beforeAll(() => {
  writeFileSync(
    join(folder, 'gen_verifier.jsonl'),
    // The file that should hold the form without a verdict holds the other one here, as it does in the wild.
    [
      line('Orders & Co', 0, CODE),
      line('Orders & Co', 1, SQL),
      'broken',
      '',
      line('Orders & Co', 2, null),
    ].join('\n'),
  );
  writeFileSync(
    join(folder, 'gen_verifier.pure_code.jsonl'),
    `${JSON.stringify({ task_idx: 1, scenario: 'orders_co', verification: { code: CODE } })}\n`,
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the verifiers of a data folder', () => {
  it('are joined over the spellings of a scenario’s name, and told apart by their function', async () => {
    const data = createAwmData(folder);
    expect(await data.find('orders_co', 0)).toMatchObject([
      { form: 'code', task_idx: 0, task: 'Close the order' },
    ]);
    expect((await data.find('Orders Co', 1)).map(({ form }) => form)).toEqual(['code', 'sql']);
    expect(await data.find('orders_co', 2)).toEqual([]);
    expect(await data.find('elsewhere', 0)).toEqual([]);
  });

  it('names the lines it could not read', async () => {
    expect(await createAwmData(folder).problems()).toEqual(['gen_verifier.jsonl, line 3: no verifier']);
  });

  it('are found in a file read in many chunks, umlauts on the seam included', async () => {
    const big = mkdtempSync(join(tmpdir(), 'interject-awm-big-'));
    const long = `${SWALLOWS}# ${'ü'.repeat(40_000)}`;
    const lines = Array.from({ length: 60 }, (_, task) => line('büro', task, long));
    writeFileSync(join(big, 'gen_verifier.pure_code.jsonl'), lines.join('\n'));
    const data = createAwmData(big);
    expect((await data.tasks()).length).toBe(60);
    for (const task of [0, 29, 59]) expect((await data.find('Büro', task))[0]?.code).toBe(long);
    rmSync(big, { recursive: true });
  });

  it('says what to do when the folder holds none', async () => {
    await expect(createAwmData(join(folder, 'nowhere')).find('a', 0)).rejects.toMatchObject({
      code: 'not_found',
      next: expect.stringContaining('--awm-data'),
    });
  });
});

it('a file of a data folder that changed is read again; one that did not is not', async () => {
  const at = mkdtempSync(join(tmpdir(), 'interject-awm-again-'));
  const file = join(at, 'gen_verifier.jsonl');
  writeFileSync(file, `${line('orders', 0, CODE)}\n`);
  const data = createAwmData(at);
  expect(await data.find('orders', 1)).toEqual([]);

  writeFileSync(file, `${line('orders', 0, CODE)}\n${line('orders', 1, SQL)}\n`);

  expect(await data.find('orders', 1)).toMatchObject([{ form: 'sql', task_idx: 1 }]);
  rmSync(at, { recursive: true });
});
