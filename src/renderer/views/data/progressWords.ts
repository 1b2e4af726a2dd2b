// How far a job has come, in words. Pure.
import type { ExportJob } from '../../../shared/contract/export.ts';

/** `Reading`, `Reading 120 of 4,000 episodes`. */
export const progressWords = (verb: string, job: Pick<ExportJob, 'done' | 'total'> | null): string =>
  job === null || job.total === 0
    ? verb
    : `${verb} ${job.done.toLocaleString()} of ${job.total.toLocaleString()} episodes`;
