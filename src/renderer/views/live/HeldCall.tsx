// The held call of the episode on screen, and sending what the person decides about it.
import { useCallback, useMemo, useState, type ReactNode } from 'react';
import type { HoldItem } from '../../../shared/contract/rows.ts';
import { holdItems } from '../../../shared/episode/holds.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { CallCard } from '../../parts/call/CallCard.tsx';
import { closedCallOf } from '../../parts/call/closedCall.ts';
import { callDoneWords, hasWritten, useCallDecision } from '../../parts/call/useCallDecision.ts';
import { CallPreview } from '../../parts/preview/CallPreview.tsx';
import { useSession, useToast } from '../../state/hooks.ts';

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

type Props = { item: HoldItem; record: EpisodeRecord; onDrop: () => void };

export function HeldCall({ item, record, onDrop }: Props): ReactNode {
  const { seat, call } = useSession();
  const toast = useToast();
  const closed = closedCallOf(record, item.call?.id ?? '', seat);
  const state = useCallDecision(item, record.tools, closed === null, call, (done) => {
    toast({ tone: 'ok', title: callDoneWords(done, item) });
    onDrop();
  });
  const forget = (): void => {
    state.forget();
    onDrop();
  };
  return (
    <CallCard
      item={item}
      state={{ ...state, forget }}
      tools={record.tools}
      closed={closed}
      extra={closed === null ? <CallPreview item={item} state={state} tools={record.tools} /> : null}
    />
  );
}
