// Reading which asks were missed in the last hour and what closing Interject took, again whenever something leaves the desk.
import { useEffect } from 'react';
import type { Losses, MissedAsk } from '../../../shared/contract/rows.ts';
import { useConsole, useDesk } from '../../state/hooks.ts';
import { useAsk } from '../../state/queries.ts';

const NONE: readonly MissedAsk[] = [];
const HOUR_MS = 60 * 60 * 1000;
const LIMIT = 50;
/** What was never put before a person does not leave the desk: it is looked for this often. */
const MISSED_POLL_MS = 10_000;

type Missed = {
  missed: readonly MissedAsk[];
  /** What was lost that this person has not read of; undefined while that is not known. */
  lost: Losses | null | undefined;
  again: () => void;
};

export function useMissed(): Missed {
  const { items } = useDesk();
  const lostSince = useConsole(({ ui }) => ui.lostSeenAt);
  const { value, failure, again } = useAsk(
    'desk.missed',
    { within_ms: HOUR_MS, limit: LIMIT, lost_since: lostSince },
    { everyMs: MISSED_POLL_MS },
  );
  const waiting = items.map(({ consultation }) => consultation).join(' ');
  useEffect(again, [again, waiting]);
  const lost = value?.lost ?? (failure === null ? undefined : null);
  return { missed: value?.missed ?? NONE, lost: lost?.at === 0 ? null : lost, again };
}
