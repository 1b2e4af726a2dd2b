// The held call of the episode on screen.
import { useCallback, useMemo, useState } from 'react';
import type { HoldItem } from '../../../shared/contract/rows.ts';
import { holdItems } from '../../../shared/episode/holds.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { hasWritten } from '../../parts/call/useCallDecision.ts';
import { useSession } from '../../state/hooks.ts';

/**
 * The call that waits. One that was decided elsewhere stays in front while what was written about it is not sent:
 * `drop` lets it go.
 */
export function useHeldCall(record: EpisodeRecord): { held: HoldItem | null; drop: () => void } {
  const { own: kept } = useSession();
  const current = useMemo(() => holdItems(record).find(({ type }) => type === 'call') ?? null, [record]);
  const [last, setLast] = useState(current);
  const drop = useCallback(() => setLast(null), []);
  const isLeft = last !== null && last.key !== current?.key && hasWritten(kept, last.key);
  const held = isLeft ? last : current;
  if (held !== last) setLast(held);
  return { held, drop };
}
