// The entry of the process's own threads: what it is told to be, it serves until it is ended.
import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { serveReading } from '../dataset/import/readingThread.ts';
import { serveCovering } from '../log/coverThread.ts';
import { serveCheckpoints } from '../log/checkpointThread.ts';
import { newId } from './ids.ts';

const { role, data } = z
  .object({ role: z.enum(['checkpoints', 'reading', 'covering']), data: z.unknown() })
  .parse(workerData);
if (parentPort === null) throw new Error('this is the program of a thread');
if (role === 'reading') serveReading(parentPort, data, () => newId());
else if (role === 'covering') serveCovering(parentPort);
else serveCheckpoints(parentPort, data);
