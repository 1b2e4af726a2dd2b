// What the library says of archiving.
import type { ArchiveJob, ArchiveStage } from '../../../shared/contract/archive.ts';
import type { Outputs } from '../../../shared/contract/contract.ts';
import type { FailureShape } from '../../../shared/failure.ts';
import { formatBytes, formatCount } from '../../parts/text/size.ts';

const STAGES: Readonly<Record<ArchiveStage, string>> = {
  writing: 'writing the file',
  checking: 'comparing the file with the log',
  removing: 'taking the episodes out of the log',
  compacting: 'shrinking the log, everything waits',
  restoring: 'writing the episodes into the log',
  undoing: 'stopping, putting everything back',
};

/** What a job does now, or what came of it; its counts change too often to be read out. */
export function archiveJobLabel({
  act,
  state,
  progress,
  episodes,
  skipped,
  freed,
  file,
}: ArchiveJob): string {
  if (state === 'waiting') return 'waiting for the one before it';
  if (state === 'running') return progress === null ? 'starting' : STAGES[progress.stage];
  if (state === 'cancelled') return 'stopped';
  if (state === 'failed') return 'failed';
  const left = skipped === 0 ? '' : `, ${formatCount(skipped, 'episode')} left as they are`;
  if (act === 'bring_back') return `${formatCount(episodes, 'episode')} brought back${left}`;
  if (episodes === 0) return `nothing to archive${left}`;
  const smaller = freed === 0 ? '' : `, the log is ${formatBytes(freed)} smaller`;
  return `${formatCount(episodes, 'episode')} archived in ${file ?? ''}${smaller}${left}`;
}

export const archiveJobCount = ({ progress }: ArchiveJob): string =>
  progress === null || progress.stage === 'compacting'
    ? ''
    : `${progress.done.toLocaleString()} of ${progress.total.toLocaleString()}`;

export type ArchiveEstimate = Outputs['archive.estimate'];

/** Room for the file, and for a second copy of what stays where the log is rewritten. */
export function missingSpace(
  { bytes, log_bytes, free_bytes, folder }: ArchiveEstimate,
  isCompacted: boolean,
): FailureShape | null {
  const needed = Math.round(bytes * 1.1) + (isCompacted ? Math.max(0, log_bytes - bytes) : 0);
  if (free_bytes === null || needed <= free_bytes) return null;
  return {
    code: 'data_unwritable',
    message: `about ${formatBytes(needed)} are needed on the disk of ${folder}, ${formatBytes(free_bytes)} are free`,
    next: isCompacted
      ? 'Free some space, archive fewer episodes, or leave the log as large as it is.'
      : 'Free some space, or archive fewer episodes at once.',
  };
}

/** Which of the chosen stay as they are, and why. */
export function leftOutText({ archived, open }: ArchiveEstimate): string | null {
  const parts = [
    ...(open === 0 ? [] : [`${formatCount(open, 'episode')} that ${open === 1 ? 'has' : 'have'} not ended`]),
    ...(archived === 0 ? [] : [`${formatCount(archived, 'episode')} archived already`]),
  ];
  return parts.length === 0 ? null : `Left as they are: ${parts.join(', ')}.`;
}
