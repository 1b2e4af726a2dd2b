import Sqlite from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { sandboxParts } from '../../src/main/verifier/runtime.ts';
import { createSandbox, type VerifierReply } from '../../src/main/verifier/sandbox.ts';
import { sandboxHere } from '../support/sandbox.ts';

const parts = sandboxParts(sandboxHere);
const LIMITS = { ...parts.limits, timeMs: 8_000, memory: 192 * 1024 * 1024, output: 20_000 };
const sandbox = createSandbox({ ...parts, limits: LIMITS });
afterAll(() => sandbox.close());

const database = (sql: string): Uint8Array => {
  const db = new Sqlite(':memory:');
  db.exec(sql);
  const bytes = db.serialize();
  db.close();
  return bytes;
};
const INITIAL = database(
  "CREATE TABLE orders (id INTEGER PRIMARY KEY, state TEXT); INSERT INTO orders VALUES (1, 'open');",
);
const FINAL = database(
  "CREATE TABLE orders (id INTEGER PRIMARY KEY, state TEXT); INSERT INTO orders VALUES (1, 'done');",
);

const run = (body: string, signature = 'initial_db_path, final_db_path'): Promise<VerifierReply> =>
  sandbox.run({
    code: `def verify_task_completion(${signature}):\n${body.replace(/^/gm, '    ')}\n`,
    initial: INITIAL,
    final: FINAL,
    final_answer: '42',
    at: null,
  });
const resultOf = (reply: VerifierReply): unknown =>
  reply.ok ? reply.result : `${reply.failed}: ${reply.message}`;

const VERIFIER = `
import sqlite3
db = sqlite3.connect(f"file:{final_db_path}?mode=ro", uri=True)
before = sqlite3.connect(f"file:{initial_db_path}?mode=ro", uri=True)
was = before.execute("SELECT state FROM orders").fetchone()[0]
now = db.execute("SELECT state FROM orders").fetchone()[0]
return {"result": "complete" if (was, now) == ("open", "done") else "others"}`;

describe('a verifier in the sandbox', () => {
  it('compares the two databases, and says complete', async () => {
    const reply = await run(VERIFIER);
    expect(reply).toMatchObject({
      ok: true,
      function: 'verify_task_completion',
      result: { result: 'complete' },
    });
  });

  it('gets the final answer by the name of its parameter, and only what it names', async () => {
    const reply = await run('return {"answer": final_answer}', 'final_answer');
    expect(resultOf(reply)).toEqual({ answer: '42' });
  });

  it('knows time zones it names, with the right offset in summer', async () => {
    const reply = await run(`
from zoneinfo import ZoneInfo
from datetime import datetime
return [datetime(2026, 7, 1, 12, tzinfo=ZoneInfo(z)).isoformat() for z in ("Europe/Berlin", "America/New_York")]`);
    expect(resultOf(reply)).toEqual(['2026-07-01T12:00:00+02:00', '2026-07-01T12:00:00-04:00']);
  });

  it('shows where it broke, in the verifier’s own lines', async () => {
    const reply = await run('x = 1\nreturn {}["missing"]');
    expect(reply).toMatchObject({ ok: false, failed: 'error', message: "KeyError: 'missing' (line 3)" });
  });

  it('keeps what it printed beside the verdict', async () => {
    const reply = await run('print("looked")\nreturn 1');
    expect(reply).toMatchObject({ ok: true, said: 'looked\n', printed: true });
  });

  it('leaves nothing behind for the next one', async () => {
    await run('import sqlite3\nsqlite3.connect = None\nreturn 1');
    expect(resultOf(await run(VERIFIER))).toEqual({ result: 'complete' });
  });

  it('writes to a copy: the database that was given stays as it was', async () => {
    const before = Buffer.from(FINAL);
    await run(
      'import sqlite3\ndb = sqlite3.connect(final_db_path)\ndb.execute("DELETE FROM orders")\ndb.commit()\nreturn 1',
    );
    expect(Buffer.compare(before, FINAL)).toBe(0);
  });
});
