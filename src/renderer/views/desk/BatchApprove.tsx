// Approving several held calls with one act, each seen before.
import { useEffect, type ReactNode } from 'react';
import type { HoldItem } from '../../../shared/contract/rows.ts';
import { failureShape } from '../../../shared/failure.ts';
import { taskPlace } from '../../parts/episode/taskTitle.ts';
import { TwinMark } from '../../parts/episode/twinMarks.ts';
import { DataValue } from '../../parts/text/DataText.tsx';
import { useHumanTime } from '../../parts/advice/useHumanTime.ts';
import { useSession, useToast } from '../../state/hooks.ts';
import { useAct } from '../../state/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import * as styles from './DeskView.module.css';

type BatchApproveProps = {
  holds: readonly HoldItem[];
  onDrop: (key: string) => void;
  onClose: (isDone: boolean) => void;
};

export function BatchApprove({ holds, onDrop, onClose }: BatchApproveProps): ReactNode {
  const { call } = useSession();
  const toast = useToast();
  const time = useHumanTime('batch', true);
  useEffect(() => {
    if (holds.length === 0) onClose(false);
  }, [holds.length, onClose]);
  const { isBusy, run: approve } = useAct(async () => {
    const { first_seen_at: seenAt, active_ms: activeMs } = time.read();
    // The time was spent on all of them together.
    const share = activeMs === null ? null : Math.round(activeMs / holds.length);
    const failed: string[] = [];
    for (const { episode, call: held, seq } of holds) {
      const timing = { first_seen_at: seenAt, active_ms: share };
      await call('call.approve', {
        episode,
        call: held?.id ?? '',
        seen_seq: seq,
        timing,
        similar: false,
      }).catch((thrown: unknown) => failed.push(failureShape(thrown).message));
    }
    time.end();
    const done = holds.length - failed.length;
    toast({
      tone: failed.length === 0 ? 'ok' : 'error',
      title: `${String(done)} of ${String(holds.length)} calls approved`,
      text: failed.length === 0 ? null : [...new Set(failed)].join('; '),
    });
    onClose(true);
  });
  return (
    <Dialog
      isOpen
      onClose={() => onClose(false)}
      title={`Approve ${String(holds.length)} held calls`}
      description="Each call is made exactly as shown."
      footer={
        <>
          <Button onClick={() => onClose(false)}>Not now</Button>
          <Button tone="primary" isBusy={isBusy} onClick={() => void approve()}>
            {`Approve ${String(holds.length)}`}
          </Button>
        </>
      }
    >
      <ul className={styles.previews}>
        {holds.map((hold) => (
          <li key={hold.key}>
            <p>
              <strong>{hold.call?.tool_name}</strong> {taskPlace(hold, hold.episode)}
              <TwinMark episode={hold.episode} />
              {`, turn ${String(hold.turn)}: ${hold.why}`}
            </p>
            <DataValue label="Arguments" value={hold.call?.arguments ?? {}} />
            <Button size="small" tone="quiet" onClick={() => onDrop(hold.key)}>
              Leave this one out
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
