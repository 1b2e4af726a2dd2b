// Sending one approval for several held calls, kept back for a moment in which all of it can be taken back.
import type { HoldItem } from '../../../shared/contract/rows.ts';
import { failureShape } from '../../../shared/failure.ts';
import { useHumanTime } from '../../parts/advice/useHumanTime.ts';
import { callDoneText } from '../../parts/call/useCallDecision.ts';
import { holdWords } from '../../parts/card/questionWords.ts';
import { useHold } from '../../parts/card/useHold.ts';
import { noteAnswered } from '../../state/answered.ts';
import { setSelected } from '../../state/choices.ts';
import { useSession, useToast } from '../../state/hooks.ts';
import { useAct } from '../../state/queries.ts';
import { navigate } from '../../state/route.ts';

export function useBatchApproval(
  holds: readonly HoldItem[],
  onClose: () => void,
  onSent: (said: string) => void,
): { isBusy: boolean; approve: () => void } {
  const { call, store } = useSession();
  const toast = useToast();
  const time = useHumanTime('batch', true);
  const keys = holds.map(({ key }) => key);
  const deadlines = holds.flatMap(({ deadline_at: at }) => at ?? []);
  const keepBack = useHold({
    keys,
    deadline_at: deadlines[0] ?? null,
    onTakenBack: () => {
      setSelected(store, 'desk', keys[0] ?? null);
      navigate({ view: 'desk' });
    },
  });
  const send = async (timing: ReturnType<typeof time.read>): Promise<void> => {
    const failed: string[] = [];
    const approved: Parameters<typeof noteAnswered>[1][number][] = [];
    for (const hold of holds) {
      const { episode, call: held, seq, key } = hold;
      const id = held?.id ?? '';
      const said = { label: holdWords(hold), done: callDoneText('approved', hold) };
      await call('call.decide', {
        act: 'approve',
        episode,
        call: id,
        seen_seq: seq,
        timing,
        similar: false,
      }).then(
        () => approved.push({ consultation: key, episode, ...said, call: id }),
        (thrown: unknown) => failed.push(failureShape(thrown).message),
      );
    }
    noteAnswered(store, approved);
    const title = `${String(approved.length)} of ${String(holds.length)} calls approved`;
    if (failed.length > 0) toast({ tone: 'error', title, text: [...new Set(failed)].join('; ') });
    onSent(title);
  };
  const { isBusy, run } = useAct(async (timing: ReturnType<typeof time.read>) => {
    await send(timing);
    onClose();
  });
  const approve = (): void => {
    const { first_seen_at: seenAt, active_ms: activeMs } = time.read();
    // The time was spent on all of them together.
    const share = activeMs === null ? null : Math.round(activeMs / holds.length);
    const timing = { first_seen_at: seenAt, active_ms: share };
    time.end();
    const label = `${String(holds.length)} held calls`;
    if (keepBack({ title: `Approving ${label}`, label, run: () => send(timing) })) onClose();
    else void run(timing);
  };
  return { isBusy, approve };
}
