// Starts a thread of this process.
import { Worker } from 'node:worker_threads';
import type { StartThread } from '../log/checkpoints.ts';
import { programPath } from './paths.ts';

/** What a reader makes is soon done with: in a young generation of this size little of it is ever copied. */
const YOUNG_MB = 64;

/** Starts a thread for a role. */
export const startThread: StartThread = (role, data) =>
  new Worker(programPath('thread'), {
    workerData: { role, data },
    resourceLimits: role === 'reading' || role === 'large' ? { maxYoungGenerationSizeMb: YOUNG_MB } : {},
  });
