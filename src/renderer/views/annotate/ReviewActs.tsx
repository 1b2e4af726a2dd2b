// Owns: the acts on an item as a whole: done, later, skip, undo, suggestions.
import { Check, Clock, RotateCcw, SkipForward, Sparkles, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ItemView } from '../../../shared/contract/annotate.ts';
import { Button } from '../../ui/Button.tsx';
import styles from './Review.module.css';
import type { Finish } from './useFinish.ts';
import type { Review } from './useReview.ts';

export function ReviewActs({
  view,
  review,
  finish,
}: {
  view: ItemView;
  review: Review;
  finish: Finish;
}): ReactNode {
  const { mine } = view.row;
  if (mine === 'done' || mine === 'skipped') {
    return (
      <footer className={styles['acts']}>
        <p className={styles['quiet']}>
          {mine === 'done' ? 'You have finished this item.' : 'You skipped this item.'}
        </p>
        <Button icon={<RotateCcw />} onClick={finish.reopen}>
          Open it again
        </Button>
      </footer>
    );
  }
  return (
    <footer className={styles['acts']}>
      <Button tone="primary" icon={<Check />} chord="annotate.done" onClick={finish.done}>
        Done
      </Button>
      <Button icon={<Clock />} chord="annotate.postpone" onClick={finish.postpone}>
        Later
      </Button>
      <Button icon={<SkipForward />} chord="annotate.skip" onClick={finish.skip}>
        Skip
      </Button>
      <Button
        tone="quiet"
        icon={<Undo2 />}
        chord="annotate.undo"
        isDisabled={finish.undo === null}
        title={review.undoLabel === null ? 'Open the last item again' : `Undo: ${review.undoLabel}`}
        onClick={() => finish.undo?.()}
      >
        Undo
      </Button>
      {view.can_suggest && view.prelabels.length === 0 ? (
        <Button tone="quiet" icon={<Sparkles />} isBusy={review.isSuggesting} onClick={review.suggest}>
          Suggest labels
        </Button>
      ) : null}
    </footer>
  );
}
