// One item under review: what main says of it, what the reviewer says, taking it back, and leaving it.
import { useCallback, useRef, useState } from 'react';
import { PREFERENCE } from '../../../shared/review/agreement.ts';
import type { AnnotationRow, ItemView, ProjectRow, QueueRow } from '../../../shared/contract/review.ts';
import type { Inputs } from '../../../shared/contract/contract.ts';
import type { Correct, Target, Value } from '../../../shared/events/annotations.ts';
import { failureShape, type FailureShape } from '../../../shared/failure.ts';
import { useHumanTime } from '../../parts/advice/useHumanTime.ts';
import { useSession } from '../../state/hooks.ts';
import { useAsk } from '../../state/queries.ts';
import { navigate, reviewRoute } from '../../state/route.ts';
import { answersOf, ownAt, type ReviewField } from './fields.ts';

export type ReviewProps = {
  project: ProjectRow;
  queue: QueueRow;
  item: string;
  /** The item this seat finished last. */
  finished: string | null;
  onFinished: (item: string | null) => void;
};

export type Review = {
  view: ItemView | null;
  failure: FailureShape | null;
  /** What could not be said, until the next act. */
  refusal: FailureShape | null;
  /** Sets the value of a field, or takes it back with null. */
  set: (field: ReviewField, value: Value | null) => void;
  correct: (target: Target, correct: Correct, reason: string | null) => Promise<boolean>;
  withdraw: (annotation: string) => void;
  leave: (as: Inputs['queue.leave']['as']) => void;
  reopen: () => void;
  /** What the undo key does now, and what that takes back. */
  undo: (() => void) | null;
  undoLabel: string | null;
};

/** A held item is asked for again this often, so that it is not handed on while someone sits before it. */
const HOLD_MS = 60_000;

export function useReview({ project, queue, item, finished, onFinished }: ReviewProps): Review {
  const { call, seat } = useSession();
  const inQueue = { project: project.project, queue: queue.queue };
  const at = { ...inQueue, item };
  const time = useHumanTime(`review/${item}`, true);
  const { value: view, failure, again } = useAsk('queue.open', at, { everyMs: HOLD_MS });
  const { act, quietly, refusal, undo, undoLabel } = useActs(again);

  const give = (place: Pick<AnnotationRow, 'target' | 'dimension'>, value: Value) => {
    const timing = time.read();
    if (place.dimension !== PREFERENCE || value.type !== 'category')
      return call('annotation.give', { as: 'value', ...at, ...place, value, timing });
    const choice = value.option === 'left' || value.option === 'right' ? value.option : 'tie';
    return call('annotation.give', { as: 'preference', ...at, choice, reason: null, timing });
  };
  const withdraw = (annotation: string) => call('annotation.withdraw', { ...at, annotation });
  const reopen = (one: string): void =>
    void quietly(async () => {
      await call('queue.open', { ...inQueue, item: one, anew: true });
      onFinished(null);
      navigate(reviewRoute(inQueue.project, inQueue.queue, one));
    });
  return {
    view,
    failure,
    refusal,
    set: (field, value) => {
      if (view === null) return;
      const place = { target: field.target, dimension: field.dimension.id };
      const before = ownAt(field, answersOf(view), seat);
      void act(async () => {
        if (value !== null) {
          const { annotation } = await give(place, value);
          const run = () => (before === null ? withdraw(annotation) : give(place, before.value));
          return { label: field.dimension.name, run };
        }
        if (before === null) return null;
        await withdraw(before.annotation);
        return { label: 'what was undone', run: () => give(place, before.value) };
      });
    },
    correct: (target, correct, reason) =>
      act(async () => {
        const timing = time.read();
        const correction = { as: 'correction' as const, ...at, target, correct, reason, timing };
        const { annotation } = await call('annotation.give', correction);
        return { label: 'the correction', run: () => withdraw(annotation) };
      }),
    withdraw: (annotation) => void quietly(() => withdraw(annotation)),
    leave: (as) => {
      // A text that is still being written is given when its field is left.
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      void quietly(async () => {
        await call('queue.leave', { as, ...at, timing: time.read() });
        onFinished(item);
        const { item: next } = await call('queue.next', inQueue);
        if (next === item) time.restart();
        else time.end();
        navigate(reviewRoute(inQueue.project, inQueue.queue, next));
      });
    },
    reopen: () => reopen(item),
    undo: undo ?? (finished === null ? null : () => reopen(finished)),
    undoLabel,
  };
}

type Undo = { label: string; run: () => Promise<unknown> };

/** Acts one after the other, each read again after, with what takes it back. */
function useActs(again: () => void) {
  const [refusal, setRefusal] = useState<FailureShape | null>(null);
  const [undos, setUndos] = useState<readonly Undo[]>([]);
  const chain = useRef<Promise<unknown>>(Promise.resolve());
  const act = useCallback(
    (run: () => Promise<Undo | null>): Promise<boolean> => {
      // Keys come faster than answers: each act begins when the one before it is over.
      const done = chain.current.then(async () => {
        try {
          setRefusal(null);
          const undo = await run();
          if (undo !== null) setUndos((list) => [...list.slice(-99), undo]);
          again();
          return true;
        } catch (thrown) {
          setRefusal(failureShape(thrown));
          return false;
        }
      });
      chain.current = done;
      return done;
    },
    [again],
  );
  const quietly = (run: () => Promise<unknown>): Promise<boolean> =>
    act(async () => {
      await run();
      return null;
    });
  const last = undos.at(-1);
  const undo = (): void => {
    setUndos((list) => list.slice(0, -1));
    if (last !== undefined) void quietly(last.run);
  };
  return { act, quietly, refusal, undo: last === undefined ? null : undo, undoLabel: last?.label ?? null };
}
