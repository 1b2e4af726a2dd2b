// Whether a held call was decided here, so that its card says what became of it.
import type { HoldItem } from '../../../shared/contract/rows.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { useSession } from '../../state/hooks.ts';
import type { SendingDecision } from '../../state/store.ts';
import { closedCallOf } from '../card/closed.ts';
import { useSendingOf } from '../card/DecidedBar.tsx';

export type CallDecided = {
  /** While it can be taken back, or is on its way. */
  sending: SendingDecision | null;
  /** What was decided, as the record has it. */
  title: string | null;
};

/** Null while it waits, and where another seat, a deadline or the end of the episode settled it. */
export function useCallDecided(item: HoldItem, record: EpisodeRecord): CallDecided | null {
  const { seat } = useSession();
  const sending = useSendingOf(item.key);
  const id = item.call?.id ?? '';
  const decision = record.turns.findLast(({ callId }) => callId === id)?.call?.decision ?? null;
  if (decision === null) return sending === null ? null : { sending, title: null };
  const isMine = decision.actor.type === 'human' && decision.actor.id === seat;
  if (!isMine || decision.type === 'cancelled' || decision.type === 'expired') return null;
  return { sending: null, title: closedCallOf(record, id, seat)?.title ?? null };
}
