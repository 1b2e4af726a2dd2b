// Owns: the imports of a running product: the files they keep, who reads them, and how they end.
import type { StartThread } from '../../log/checkpoints.ts';
import type { DataFolder } from '../../log/dataFolder.ts';
import type { EventLog } from '../../log/eventLog.ts';
import { createImportJobs } from './jobs.ts';
import { readHere, readOnThread } from './reading.ts';
import { createSources } from './sources.ts';

type Edges = { newId: () => string; clock: () => number; startThread?: StartThread };

/** Files people import are kept beside the log, and read on a thread where the host has one. */
export function openImports(log: EventLog, folder: DataFolder, { newId, clock, startThread }: Edges) {
  const place = folder.file('sources');
  const sources = createSources(place, newId);
  const reading = startThread === undefined ? readHere({ sources, newId }) : readOnThread(startThread, place);
  const jobs = createImportJobs({ log, newId, clock, read: reading.read }, place);
  const close = async (): Promise<void> => {
    await jobs.close();
    await reading.close();
  };
  return { sources, jobs, close };
}
