// The entry of the process's own threads: what it is told to be, it serves until it is ended.
import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { serveReading } from '../dataset/import/readOnThread.ts';
import { READ_JSON } from '../gateway/expert/body.ts';
import { COVER_CRITERIA } from '../gateway/expert/coverRequest.ts';
import { READ_REPLY } from '../gateway/transcripts/agentNotes.ts';
import { COVER, serveJobs } from '../log/largeThread.ts';
import { serveCheckpoints } from '../log/checkpointThread.ts';
import { newId } from './ids.ts';

const { role, data } = z
  .object({ role: z.enum(['checkpoints', 'reading', 'large']), data: z.unknown() })
  .parse(workerData);
if (parentPort === null) throw new Error('this is the program of a thread');
if (role === 'reading') serveReading(parentPort, data, () => newId());
else if (role === 'large') serveJobs(parentPort, [COVER, READ_JSON, COVER_CRITERIA, READ_REPLY]);
else serveCheckpoints(parentPort, data);
