// The held call of the episode on screen.
import { useCallback, useMemo, useState } from 'react';
import type { HoldItem } from '../../../shared/contract/rows.ts';
import { holdItems } from '../../../shared/episode/holds.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { hasWritten } from '../../parts/call/useCallDecision.ts';
import { useConsole, useSession } from '../../state/hooks.ts';

export type HeldCall = {
  /** The call that waits, or the one that stays in front. */
  held: HoldItem | null;
  /** It waits for a decision, or for what was written about it to be kept or discarded. */
  isWaiting: boolean;
  drop: () => void;
};

/**
 * The call that waits. One that was decided here stays in front with what becomes of it, until another one waits; one
 * that was decided elsewhere, while what was written about it is not sent: `drop` lets it go.
 */
export function useHeldCall(record: EpisodeRecord): HeldCall {
  const { own: kept } = useSession();
  const current = useMemo(() => holdItems(record).find(({ type }) => type === 'call') ?? null, [record]);
  const [last, setLast] = useState(current);
  const drop = useCallback(() => setLast(null), []);
  const isOurs = useConsole(
    ({ ui }) =>
      last !== null &&
      (ui.sending.some(({ keys }) => keys.includes(last.key)) ||
        ui.answered.some(({ consultation }) => consultation === last.key)),
  );
  const isLeft = last !== null && last.key !== current?.key && hasWritten(kept, last.key);
  const held = isLeft ? last : (current ?? (isOurs ? last : null));
  if (held !== null && held !== last) setLast(held);
  return { held, isWaiting: held !== null && (held === current || isLeft), drop };
}
