import { spawn, spawnSync } from 'node:child_process';
import { getPriority, setPriority } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const MODULE = join(import.meta.dirname, '../../src/main/gateway/tap/priority.ts');
const isLinux = process.platform === 'linux';

/** What a process of its own says of itself, as JSON. */
function said(script: string): unknown {
  const source = `import { lowerPriority, keepPlace } from ${JSON.stringify(`file://${MODULE}`)};\n${script}`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', source], {
    encoding: 'utf8',
  });
  try {
    return JSON.parse(stdout);
  } catch {
    throw new Error(stderr);
  }
}

/** The niceness of each thread as the system counts it: proc(5), the 19th field of `stat`. */
const NICENESSES = `
import { readdirSync, readFileSync } from 'node:fs';
const nicenesses = () => readdirSync('/proc/self/task').map((thread) => {
  const stat = readFileSync('/proc/self/task/' + thread + '/stat', 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
});
`;

it.skipIf(!isLinux)('lets others go first with every thread, those that collect garbage too', () => {
  const { before, after, later } = said(`${NICENESSES}
    import { Worker } from 'node:worker_threads';
    const before = nicenesses();
    lowerPriority();
    const after = nicenesses();
    const worker = new Worker('setTimeout(() => 0, 2000)', { eval: true });
    worker.once('online', () => {
      console.log(JSON.stringify({ before, after, later: nicenesses() }));
      process.exit();
    });
  `) as Record<'before' | 'after' | 'later', number[]>;

  expect(before.length).toBeGreaterThan(1);
  expect(new Set(before).size).toBe(1);
  expect(new Set(after)).toEqual(mayRaise() ? new Set([15]) : new Set([10, 15]));
  expect(later.length).toBeGreaterThan(after.length);
  expect(Math.min(...later)).toBe(Math.min(...after));
});

it.skipIf(!isLinux || !mayRaise())('keeps what it starts for a run where it was itself', () => {
  const [own, run] = said(`
    import { spawn } from 'node:child_process';
    import { getPriority } from 'node:os';
    const own = getPriority();
    lowerPriority();
    const child = spawn('sleep', ['5']);
    const inherited = getPriority(child.pid);
    if (inherited <= own) throw new Error('it began with ' + inherited);
    keepPlace(child.pid);
    const place = getPriority(child.pid);
    child.kill();
    console.log(JSON.stringify([own, place]));
  `) as [number, number];

  expect(run).toBe(own);
});

/** Whether this user may raise a priority again. */
function mayRaise(): boolean {
  const child = spawn('sleep', ['5']);
  try {
    const own = getPriority(child.pid);
    setPriority(child.pid ?? 0, own + 1);
    setPriority(child.pid ?? 0, own);
    return true;
  } catch {
    return false;
  } finally {
    child.kill('SIGKILL');
  }
}
