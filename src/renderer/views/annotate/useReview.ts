// One item under review: what main says of it, what the reviewer says, and taking it back.
import { useCallback, useRef, useState } from 'react';
import type { AnnotationRow, ItemView } from '../../../shared/contract/annotate.ts';
import type { Correct, Target, Value } from '../../../shared/events/annotations.ts';
import type { Timing } from '../../../shared/events/actor.ts';
import { failureShape, type FailureShape } from '../../../shared/failure.ts';
import type { Session } from '../../state/createSession.ts';
import { useSession } from '../../state/hooks.ts';
import { useAsk } from '../../state/queries.ts';
import { ownAt, type ReviewField } from './fields.ts';

export type ItemAt = { project: string; queue: string; item: string };
type Undo = { label: string; run: () => Promise<unknown> };

export type Review = {
  view: ItemView | null;
  failure: FailureShape | null;
  isLoading: boolean;
  /** What could not be said, until the next act. */
  refusal: FailureShape | null;
  /** Sets the value of a field, or takes it back with null. */
  set: (field: ReviewField, value: Value | null) => void;
  correct: (target: Target, correct: Correct, reason: string | null) => Promise<boolean>;
  prefer: (choice: 'left' | 'right' | 'tie') => void;
  withdraw: (annotation: string) => void;
  undo: (() => void) | null;
  undoLabel: string | null;
  /** Runs an act on the item one after the other, and reads the item again. */
  act: (run: () => Promise<Undo | null>) => Promise<boolean>;
};

/** A held item is asked for again this often, so that it is not handed on while someone sits before it. */
const HOLD_MS = 60_000;

export function useReview(at: ItemAt, readTiming: () => Timing): Review {
  const { call, seat } = useSession();
  const { value: view, failure, isLoading, again } = useAsk('queue.open', at, { everyMs: HOLD_MS });
  const { act, refusal, undo, undoLabel } = useActs(again);
  const saying = sayingOf(call, at, readTiming);
  const quietly = (run: () => Promise<unknown>): Promise<boolean> =>
    act(async () => {
      await run();
      return null;
    });
  return {
    view,
    failure,
    isLoading,
    refusal,
    undo,
    undoLabel,
    act,
    set: (field, value) => {
      if (view === null) return;
      const before = ownAt(field, view.annotations, seat);
      void act(() => saying.set(field, value, before));
    },
    correct: (target, correct, reason) => act(() => saying.correct(target, correct, reason)),
    prefer: (choice) => void act(() => saying.prefer(choice)),
    withdraw: (annotation) => void quietly(() => saying.withdraw(annotation)),
  };
}

/** Acts one after the other, each read again after, with what takes it back. */
function useActs(again: () => void): Pick<Review, 'act' | 'refusal' | 'undo' | 'undoLabel'> {
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
  const last = undos.at(-1);
  const undo = (): void => {
    setUndos((list) => list.slice(0, -1));
    if (last === undefined) return;
    void act(async () => {
      await last.run();
      return null;
    });
  };
  return { act, refusal, undo: last === undefined ? null : undo, undoLabel: last?.label ?? null };
}

type AnnotationPlace = Pick<AnnotationRow, 'target' | 'dimension'>;

/** What a reviewer can say, each with what takes it back. */
function sayingOf(call: Session['call'], at: ItemAt, readTiming: () => Timing) {
  const give = (place: AnnotationPlace, value: Value) => {
    return call('annotation.give', { as: 'value', ...at, ...place, value, timing: readTiming() });
  };
  const withdraw = (annotation: string): Promise<unknown> =>
    call('annotation.withdraw', { ...at, annotation });
  return {
    withdraw,
    set: async (
      { target, dimension }: ReviewField,
      value: Value | null,
      before: AnnotationRow | null,
    ): Promise<Undo | null> => {
      const place = { target, dimension: dimension.id };
      if (value === null) {
        if (before === null) return null;
        await withdraw(before.annotation);
        return { label: 'what was undone', run: () => give(place, before.value) };
      }
      const { annotation } = await give(place, value);
      const run = (): Promise<unknown> =>
        before === null ? withdraw(annotation) : give(place, before.value);
      return { label: dimension.name, run };
    },
    correct: async (target: Target, correct: Correct, reason: string | null): Promise<Undo> => {
      const given = { as: 'correction' as const, ...at, target, correct, reason, timing: readTiming() };
      const { annotation } = await call('annotation.give', given);
      return { label: 'the correction', run: () => withdraw(annotation) };
    },
    prefer: async (choice: 'left' | 'right' | 'tie'): Promise<Undo> => {
      const { annotation } = await call('annotation.give', {
        as: 'preference',
        ...at,
        choice,
        reason: null,
        timing: readTiming(),
      });
      return { label: 'the choice', run: () => withdraw(annotation) };
    },
  };
}
