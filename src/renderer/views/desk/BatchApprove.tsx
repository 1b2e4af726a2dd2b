// Approving several held calls with one act, each seen before: what it does, and what it would return.
import { type ReactNode, useEffect, useMemo } from 'react';
import type { HoldItem } from '../../../shared/episode/rowShapes.ts';
import { textHead } from '../../../shared/events/text.ts';
import { failureShape } from '../../../shared/failure.ts';
import { taskPlace, taskWords } from '../../parts/episode/taskTitle.ts';
import { TaskPlace, TaskWords } from '../../parts/episode/TaskTitle.tsx';
import { ProposedCall } from '../../parts/call/ProposedCall.tsx';
import { RecordNames } from '../../parts/plan/Names.tsx';
import { PlanEffect } from '../../parts/preview/PlanEffect.tsx';
import { usePlanEffect } from '../../parts/preview/usePlanEffect.ts';
import { useEpisodeRecord, useSession, useToast } from '../../state/hooks.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { useHumanTime } from '../../parts/advice/useHumanTime.ts';
import { callDoneText } from '../../parts/call/useCallDecision.ts';
import { holdWords } from '../../parts/card/questionWords.ts';
import { useHold } from '../../state/sendLater.ts';
import { noteAnswered } from '../../state/answered.ts';
import { setSelected } from '../../state/choices.ts';
import { useAct } from '../../state/queries.ts';
import { navigate } from '../../state/route.ts';
import * as styles from './DeskView.module.css';

type BatchApproveProps = {
  holds: readonly HoldItem[];
  onDrop: (key: string) => void;
  onClose: () => void;
  /** Says what came of it, once it was sent. */
  onSent: (said: string) => void;
};

export function BatchApprove({ holds, onDrop, onClose, onSent }: BatchApproveProps): ReactNode {
  const approval = useBatchApproval(holds, onClose, onSent);
  useEffect(() => {
    if (holds.length === 0) onClose();
  }, [holds.length, onClose]);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Approve ${String(holds.length)} held calls`}
      description="Each call is made exactly as shown."
      footer={
        <>
          <Button onClick={onClose}>Not now</Button>
          <Button tone="primary" isBusy={approval.isBusy} onClick={approval.approve}>
            {`Approve ${String(holds.length)}`}
          </Button>
        </>
      }
    >
      <ul className={styles.previews}>
        {holds.map((hold, index) => (
          <li key={hold.key}>
            <HeldPreview hold={hold} label={`Call ${String(index + 1)} of ${String(holds.length)}`} />
            <Button size="small" tone="quiet" onClick={() => onDrop(hold.key)}>
              Leave this one out
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

/** One of the calls as its own card shows it: the sentence, and what it would return. */
function HeldPreview({ hold, label }: { hold: HoldItem; label: string }): ReactNode {
  const { record } = useEpisodeRecord(hold.episode);
  const { call, episode, turn, why } = hold;
  const calls = useMemo(
    () => (call === null ? [] : [{ tool_name: call.tool_name, arguments: call.arguments }]),
    [call],
  );
  const effect = usePlanEffect({
    episode,
    afterTurn: turn,
    callId: call?.id ?? null,
    calls,
    problem: null,
  });
  if (call === null) return null;
  const task = hold.task === null ? null : textHead(hold.task);
  return (
    <>
      <TaskWords lines={2} text={taskWords({ ...hold, task }, episode)} />
      <p className={styles.about}>
        <TaskPlace place={taskPlace(hold, episode)} episode={episode} />
        <span>{`turn ${String(turn)}: ${why}`}</span>
      </p>
      <RecordNames record={record}>
        <ProposedCall call={call} tools={record.tools} names={effect.names} label={label} />
        <PlanEffect effect={effect} tools={record.tools} label={`What it returns: ${label}`} isSaid />
      </RecordNames>
    </>
  );
}

/**
 * Sending one approval for several held calls, kept back for a moment in which all of it can be taken back.
 */
function useBatchApproval(
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
