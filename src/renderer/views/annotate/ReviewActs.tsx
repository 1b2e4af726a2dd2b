// The acts on an item as a whole: done, later, skip, undo.
import { Check, Clock, RotateCcw, SkipForward, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ItemView } from '../../../shared/contract/annotate.ts';
import { useKeys } from '../../state/hooks.ts';
import { Button } from '../../ui/Button.tsx';
import * as styles from './Review.module.css';
import type { Finish } from './useFinish.ts';
import type { Review } from './useReview.ts';

export function ReviewActs({
  view,
  review,
  finish,
  isWriting = false,
}: {
  view: ItemView;
  review: Review;
  finish: Finish;
  /** A correction is being written: its own button has the key. */
  isWriting?: boolean;
}): ReactNode {
  const { mine } = view.row;
  const isClosed = mine === 'done' || mine === 'skipped';
  // Bound after the timeline's, which has other uses for some of them.
  useKeys('annotate', {
    ...(isClosed
      ? {}
      : {
          'annotate.done': finish.done,
          'annotate.skip': finish.skip,
          'annotate.postpone': finish.postpone,
        }),
    ...(finish.undo === null ? {} : { 'annotate.undo': finish.undo }),
  });
  if (isClosed) {
    return (
      <footer className={styles.acts}>
        <p className={styles.quiet}>
          {mine === 'done' ? 'You have finished this item.' : 'You skipped this item.'}
        </p>
        <Button icon={<RotateCcw />} onClick={finish.reopen}>
          Open it again
        </Button>
      </footer>
    );
  }
  return (
    <footer className={styles.acts}>
      <Button
        {...(isWriting ? {} : { tone: 'primary' as const, chord: 'annotate.done' })}
        size="small"
        icon={<Check />}
        onClick={finish.done}
      >
        Done
      </Button>
      <Button size="small" icon={<Clock />} chord="annotate.postpone" onClick={finish.postpone}>
        Later
      </Button>
      <Button size="small" icon={<SkipForward />} chord="annotate.skip" onClick={finish.skip}>
        Skip
      </Button>
      <Button
        size="small"
        tone="quiet"
        icon={<Undo2 />}
        chord="annotate.undo"
        isDisabled={finish.undo === null}
        title={review.undoLabel === null ? 'Open the last item again' : `Undo: ${review.undoLabel}`}
        onClick={() => finish.undo?.()}
      >
        Undo
      </Button>
    </footer>
  );
}
