// A script of this folder as a process that answers a line with a line of JSON.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export type Program<T> = {
  first: T;
  pid: number;
  ask(line: string): Promise<Record<string, number>>;
  end(): Promise<void>;
};

export async function start<T>(script: string, args: string[] = []): Promise<Program<T>> {
  const child = spawn(process.execPath, [join(import.meta.dirname, script), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const waiting: ((line: string) => void)[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()?.(line));
  const next = (): Promise<string> => new Promise((resolve) => waiting.push(resolve));
  const first = JSON.parse(await next()) as T;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  return {
    first,
    pid: child.pid ?? 0,
    ask: async (line) => {
      const answer = next();
      child.stdin.write(`${line}\n`);
      return JSON.parse(await answer) as Record<string, number>;
    },
    end: async () => {
      child.stdin.end();
      const timer = setTimeout(() => child.kill(), 8_000);
      await gone;
      clearTimeout(timer);
    },
  };
}

/** Megabytes a process holds, where the system tells; 0 elsewhere. */
export function memoryOf(pid: number): number {
  try {
    const [, kb] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8')) ?? [];
    return Math.round(Number(kb ?? 0) / 1000);
  } catch {
    return 0;
  }
}

/** A clock tick of the system, as its files count. */
const TICK_MS = 10;

/** Milliseconds of processor a process has used in all its threads, where the system tells; 0 elsewhere. */
export function cpuOf(pid: number): number {
  try {
    const fields =
      readFileSync(`/proc/${String(pid)}/stat`, 'utf8')
        .split(') ')[1]
        ?.split(' ') ?? [];
    return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * TICK_MS;
  } catch {
    return 0;
  }
}
