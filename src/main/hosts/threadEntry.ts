// Where the program of this process's own threads lies, beside the built hosts or beside this file when run from
// source, and starting one.
import { join, sep } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { StartThread } from '../log/checkpoints.ts';
import { productFolder } from './paths.ts';

const entry = (here: string): string =>
  here.includes(`${sep}out${sep}`)
    ? join(productFolder(), 'out', 'main', 'thread.js')
    : join(here, 'thread.ts');

/** What a reader makes is soon done with: in a young generation of this size little of it is ever copied. */
const YOUNG_MB = 64;

/** Starts a thread for a role. */
export const startThread: StartThread = (role, data) =>
  new Worker(entry(import.meta.dirname), {
    workerData: { role, data },
    resourceLimits: role === 'reading' ? { maxYoungGenerationSizeMb: YOUNG_MB } : {},
  });
