// Owns: reading which asks were missed in the last hour, again whenever something leaves the desk.
import { useEffect } from 'react';
import type { MissedAsk } from '../../../shared/contract/rows.ts';
import { useDesk, useNow, useSession } from '../../state/hooks.ts';
import { useAnswer } from '../../state/useAnswer.ts';

const HOUR_MS = 60 * 60 * 1000;
const LIMIT = 50;
/** What was never put before a person does not leave the desk: it is looked for this often. */
const LOOK_MS = 10_000;

export function useMissed(): { missed: readonly MissedAsk[]; again: () => void } {
  const { call } = useSession();
  const { items } = useDesk();
  const { value, again } = useAnswer('missed', () =>
    call('desk.missed', { within_ms: HOUR_MS, limit: LIMIT }),
  );
  const waiting = items.map(({ consultation }) => consultation).join(' ');
  const moment = Math.floor(useNow() / LOOK_MS);
  useEffect(again, [again, waiting, moment]);
  return { missed: value?.missed ?? [], again };
}
