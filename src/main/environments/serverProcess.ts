// One started server: its process group, its log in a file of bounded size, and the mark by which it is found again
// after this process was killed.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { z } from 'zod';
import { commandWords } from '../../shared/commandWords.ts';
import { Failure } from '../../shared/failure.ts';
import type { ManagedServer } from '../../shared/managedServer.ts';
import { keepPlace } from '../verifier/priority.ts';
import { MARK_VARIABLE } from './serverChildren.ts';

const LOG_BYTES = 1024 * 1024;
const SHOWN_CHARS = 20_000;
const STOP_MS = 5_000;

/** Starts the command in a process group of its own. Throws `bad_input` where there is no such program or folder. */
export async function startProcess(
  { command, uses_shell: usesShell, cwd, env }: ManagedServer,
  { logFile, folder, token }: { logFile: string; folder: string; token: string },
): Promise<ChildProcess> {
  const [program = '', ...words] = usesShell ? [command] : commandWords(command);
  const child = spawn(program, words, {
    cwd: cwd ?? folder,
    env: { ...process.env, ...env, [MARK_VARIABLE]: token },
    shell: usesShell,
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  keepPlace(child.pid, 'run');
  const write = (data: Buffer): void => appendBounded(logFile, data);
  child.stdout.on('data', write);
  child.stderr.on('data', write);
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (cause) =>
      reject(
        new Failure('bad_input', `cannot start ${program}: ${cause.message}`, {
          cause,
          next: 'Check the command and its folder under Settings → Environments.',
        }),
      ),
    );
  });
  return child;
}

/** Two files take turns, so that the end is always there and neither grows. */
function appendBounded(path: string, data: Buffer): void {
  if (existsSync(path) && statSync(path).size > LOG_BYTES) renameSync(path, `${path}.before`);
  appendFileSync(path, data, { mode: 0o600 });
}

export const readLogEnd = (path: string): string =>
  existsSync(path) ? readFileSync(path, 'utf8').slice(-SHOWN_CHARS) : '';

/** SIGTERM to the whole group, then SIGKILL; resolves when it is gone. */
export async function stopGroup(pid: number, isGone: () => boolean): Promise<void> {
  signalGroup(pid, 'SIGTERM');
  const until = performance.now() + STOP_MS;
  while (!isGone() && performance.now() < until) await pause();
  if (isGone()) return;
  signalGroup(pid, 'SIGKILL');
  while (!isGone()) await pause();
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    // It ended just now.
  }
}

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return startedAt(pid) !== null;
  } catch {
    return false;
  }
};

/** Whether anything of a process's group runs, also after the process itself has ended. */
export function isGroupAlive(pid: number): boolean {
  if (process.platform === 'win32') return isAlive(pid);
  return execFileSync('ps', ['-A', '-o', 'pgid=,stat='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .some(([group, state = 'Z']) => group === String(pid) && !state.startsWith('Z'));
}

/** When a process began, as the system tells it: another one that got the same number has another time. */
function startedAt(pid: number): string | null {
  try {
    const [state = '', ...at] = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
    })
      .trim()
      .split(/\s+/);
    return state === '' || state.startsWith('Z') ? null : at.join(' ');
  } catch {
    return null;
  }
}

const Mark = z.strictObject({
  pid: z.number().int().positive(),
  started_at: z.string(),
  /** What its processes have among their variables; absent from marks of before there was one. */
  token: z.string().min(1).optional(),
});

function readMark(path: string): z.infer<typeof Mark> | null {
  try {
    return Mark.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}

/** Of a process that has ended since, what it started in its group is marked; `started_at` is empty then. */
export function writeMark(path: string, pid: number, token?: string): void {
  const started_at = startedAt(pid) ?? (isGroupAlive(pid) ? '' : null);
  if (started_at !== null) writeFileSync(path, JSON.stringify({ pid, started_at, token }), { mode: 0o600 });
}

export const removeMark = (path: string): void => rmSync(path, { force: true });

/** What the processes of the server that a mark names have among their variables; null where there is none. */
export const markedToken = (path: string): string | null => readMark(path)?.token ?? null;

/** The process that a mark names, if it is still that one, or has ended and left others of its group. */
export function markedProcess(path: string): number | null {
  const mark = readMark(path);
  if (mark === null) return null;
  const started = startedAt(mark.pid);
  if (started === mark.started_at) return mark.pid;
  // No other process gets the number as long as a group has it.
  return started === null && isGroupAlive(mark.pid) ? mark.pid : null;
}
