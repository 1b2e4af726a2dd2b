// Processes of the sandbox that are killed from outside, as by a system that has no memory left: the verdict is told as not
// had or got anew, nothing waits for it, and the next one is given.
import { spawnSync } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { afterAll, expect, it, vi } from 'vitest';
import { sandboxParts } from '../../src/main/verifier/runtime.ts';
import { createSandbox, type VerifierReply } from '../../src/main/verifier/sandbox.ts';
import { sandboxHere } from '../support/sandbox.ts';

const parts = sandboxParts(sandboxHere);
const sandbox = createSandbox({ ...parts, spare: 1 });
afterAll(() => sandbox.close());

const database = ((): Uint8Array => {
  const db = new Sqlite(':memory:');
  const bytes = db.serialize();
  db.close();
  return bytes;
})();
const run = (body: string): Promise<VerifierReply> =>
  sandbox.run({
    code: `def verify_task_completion(initial_db_path, final_db_path):\n    ${body}\n`,
    initial: database,
    final: database,
    final_answer: null,
    at: null,
  });
const COMPLETE = 'return {"result": "complete"}';

/** Our sandboxes that run a verifier or wait for one, oldest first. */
function sandboxes(): number[] {
  const { stdout } = spawnSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  return stdout.split('\n').flatMap((line) => {
    const [own, parent, ...args] = line.trim().split(/\s+/);
    const isOurs = parent === String(process.pid) && args.includes('run') && line.includes('sandbox.mjs');
    return isOurs ? [Number(own)] : [];
  });
}

it.skipIf(process.platform === 'win32')(
  'one at work gives no verdict and says so at once, and the next verdict is given',
  async () => {
    const endless = run('while True: pass');
    // Its successor is started once it has its verifier.
    await vi.waitFor(() => expect(sandboxes().length).toBe(2), { timeout: 60_000, interval: 50 });

    process.kill(sandboxes()[0] ?? 0, 'SIGKILL');

    expect(await endless).toMatchObject({ ok: false, failed: 'crashed' });
    expect(await run(COMPLETE)).toMatchObject({ ok: true, verdict: 'complete' });
  },
);

it.skipIf(process.platform === 'win32')('one that waits for a verifier costs no verdict', async () => {
  await run(COMPLETE);
  await vi.waitFor(() => expect(sandboxes().length).toBe(1), { timeout: 60_000, interval: 50 });
  const [spare = 0] = sandboxes();
  // One that is still starting would be taken for a sign that the kept snapshot is broken.
  await wait(2_000);
  process.kill(spare, 'SIGKILL');
  await vi.waitFor(() => expect(sandboxes()).not.toContain(spare), { timeout: 60_000, interval: 50 });
  // Its end is heard of.
  await wait(100);

  expect(await run(COMPLETE)).toMatchObject({ ok: true, verdict: 'complete' });
});
