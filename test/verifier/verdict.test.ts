import Sqlite from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { lazySandbox } from '../../src/main/verifier/runtime.ts';
import { probe, runVerifier } from '../../src/main/verifier/verdict.ts';
import { sandboxHere } from '../support/sandbox.ts';

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
describe('what a verifier’s word is worth', () => {
  const parts = lazySandbox(sandboxHere);
  afterAll(() => parts.close());
  const image = (state: string | null): Uint8Array => {
    const db = new Sqlite(':memory:');
    if (state !== null) db.exec(`CREATE TABLE orders (state TEXT); INSERT INTO orders VALUES ('${state}')`);
    const bytes = db.serialize();
    db.close();
    return bytes;
  };

  it('is complete, others, evidence without a verdict, or a broken judge', async () => {
    const images = { initial: image('open'), current: image('done'), final_answer: null, at: null };
    const undone = { ...images, current: image('open') };
    const sandbox = parts.get();
    expect(await runVerifier(sandbox, CODE, images)).toMatchObject({
      result: 'complete',
      reward_type: 'complete',
    });
    expect(await runVerifier(sandbox, CODE, undone)).toMatchObject({
      result: 'others',
      reward_type: 'others',
    });
    expect(await runVerifier(sandbox, SQL, images)).toMatchObject({
      result: null,
      reward_type: 'incomplete',
      evidence: { rows: 3 },
    });
    const broken = CODE.replace('orders', 'no_such_table');
    expect(await runVerifier(sandbox, broken, images)).toMatchObject({
      reward_type: 'judge_error',
      problem: expect.stringContaining('no such table'),
    });
  });

  it('is worth nothing when it passes an untouched or an empty world: the probes say so', async () => {
    const sandbox = parts.get();
    expect(await probe(sandbox, CODE, image('open'), image(null))).toEqual({
      passesUntouched: false,
      passesEmpty: false,
      breaks: null,
      untold: null,
    });
    expect(await probe(sandbox, SWALLOWS, image('open'), image(null))).toMatchObject({
      passesUntouched: true,
      passesEmpty: true,
    });
  });
});
