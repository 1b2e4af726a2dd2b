// Opens the imports of a running product: the files they keep, the reader they use, and how they close.
import type { StartThread } from '../../log/checkpoints.ts';
import type { DataFolder } from '../../log/dataFolder.ts';
import type { EventLog } from '../../log/eventLog.ts';
import { createImportJobs } from './importJobs.ts';
import { readHere, readOnThread } from './readOnThread.ts';
import { createSourceStore } from './sourceStore.ts';

type ImportEdges = { newId: () => string; clock: () => number; startThread?: StartThread };

/** Files people import are kept beside the log, and read on a thread where the host has one. */
export function openImports(log: EventLog, folder: DataFolder, { newId, clock, startThread }: ImportEdges) {
  const place = folder.file('sources');
  const sources = createSourceStore(place, newId);
  const reading = startThread === undefined ? readHere({ sources, newId }) : readOnThread(startThread, place);
  const jobs = createImportJobs({ log, newId, clock, read: reading.read, sources }, place);
  const close = async (): Promise<void> => {
    await jobs.close();
    await reading.close();
  };
  return { sources, jobs, close };
}
