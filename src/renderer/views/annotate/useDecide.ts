// The last word on one difference between reviewers: the time it takes, why, and giving it.
import { useState } from 'react';
import { targetKey } from '../../../shared/annotate/target.ts';
import type { ConflictRow } from '../../../shared/contract/annotate.ts';
import type { Correct, Value } from '../../../shared/events/annotations.ts';
import { useHumanTime } from '../../parts/advice/useHumanTime.ts';
import { useSession } from '../../state/hooks.ts';
import { useAct } from '../../state/queries.ts';
import type { Person } from '../../state/usePeople.ts';
import type { ItemAt } from './useReview.ts';

export type Conflicting = {
  at: ItemAt;
  conflict: ConflictRow;
  people: readonly Person[];
  isCurrent: boolean;
  onEnter: () => void;
  onDecided: () => void;
};

/** What holds: a value, what the agent should have done, or null for nothing of it. */
type Word = { value: Value | null; correct?: Correct | null; reason?: string | null };

export function useDecide({ at, conflict, isCurrent, onDecided }: Conflicting) {
  const { call } = useSession();
  const { target, dimension, adjudication } = conflict;
  const time = useHumanTime(`decide/${at.item}/${dimension}/${targetKey(target)}`, isCurrent);
  const [reason, setReason] = useState(adjudication?.reason ?? '');
  const why = reason.trim();
  const { failure, run: give } = useAct(async (word: Word) => {
    await call('annotation.adjudicate', {
      ...at,
      target,
      dimension,
      reason: why === '' ? null : why,
      ...word,
      timing: time.read(),
    });
    time.end();
    onDecided();
  });
  return { reason, setReason, failure, give };
}
