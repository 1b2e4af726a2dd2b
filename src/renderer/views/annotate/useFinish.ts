// Leaving an item: done, skipped or later, and on to the next; and taking that back.
import { useSession } from '../../state/hooks.ts';
import type { useHumanTime } from '../../parts/advice/useHumanTime.ts';
import { annotateRoute, navigate } from '../../state/route.ts';
import type { ReviewProps } from './ReviewItem.tsx';
import type { Review } from './useReview.ts';

export type Finish = {
  done: () => void;
  skip: () => void;
  postpone: () => void;
  /** What the undo key does now. */
  undo: (() => void) | null;
  reopen: () => void;
};

export function useFinish(
  { project, queue, item, finished, onFinished }: ReviewProps,
  review: Review,
  time: ReturnType<typeof useHumanTime>,
): Finish {
  const { call } = useSession();
  const at = { project: project.project, queue: queue.queue, item };
  const next = (): void => navigate(annotateRoute(at.project, at.queue), { replace: true });
  const leave = async (run: () => Promise<unknown>): Promise<void> => {
    // A text that is still being written is given when its field is left.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    const isLeft = await review.act(async () => {
      await run();
      return null;
    });
    if (!isLeft) return;
    onFinished(item);
    time.end();
    next();
  };
  const reopen = (id: string): void =>
    void review
      .act(async () => {
        await call('queue.open', { ...at, item: id, anew: true });
        return null;
      })
      .then((isOpen) => {
        if (!isOpen) return;
        onFinished(null);
        navigate(annotateRoute(at.project, at.queue, id), { replace: true });
      });
  return {
    done: () => void leave(() => call('queue.leave', { as: 'done', ...at, timing: time.read() })),
    skip: () =>
      void leave(() => call('queue.leave', { as: 'skipped', ...at, reason: null, timing: time.read() })),
    postpone: () => void leave(() => call('queue.leave', { as: 'postponed', ...at, timing: time.read() })),
    undo: review.undo ?? (finished === null ? null : () => reopen(finished)),
    reopen: () => reopen(item),
  };
}
