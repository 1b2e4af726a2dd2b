// Processes of a started server that are in groups of their own, as sub-environments are, and outlive one that is
// killed. They are known by a variable that they inherited: it holds a value that nobody else was given. Linux only,
// where the variables of one's own processes can be read.
import { readdirSync, readFileSync } from 'node:fs';
import type { ServerProcess } from '../../shared/managedServer.ts';

export const MARK_VARIABLE = 'INTERJECT_SERVER';

const PROC = '/proc';
const COMMAND_CHARS = 200;
const STOP_MS = 5_000;
const LOOK_MS = 50;

/** Nothing where it ended just now, belongs to somebody else, or the system has no such folder. */
function readOf(pid: string, file: 'environ' | 'cmdline' | 'stat'): string {
  try {
    return readFileSync(`${PROC}/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

const isMarked = (pid: string, token: string): boolean =>
  readOf(pid, 'environ').split('\0').includes(`${MARK_VARIABLE}=${token}`) &&
  !/^\d+ \(.*\) Z/s.test(readOf(pid, 'stat'));

/** Every process that has the mark of one start, the server itself among them. */
export function markedProcesses(token: string): ServerProcess[] {
  if (process.platform !== 'linux') return [];
  return readdirSync(PROC)
    .filter((name) => /^\d+$/.test(name) && isMarked(name, token))
    .map((pid) => ({
      pid: Number(pid),
      command: readOf(pid, 'cmdline').split('\0').join(' ').trim().slice(0, COMMAND_CHARS),
    }));
}

/** SIGTERM to each, then SIGKILL; resolves when none is left. */
export async function endMarked(token: string | null): Promise<void> {
  if (token === null) return;
  signalMarked(token, 'SIGTERM');
  const until = performance.now() + STOP_MS;
  while (markedProcesses(token).length > 0) {
    if (performance.now() > until) signalMarked(token, 'SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** Each is looked at again right before: its number may have gone to another process. */
function signalMarked(token: string, signal: NodeJS.Signals): void {
  for (const { pid } of markedProcesses(token)) {
    try {
      if (isMarked(String(pid), token)) process.kill(pid, signal);
    } catch {
      // It ended just now.
    }
  }
}
