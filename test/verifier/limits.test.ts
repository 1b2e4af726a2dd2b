// The sandbox's limits hold by themselves: here for a program that has broken out of everything, and whose parent is gone.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { confinement } from '../../src/main/verifier/confine.ts';
import { sandboxParts } from '../../src/main/verifier/runtime.ts';
import { createSandbox, type VerifierReply } from '../../src/main/verifier/sandbox.ts';
import { sandboxHere } from '../support/sandbox.ts';

const here = import.meta.dirname;
const MIB = 1024 * 1024;
const parts = sandboxParts(sandboxHere);
const limits = { ...parts.limits, timeMs: 40_000 };
const watchdog = join(parts.scripts, 'watchdog.mjs');
const isLinux = process.platform === 'linux';

type Hog = {
  act: 'loop' | 'allocate';
  watchdog?: string;
  limits?: { startMs: number; timeMs: number; memory: number };
};
const hogArgs = (hog: Hog): string[] => [join(here, 'hog.mjs'), JSON.stringify(hog)];
const generous = { startMs: 60_000, timeMs: 60_000, memory: 4096 * MIB };

/** What a program in the way of all limits came to. */
function runHog(hog: Hog, before: readonly string[] = []) {
  const words = [...before, process.execPath, ...hogArgs(hog)];
  const { stdout, stderr, signal, status } = spawnSync(words[0] ?? '', words.slice(1), { encoding: 'utf8' });
  return {
    held: Number(stdout.trim().split('\n').at(-1)),
    stderr,
    hasFinished: signal === null && status === 0,
  };
}

describe.skipIf(process.platform === 'win32')('the watchdog alone', () => {
  it('ends a process that takes more memory than it may', () => {
    const { held, stderr, hasFinished } = runHog({
      act: 'allocate',
      watchdog,
      limits: { ...generous, memory: 256 * MIB },
    });
    expect(hasFinished).toBe(false);
    expect(stderr).toContain('limit: memory');
    expect(held).toBeLessThan(1024);
  });

  it('ends a process at its time, while that never lets go of its main thread', () => {
    const { stderr, hasFinished } = runHog({ act: 'loop', watchdog, limits: { ...generous, timeMs: 200 } });
    expect({ stderr, hasFinished }).toEqual({ stderr: '\nlimit: timeout\n', hasFinished: false });
  });
});

describe.skipIf(!isLinux)('the system’s limits alone', () => {
  it('keep a process from taking more memory than it may', () => {
    const { held, stderr, hasFinished } = runHog(
      { act: 'allocate' },
      confinement({ data: 1024 * MIB, cpu: 60 }),
    );
    expect(hasFinished).toBe(false);
    expect(stderr).toContain('allocation failed');
    expect(held).toBeLessThan(1024);
  });

  it('end a process that takes more processor time than it may', () => {
    const { hasFinished } = runHog({ act: 'loop' }, confinement({ data: 4096 * MIB, cpu: 1 }));
    expect(hasFinished).toBe(false);
  });

  it('hand on no variable but the time zone', () => {
    const [command, ...args] = [...confinement({ data: 4096 * MIB, cpu: 60 }), '/usr/bin/env'];
    const { stdout } = spawnSync(command, args, { env: { TZ: 'UTC', SECRET: 'x' }, encoding: 'utf8' });
    expect(stdout).toBe('TZ=UTC\n');
  });
});

describe('limits that a system has', () => {
  it('are none on Windows, and none that mean something else on a Mac', () => {
    const limit = { data: 1024 * MIB, cpu: 60 };
    expect(confinement(limit, 'win32', () => true)).toEqual([]);
    expect(confinement(limit, 'darwin', () => true).join(' ')).not.toMatch(/ulimit -d|setpriv/);
    expect(confinement(limit, 'linux', (path) => path !== '/usr/bin/setpriv')).not.toContain(
      '/usr/bin/setpriv',
    );
  });
});

const isGone = (pid: number): boolean => {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() === '' || stdout.trim().startsWith('Z');
};

