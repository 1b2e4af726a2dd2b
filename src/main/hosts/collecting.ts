// How garbage is collected: by the thread that made it. Most of what is made here dies at once, so that little is
// left to copy: waking helpers for it costs more than they save, and takes the processor from whoever else has work.
import { setFlagsFromString } from 'node:v8';

/** Holds for all threads of this process from now on. */
export const collectAlone = (): void => setFlagsFromString('--no-parallel-scavenge');
