// Reading which asks were missed in the last hour, again whenever something leaves the desk.
import { useEffect } from 'react';
import type { MissedAsk } from '../../../shared/contract/rows.ts';
import { useDesk } from '../../state/hooks.ts';
import { useAsk } from '../../state/queries.ts';

const NONE: readonly MissedAsk[] = [];
const HOUR_MS = 60 * 60 * 1000;
const LIMIT = 50;
/** What was never put before a person does not leave the desk: it is looked for this often. */
const MISSED_POLL_MS = 10_000;

export function useMissed(): { missed: readonly MissedAsk[]; again: () => void } {
  const { items } = useDesk();
  const { value, again } = useAsk(
    'desk.missed',
    { within_ms: HOUR_MS, limit: LIMIT },
    { everyMs: MISSED_POLL_MS },
  );
  const waiting = items.map(({ consultation }) => consultation).join(' ');
  useEffect(again, [again, waiting]);
  return { missed: value?.missed ?? NONE, again };
}
