// The product's processes as the faults find them: started as they are built, each with its pid, ended by it.
import { spawn, type ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { isRecord, tryJson } from '../../src/shared/json.ts';

const root = resolve(import.meta.dirname, '../..');
/** Only ends a wait for a program that never comes up, on a machine that may have much to do. */
const READY_MS = 180_000;

export type Running = {
  pid: number;
  /** The line that said that it was ready. */
  ready: Record<string, unknown>;
  /** Resolves with the exit code and all it said; the code is null after a signal. */
  ended: Promise<{ code: number | null; said: string }>;
  signal: (signal: NodeJS.Signals) => void;
};

export const clockFile = (folder: string): string => join(folder, 'clock');
export const setClock = (folder: string, offsetMs: number): void =>
  writeFileSync(clockFile(folder), String(offsetMs));

type Variables = Readonly<Record<string, string>>;

/** Starts a command of the product. Rejects with what it said where it ends without being ready. */
export function startProgram(
  args: readonly string[],
  work: string,
  variables: Variables = {},
): Promise<Running> {
  const { child, ended, lines } = spawnProgram(args, work, variables);
  return new Promise((done, fail) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      fail(new Error(`not ready in ${String(READY_MS / 1000)} s: interject ${args.join(' ')}`));
    }, READY_MS);
    void ended.then(({ code, said }) => {
      clearTimeout(timer);
      fail(new Error(`interject ${args[0] ?? ''} ended with ${String(code)}:\n${said}`));
    });
    lines((line) => {
      const ready: unknown = tryJson(line);
      if (!isRecord(ready) || typeof ready['url'] !== 'string') return;
      clearTimeout(timer);
      done({ pid: child.pid ?? 0, ready, ended, signal: (name) => void child.kill(name) });
    });
  });
}

/** Starts a command that ends by itself. */
export function beginProgram(args: readonly string[], work: string): Pick<Running, 'pid' | 'ended'> {
  const { child, ended } = spawnProgram(args, work);
  return { pid: child.pid ?? 0, ended };
}

/** Runs a command of the product to its end; one that does not end is killed, and has no code. */
export async function runProgram(
  args: readonly string[],
  work: string,
): Promise<{ code: number | null; said: string }> {
  const { child, ended } = spawnProgram(args, work);
  const timer = setTimeout(() => child.kill('SIGKILL'), READY_MS);
  const result = await ended;
  clearTimeout(timer);
  return result;
}

function spawnProgram(args: readonly string[], work: string, variables: Variables = {}) {
  const child = spawn(
    process.execPath,
    [
      '--import',
      pathToFileURL(join(import.meta.dirname, 'clock.mjs')).href,
      join(root, 'out/main/cli.js'),
      ...args,
    ],
    {
      cwd: root,
      env: {
        ...process.env,
        ...variables,
        FAULTS_CLOCK: clockFile(work),
        XDG_CONFIG_HOME: join(root, '.cache', 'config'),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let said = '';
  const listeners: ((line: string) => void)[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      said = `${said}${line}\n`.slice(-4_000);
      for (const listener of listeners) listener(line);
    });
  }
  return {
    child,
    ended: endOf(child, () => said),
    lines: (listener: (line: string) => void) => listeners.push(listener),
  };
}

const endOf = (child: ChildProcess, said: () => string): Promise<{ code: number | null; said: string }> =>
  new Promise((done) => child.once('close', (code) => done({ code, said: said() })));
