// The sandbox is killed in the middle of a verdict. The verdict must be told as not had, and be got by asking again.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { isRecord, tryJson } from '../../src/shared/json.ts';
import type { Bench } from './bench.ts';
import { beginProgram, runProgram } from './programs.ts';

/** Works for about a second, so that it can be met at work. */
const VERIFIER = `def verify_task_completion(initial_db_path, final_db_path, final_answer=None):
    import sqlite3
    now = sqlite3.connect(f"file:{final_db_path}?mode=ro", uri=True)
    state = now.execute("SELECT state FROM orders").fetchone()[0]
    for number in range(12_000_000):
        pass
    return {"result": "complete" if state == "done" and final_answer == "Closed it." else "others"}
`;
const TRAJECTORY = {
  scenario: 'orders',
  task: 't',
  task_idx: 0,
  steps: 1,
  trajectory: [
    {
      action: 'verify',
      arguments: { final_answer: 'Closed it.' },
      success: true,
      reward_type: 'complete',
    },
  ],
};

/** A machine with too much to do does not always get through in the sandbox’s time. */
const ASKED_MAX = 10;
const OUT_OF_TIME: ReadonlySet<unknown> = new Set(['verifier_timeout', 'sandbox_unavailable']);

type Verdict = { code: number | null; said: string; line: Record<string, unknown> };

export async function killVerdict({
  work,
  violations,
}: Pick<Bench, 'work' | 'violations'>): Promise<boolean> {
  const args = ['verify', judgedFolder(work), '--awm-data', join(work, 'verifiers'), '--json'];
  const { pid, ended } = beginProgram(args, work);
  const isKilled = await killSandboxOf(pid, ended);
  const broken = verdictOf(await ended);
  if (!isKilled) return false;
  const { result, reward_type, problem_code } = broken.line;
  const isHad = result !== null || reward_type !== 'unknown' || problem_code !== 'verifier_crashed';
  if (isHad || broken.code !== 1)
    violations.push(`a verdict whose sandbox was killed: ${String(broken.code)}, ${broken.said}`);
  for (let asked = 1; ; asked += 1) {
    const again = verdictOf(await runProgram(args, work));
    if (again.code === 0 && again.line['result'] === 'complete') return true;
    const cause = again.line['problem_code'] ?? again.line['code'];
    if (OUT_OF_TIME.has(cause) && asked < ASKED_MAX) continue;
    violations.push(`a verdict asked for again: ${String(again.code)}, ${again.said}`);
    return true;
  }
}

function verdictOf({ code, said }: { code: number | null; said: string }): Verdict {
  const line = said
    .split('\n')
    .map((text) => tryJson(text))
    .find(isRecord);
  return { code, said, line: line ?? {} };
}

/** Once the next sandbox is being started, the first one has its verifier. Whether it was killed at work. */
async function killSandboxOf(pid: number, ended: Promise<unknown>): Promise<boolean> {
  let isOver = false;
  void ended.then(() => (isOver = true));
  let first: number | undefined;
  while (!isOver) {
    const sandboxes = sandboxesOf(pid);
    first ??= sandboxes[0];
    if (first !== undefined && sandboxes.some((one) => one !== first))
      return sandboxes.includes(first) && kill(first);
    await wait(20);
  }
  return false;
}

function sandboxesOf(pid: number): number[] {
  const { stdout } = spawnSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  return stdout.split('\n').flatMap((line) => {
    const [own, parent, ...args] = line.trim().split(/\s+/);
    return parent === String(pid) && args.includes('run') && line.includes('sandbox.mjs')
      ? [Number(own)]
      : [];
  });
}

function kill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

/** What a server left of a run, and beside it the data with its verifier. */
function judgedFolder(work: string): string {
  const folder = join(work, 'judged');
  if (existsSync(folder)) return folder;
  for (const one of [folder, join(work, 'verifiers')]) mkdirSync(one);
  const verifier = { scenario: 'Orders', task_idx: 0, task: 't', verification: { code: VERIFIER } };
  writeFileSync(join(work, 'verifiers', 'gen_verifier.pure_code.jsonl'), JSON.stringify(verifier));
  writeFileSync(join(folder, 'trajectory.json'), JSON.stringify(TRAJECTORY));
  for (const [name, state] of [
    ['orders_initial.db', 'open'],
    ['orders.db', 'done'],
  ] as const) {
    const db = new Sqlite(join(folder, name));
    db.exec(`CREATE TABLE orders (state TEXT); INSERT INTO orders VALUES ('${state}')`);
    db.close();
  }
  return folder;
}
