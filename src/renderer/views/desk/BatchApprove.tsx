// Approving several held calls with one act, each seen before: what it does, and what it would return.
import { useEffect, useMemo, type ReactNode } from 'react';
import type { HoldItem } from '../../../shared/contract/rows.ts';
import { textHead } from '../../../shared/events/text.ts';
import { taskPlace, taskWords } from '../../parts/episode/taskTitle.ts';
import { TaskPlace, TaskWords } from '../../parts/episode/TaskTitle.tsx';
import { ProposedCall } from '../../parts/call/ProposedCall.tsx';
import { RecordNames } from '../../parts/plan/Names.tsx';
import { PlanEffect } from '../../parts/preview/PlanEffect.tsx';
import { usePlanEffect } from '../../parts/preview/usePlanEffect.ts';
import { useEpisodeRecord } from '../../state/hooks.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import * as styles from './DeskView.module.css';
import { useBatchApproval } from './useBatchApproval.ts';

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
