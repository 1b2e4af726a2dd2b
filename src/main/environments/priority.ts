// Who goes first where the machine is short: somebody else's run, with what serves it, and then our recording of it.
import { readdirSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/**
 * Linux gives a thread of this niceness a thirtieth of what one without any gets while both have work. Measured with a
 * thousand live episodes on two cores: at 10 a key at the desk waits half as long again. Beside two programs that never
 * rest, a page of the list and a question of 300 clients come as fast as at 10.
 */
const NICENESS = 15;

/** The niceness that this process was started with. */
const begunWith = niceness(0);

/** This process goes after others from now on. Measured: it is what keeps a busy run's steps from waiting for the log. */
export function standBack(): void {
  if (niceness(0) >= NICENESS) return;
  for (const thread of threads()) setNiceness(thread, NICENESS);
}

/** What this process started for somebody's run does not stand back with it, where the system allows that. */
export function standForth(pid: number): void {
  if (niceness(pid) > begunWith) setNiceness(pid, begunWith);
}

/** On Linux each thread has a niceness of its own: those that collect garbage would go on before everybody. */
function threads(): number[] {
  try {
    return readdirSync('/proc/self/task').map(Number);
  } catch {
    return [0];
  }
}

function setNiceness(pid: number, value: number): void {
  try {
    setPriority(pid, value);
  } catch {
    // It is gone, or the system does not let us: they share as any two do.
  }
}

function niceness(pid: number): number {
  try {
    return getPriority(pid);
  } catch {
    return constants.priority.PRIORITY_NORMAL;
  }
}
