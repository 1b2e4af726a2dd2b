// How archiving and bringing back are doing, and what came of them.
import { Archive, ArchiveRestore, CircleAlert, Loader, X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ArchiveJob } from '../../../shared/contract/archive.ts';
import { asSentence } from '../../ui/ErrorNote.tsx';
import { Button, IconButton } from '../../ui/Button.tsx';
import { archiveJobCount, archiveJobLabel } from './archiveText.ts';
import * as styles from './Imports.module.css';
import { isUnderway, type Archiving } from './useArchiving.ts';

export function ArchiveJobs({ archiving }: { archiving: Archiving }): ReactNode {
  if (archiving.jobs.length === 0) return null;
  return (
    <ul className={styles.jobs} aria-label="Archiving">
      {archiving.jobs.map((job) => (
        <li key={job.job} className={styles.job}>
          <ArchiveJobLine job={job} archiving={archiving} />
        </li>
      ))}
    </ul>
  );
}

function ArchiveJobLine({ job, archiving }: { job: ArchiveJob; archiving: Archiving }): ReactNode {
  const { act, state, progress, failure, file } = job;
  const name = act === 'archive' ? 'Archive' : 'Bring back';
  const isLocked = progress?.stage === 'compacting' || progress?.stage === 'undoing';
  const share = progress === null || progress.total === 0 ? 0 : progress.done / progress.total;
  return (
    <>
      <div className={styles.line}>
        <JobIcon job={job} />
        <strong>{name}</strong>
        <span role="status" className={styles.words} title={job.path ?? undefined}>
          {archiveJobLabel(job)}
        </span>
        {isUnderway(job) ? (
          <>
            <span className={styles.quiet}>{archiveJobCount(job)}</span>
            <progress className={styles.progress} max={1} value={share} aria-label={name} />
            <Button size="small" isDisabled={isLocked} onClick={() => archiving.cancel(job.job)}>
              {act === 'archive' ? 'Cancel' : 'Stop'}
            </Button>
          </>
        ) : (
          <>
            {act === 'archive' && state === 'done' && file !== null && job.episodes > 0 ? (
              <Button
                size="small"
                icon={<ArchiveRestore />}
                onClick={() => {
                  archiving.cancel(job.job);
                  void archiving.bringBack({ file });
                }}
              >
                Undo: bring back
              </Button>
            ) : null}
            <IconButton label="Close" icon={<X />} onClick={() => archiving.cancel(job.job)} />
          </>
        )}
      </div>
      {failure === null ? null : (
        <p className={styles.why} role={state === 'failed' ? 'alert' : 'status'}>
          {[failure.message, failure.next ?? ''].map(asSentence).join(' ')}
        </p>
      )}
    </>
  );
}

function JobIcon({ job }: { job: ArchiveJob }): ReactNode {
  if (isUnderway(job)) return <Loader className={styles.busy} aria-hidden="true" />;
  if (job.state !== 'done') return <CircleAlert className={styles.bad} aria-hidden="true" />;
  return job.act === 'archive' ? (
    <Archive className={styles.good} aria-hidden="true" />
  ) : (
    <ArchiveRestore className={styles.good} aria-hidden="true" />
  );
}
