// The outcome of a task: icon, word and colour, with the verifier's own label in small type. The only place that maps
// outcomes to colours.
import { CircleCheck, CircleMinus, CircleX, Contrast } from 'lucide-react';
import type { ReactNode } from 'react';
import { outcomeNote, type OutcomeKind, type TaskOutcome } from '../../shared/taskOutcome.ts';
import { cx, variantClass } from './cx.ts';
import * as styles from './OutcomeMark.module.css';

const ICONS: Readonly<Record<OutcomeKind, ReactNode>> = {
  complete: <CircleCheck aria-hidden="true" />,
  partly: <Contrast aria-hidden="true" />,
  failed: <CircleX aria-hidden="true" />,
  unknown: <CircleMinus aria-hidden="true" />,
};

type OutcomeMarkProps = {
  outcome: TaskOutcome;
  /** `word`: the label and the reward are shown on hover only. */
  detail?: 'note' | 'word';
};

export function OutcomeMark({ outcome, detail = 'note' }: OutcomeMarkProps): ReactNode {
  const note = outcomeNote(outcome);
  return (
    <span className={cx(styles.mark, variantClass(styles, outcome.kind))} title={note || undefined}>
      {ICONS[outcome.kind]}
      <span className={styles.word}>{outcome.word}</span>
      {note === '' ? null : (
        <small className={detail === 'word' ? 'quiet-label' : styles.note}>{` ${note}`}</small>
      )}
    </span>
  );
}

/** The same where there may be none yet, or one that this seat is not to know. */
export const OutcomeOrHidden = ({
  outcome,
  ...props
}: Omit<OutcomeMarkProps, 'outcome'> & { outcome: TaskOutcome | 'hidden' | null }): ReactNode =>
  outcome === null ? null : outcome === 'hidden' ? (
    <span className={styles.note}>Outcome hidden</span>
  ) : (
    <OutcomeMark outcome={outcome} {...props} />
  );