/** Kills a parent once its child loops, and waits until the child is gone too. */
async function orphan(command: readonly string[]): Promise<void> {
  const parent = spawn(process.execPath, [join(here, 'looping.mjs'), JSON.stringify(command)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface(parent.stdout), 'line')) as [string];
  const child = Number(line);
  expect(isGone(child)).toBe(false);
  parent.kill('SIGKILL');
  try {
    await vi.waitFor(() => expect(isGone(child)).toBe(true), { timeout: 60_000, interval: 50 });
  } finally {
    if (!isGone(child)) process.kill(child, 'SIGKILL');
  }
}

describe.skipIf(process.platform === 'win32')('an endless verifier whose parent was killed', () => {
  it('is ended by the watchdog', () =>
    orphan([process.execPath, ...hogArgs({ act: 'loop', watchdog, limits: generous })]));

  it.skipIf(!isLinux || !existsSync('/usr/bin/setpriv'))('is ended by the system', () =>
    orphan([...confinement({ data: 4096 * MIB, cpu: 60 }), process.execPath, ...hogArgs({ act: 'loop' })]),
  );

  it.skipIf(!isLinux)('is ended in the sandbox as it is', async () => {
    const parent = spawn(process.execPath, [join(here, 'endless.mjs')], { stdio: 'ignore' });
    const children = (): number[] =>
      readFileSync(`/proc/${String(parent.pid)}/task/${String(parent.pid)}/children`, 'utf8')
        .split(' ')
        .filter((text) => text !== '')
        .map(Number);
    // utime of the process, in hundredths: a start takes a fraction of this.
    const spent = (pid: number): number =>
      Number(readFileSync(`/proc/${String(pid)}/stat`, 'utf8').split(' ')[13]);
    const looping = await vi.waitFor(
      () => {
        const found = children().find((pid) => spent(pid) > 400);
        expect(found).toBeDefined();
        return found ?? 0;
      },
      { timeout: 60_000, interval: 100 },
    );
    parent.kill('SIGKILL');
    await vi.waitFor(() => expect(isGone(looping)).toBe(true), { timeout: 60_000, interval: 50 });
  });
});

describe('a verifier that takes memory outside of Python’s', () => {
  const sandbox = createSandbox({ ...parts, limits: { ...limits, files: 8 * MIB } });
  afterAll(() => sandbox.close());
  const run = (body: string): Promise<VerifierReply> =>
    sandbox.run({
      code: `def verify_task():\n${body.replace(/^/gm, '    ')}\n`,
      initial: new Uint8Array(),
      final: new Uint8Array(),
      final_answer: null,
      at: null,
    });

  it.each([
    [
      'in many files',
      'import io\nfor n in range(1000):\n    io.open(f"/tmp/{n}", "wb").write(b"x" * 1_000_000)',
    ],
    [
      'in a file that grows',
      'import io\nwith io.open("/tmp/x", "wb") as file:\n    while True:\n        file.write(b"x" * 100_000)',
    ],
    ['in a file that is only long', 'import io\nio.open("/tmp/x", "wb").truncate(100_000_000)'],
    [
      'in a database',
      'import sqlite3\ndb = sqlite3.connect("/tmp/x.db")\ndb.execute("CREATE TABLE t (a)")\nwhile True:\n    db.execute("INSERT INTO t VALUES (zeroblob(1000000))")\n    db.commit()',
    ],
  ])('is stopped %s', async (_where, body) => {
    expect(await run(body)).toMatchObject({ ok: false, failed: 'memory' });
  });

  it('may write the same file again as often as it likes', async () => {
    const reply = await run(
      'import io\nfor n in range(50):\n    io.open("/tmp/x", "wb").write(b"x" * 1_000_000)\nreturn 1',
    );
    expect(reply).toMatchObject({ ok: true });
  });
});

it('an interpreter that is not up in time says so, with the limit', async () => {
  const sandbox = createSandbox({ ...parts, limits: { ...parts.limits, startMs: 1 }, spare: 0 });
  const nothing = new Uint8Array();
  const request = { code: '', initial: nothing, final: nothing, final_answer: null, at: null };

  await expect(sandbox.run(request)).rejects.toThrow(
    'the verifier sandbox did not start: it took longer than the 0.001 s it may',
  );
  sandbox.close();
});
