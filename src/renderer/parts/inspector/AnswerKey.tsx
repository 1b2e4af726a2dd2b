// The verifier's criteria, behind a cover that says what taking it off does.
import { EyeOff } from 'lucide-react';
import type { ReactNode } from 'react';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { Button } from '../../ui/Button.tsx';
import { MARKED_MEANS } from '../../ui/Cover.tsx';
import { useRole } from '../../state/role.ts';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { DataText } from '../text/DataText.tsx';
import * as styles from './Inspector.module.css';
import { useMissingKey, type AnswerKeyState, type MissingKey } from './useAnswerKey.ts';

/** True if this seat has looked at the key in this episode before. */
const hasSeenKey = ({ timeline }: EpisodeRecord, seat: string): boolean =>
  timeline.some((item) => item.type === 'answer_key' && item.seat === seat);

type AnswerKeyProps = { record: EpisodeRecord; seat: string; state: AnswerKeyState };

export function AnswerKey({ record, seat, state }: AnswerKeyProps): ReactNode {
  const { key, isBusy, failure, show } = state;
  const missing = useMissingKey(record.id);
  const hasSeen = hasSeenKey(record, seat);
  const isExpert = useRole() === 'expert';
  if (isExpert && record.started?.is_key_open !== true) {
    return <p className={styles.panel}>Only the owner of the run can see what the verifier checks.</p>;
  }
  if (key === null && missing !== null) return <NoAnswerKey missing={missing} />;
  if (key !== null) {
    return (
      <div className={styles.panel}>
        <p className={styles.marked} role="status">
          Your advice on this task is marked: you have seen the answer key.
        </p>
        <DataText label="What the verifier checks" text={key.criteria} isProse />
        {key.criteria_model === undefined ? null : (
          <p>
            {key.criteria_model === null
              ? 'In the words of the environment’s data. With an advisor model set, the verifier is put into plain words.'
              : `Put into words by ${key.criteria_model}. The verifier below has the last word.`}
          </p>
        )}
        {key.reference === null ? null : <DataText label="Reference solution" text={key.reference} />}
        {key.verifier === undefined || key.verifier === null ? null : (
          <DataText label="The verifier itself" text={key.verifier} />
        )}
      </div>
    );
  }
  return (
    <div className={styles.panel}>
      <div className={styles.cover}>
        <EyeOff aria-hidden="true" />
        <p>
          {hasSeen
            ? 'You have seen this task’s answer key. Your advice on it is marked.'
            : 'The answer key is hidden: what the verifier checks, and a reference solution. Advice given without it needs no mark.'}
        </p>
        {hasSeen ? null : <p>{MARKED_MEANS}</p>}
        <Button isBusy={isBusy} onClick={show}>
          {hasSeen ? 'Show the answer key again' : 'Show the answer key; your advice will be marked'}
        </Button>
      </div>
      {failure === null ? null : <ErrorNote title="Could not show the answer key" failure={failure} />}
    </div>
  );
}

/** Nothing lies behind the cover: why, and how to come by it. */
function NoAnswerKey({ missing }: { missing: MissingKey }): ReactNode {
  return (
    <div className={styles.panel}>
      <div className={styles.cover}>
        <EyeOff aria-hidden="true" />
        <p>No answer key is known here. {missing.message}</p>
        {missing.next === null ? null : <p>{missing.next}</p>}
      </div>
    </div>
  );
}
