// Owns: the held call of the episode on screen, and sending what the person decides about it.
import { useMemo, useState, type ReactNode } from 'react';
import type { HoldItem } from '../../../shared/contract/rows.ts';
import { holdItems } from '../../../shared/episode/holds.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { CallCard } from '../../parts/call/CallCard.tsx';
import { closedCallOf } from '../../parts/call/closedCall.ts';
import {
  callDoneWords,
  callDraftName,
  useCallDecision,
  type CallPorts,
} from '../../parts/call/useCallDecision.ts';
import { useSession, useToast } from '../../state/hooks.ts';
import { hasKept } from '../../state/keptValue.ts';

/** The call that waits, else the last one while what was written about it is not sent, else none. */
export function useHeldCall(record: EpisodeRecord): HoldItem | null {
  const { kept } = useSession();
  const current = useMemo(() => holdItems(record).find(({ type }) => type === 'call') ?? null, [record]);
  const [last, setLast] = useState(current);
  if (current !== null && current.key !== last?.key) setLast(current);
  if (current !== null) return current;
  return last !== null && hasKept(kept, callDraftName(last.key)) ? last : null;
}

export function HeldCall({ item, record }: { item: HoldItem; record: EpisodeRecord }): ReactNode {
  const { call, seat } = useSession();
  const toast = useToast();
  const ports = useMemo<CallPorts>(
    () => ({
      approve: (input) => call('call.approve', input),
      edit: (input) => call('call.edit', input),
      reject: (input) => call('call.reject', input),
      answer: (input) => call('call.answer', input),
    }),
    [call],
  );
  const closed = closedCallOf(record, item.call?.id ?? '', seat);
  const state = useCallDecision(item, record.tools, closed === null, ports, (done) =>
    toast({ tone: 'ok', title: callDoneWords(done) }),
  );
  return <CallCard item={item} state={state} tools={record.tools} closed={closed} />;
}
