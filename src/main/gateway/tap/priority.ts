// Process priorities: somebody else's run goes first, with what serves it, and then our recording of it.
import { readdirSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/** A level that every system has. On Linux it leaves a tenth of a processor beside a busy program. */
const BELOW = constants.priority.PRIORITY_BELOW_NORMAL;
/**
 * The level if it may be raised again. Measured with a thousand live episodes on two cores: at 10 a key at the desk
 * waits half as long again. With both cores taken by other programs, a page of the list and a client's question took as
 * long at 15 as at 10.
 */
const FAR_BELOW = 15;

const ownNiceness = niceness(0);

/** This process goes after others from now on. Measured: it is what keeps a busy run's steps from waiting for the log. */
export function lowerPriority(): void {
  if (niceness(0) >= BELOW) return;
  const others = threads().filter((thread) => thread !== process.pid);
  for (const thread of others) setNiceness(thread, FAR_BELOW);
  const [one] = others;
  const mayRaise = one !== undefined && setNiceness(one, ownNiceness) && setNiceness(one, FAR_BELOW);
  // What we start begins where the main thread is; where it cannot be raised again, that is not so far back.
  setNiceness(0, mayRaise ? FAR_BELOW : BELOW);
}

/**
 * Call right after a start: what serves a run does not stand back with us. Where the system does not allow that, it
 * stays where it began.
 */
export function keepPlace(pid: number | undefined): void {
  if (pid === undefined || niceness(pid) <= ownNiceness) return;
  for (const thread of threads(pid)) setNiceness(thread, ownNiceness);
}

/** On Linux each thread has a niceness of its own: those that collect garbage would go on before everybody. */
function threads(pid = process.pid): number[] {
  try {
    return readdirSync(`/proc/${String(pid)}/task`).map(Number);
  } catch {
    return [pid];
  }
}

/** False where it is gone, or the system does not let us: they share as any two do. */
function setNiceness(pid: number, value: number): boolean {
  try {
    setPriority(pid, value);
    return true;
  } catch {
    return false;
  }
}

function niceness(pid: number): number {
  try {
    return getPriority(pid);
  } catch {
    return constants.priority.PRIORITY_NORMAL;
  }
}
