// Asking before episodes are archived: what moves where, what changes by it, and how to undo it.
import { Archive } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { ArchiveChoice } from '../../../shared/contract/archive.ts';
import { DayField } from '../../parts/episode/FilterFields.tsx';
import { formatBytes, formatCount } from '../../parts/text/size.ts';
import { useAsk } from '../../state/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import * as styles from './ArchiveDialog.module.css';
import { ArchiveFiles } from './ArchiveFiles.tsx';
import { leftOutText, missingSpace, type ArchiveEstimate } from './archiveText.ts';
import type { Archiving } from './useArchiving.ts';

type ArchiveDialogProps = {
  /** The chosen episodes; null asks for a day. */
  episodes: readonly string[] | null;
  archiving: Archiving;
  onClose: () => void;
};

const USUAL_AGE_DAYS = 90;
/** Main counts what matches once the person has stopped typing. */
const TYPING_MS = 300;

export function ArchiveDialog({ episodes, archiving, onClose }: ArchiveDialogProps): ReactNode {
  const [day, setDay] = useState<number | undefined>(() => dayBefore(USUAL_AGE_DAYS));
  const [isCompacted, setCompacted] = useState(false);
  const choice: ArchiveChoice | null =
    episodes !== null ? { episodes: [...episodes] } : day === undefined ? null : { ended_before: day };
  const { value, failure } = useAsk('archive.estimate', choice === null ? null : { choice }, {
    delayMs: episodes === null ? TYPING_MS : 0,
    keepsPrevious: false,
  });
  const short = value === null ? null : missingSpace(value, isCompacted);
  const count = value?.episodes ?? 0;
  const archive = async (): Promise<void> => {
    if (choice !== null && (await archiving.start(choice, isCompacted))) onClose();
  };
  const bringBack = async (): Promise<void> => {
    if (episodes !== null && (await archiving.bringBack({ episodes: [...episodes] }))) onClose();
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={
        episodes === null ? 'Archive old episodes' : `Archive ${formatCount(episodes.length, 'episode')}`
      }
      description="Moves ended episodes out of the log into one file."
      notice={
        archiving.failure !== null ? (
          <ErrorNote title="Nothing was archived" failure={archiving.failure} />
        ) : short === null || count === 0 ? null : (
          <ErrorNote title="Not enough space" failure={short} />
        )
      }
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {episodes === null || value === null || value.archived === 0 ? null : (
            <Button isBusy={archiving.isBusy} onClick={() => void bringBack()}>
              {`Bring back ${value.archived.toLocaleString()}`}
            </Button>
          )}
          <Button
            tone="primary"
            icon={<Archive />}
            isBusy={archiving.isBusy}
            isDisabled={count === 0 || short !== null}
            onClick={() => void archive()}
          >
            {count === 0 ? 'Archive' : `Archive ${formatCount(count, 'episode')}`}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        {episodes === null ? (
          <DayField
            label="Ended before"
            value={day}
            error={day === undefined ? 'Enter a day.' : null}
            onValue={setDay}
          />
        ) : null}
        {failure === null ? null : <ErrorNote title="Could not count the episodes" failure={failure} />}
        {value === null && failure === null && choice !== null ? (
          <Skeleton rows={5} label="Counting the episodes" />
        ) : null}
        {value === null ? null : (
          <Consequences estimate={value} isCompacted={isCompacted} onCompacted={setCompacted} />
        )}
        {episodes === null ? <ArchiveFiles archiving={archiving} onClose={onClose} /> : null}
      </div>
    </Dialog>
  );
}

/** A day so long ago, as the moment it began here. */
function dayBefore(days: number): number {
  const day = new Date();
  day.setHours(0, 0, 0, 0);
  day.setDate(day.getDate() - days);
  return day.getTime();
}

type ConsequencesProps = {
  estimate: ArchiveEstimate;
  isCompacted: boolean;
  onCompacted: (isCompacted: boolean) => void;
};

function Consequences({ estimate, isCompacted, onCompacted }: ConsequencesProps): ReactNode {
  const { episodes, bytes, log_bytes: logBytes, folder, running } = estimate;
  const left = leftOutText(estimate);
  if (episodes === 0) {
    return <p role="status">{['Nothing to archive.', left ?? ''].join(' ').trim()}</p>;
  }
  return (
    <>
      <p role="status">
        {`${formatCount(episodes, 'episode')}, about ${formatBytes(bytes)} of the log’s ${formatBytes(logBytes)}. `}
        {left}
      </p>
      <ul className={styles.list}>
        <li>
          <b>Moved:</b> every event and long text, to a new file in <code>{folder}</code>. The file is read
          back and compared before anything leaves the log. Interject’s backups do not include it.
        </li>
        <li>
          <b>As before:</b> each episode stays in the library, marked Archived, and opens, forks and exports
          as long as the file is there.
        </li>
        <li>
          <b>Different:</b> search in all text and similar past answers no longer find it, and its texts
          cannot be erased.
        </li>
        <li>
          <b>To undo:</b> select archived episodes and bring them back, at any time.
        </li>
      </ul>
      <label className={styles.compact}>
        <input
          type="checkbox"
          checked={isCompacted}
          disabled={running > 0}
          aria-describedby="archive-compact"
          onChange={({ target }) => onCompacted(target.checked)}
        />
        Shrink the log file now
      </label>
      <p id="archive-compact" className={styles.hint}>
        {running > 0
          ? `Not while ${formatCount(running, 'episode')} ${running === 1 ? 'is' : 'are'} running. New episodes fill the free space.`
          : 'Gives the space back to the disk; everything waits while the log is rewritten. Otherwise new episodes fill it.'}
      </p>
    </>
  );
}
