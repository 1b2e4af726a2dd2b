// Lowers this process's priority where the machine is short, so that somebody else's run goes before our recording.
import { constants, getPriority, setPriority } from 'node:os';

/** This process goes after others from now on. Measured: it is what keeps a busy run's steps from waiting for the log. */
export function standBack(): void {
  try {
    const { PRIORITY_BELOW_NORMAL } = constants.priority;
    if (getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL);
  } catch {
    // A system that does not let a process stand back: they share as any two do.
  }
}
