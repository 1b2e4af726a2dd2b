// Approving several held calls with one act, each seen before.
import { useEffect, type ReactNode } from 'react';
import type { HoldItem } from '../../../shared/contract/rows.ts';
import { textHead } from '../../../shared/events/text.ts';
import { failureShape } from '../../../shared/failure.ts';
import { callDoneText } from '../../parts/call/useCallDecision.ts';
import { holdWords } from '../../parts/card/questionWords.ts';
import { taskPlace, taskWords } from '../../parts/episode/taskTitle.ts';
import { TaskPlace, TaskWords } from '../../parts/episode/TaskTitle.tsx';
import { DataValue } from '../../parts/text/DataText.tsx';
import { useHumanTime } from '../../parts/advice/useHumanTime.ts';
import { noteAnswered } from '../../state/answered.ts';
import { useSession, useToast } from '../../state/hooks.ts';
import { useAct } from '../../state/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import * as styles from './DeskView.module.css';

type BatchApproveProps = {
  holds: readonly HoldItem[];
  onDrop: (key: string) => void;
  /** `approved` says what came of it; null where nothing was approved. */
  onClose: (approved: string | null) => void;
};

export function BatchApprove({ holds, onDrop, onClose }: BatchApproveProps): ReactNode {
  const { call, store } = useSession();
  const toast = useToast();
  const time = useHumanTime('batch', true);
  useEffect(() => {
    if (holds.length === 0) onClose(null);
  }, [holds.length, onClose]);
  const { isBusy, run: approve } = useAct(async () => {
    const { first_seen_at: seenAt, active_ms: activeMs } = time.read();
    // The time was spent on all of them together.
    const share = activeMs === null ? null : Math.round(activeMs / holds.length);
    const failed: string[] = [];
    for (const hold of holds) {
      const { episode, call: held, seq, key } = hold;
      const [id, timing] = [held?.id ?? '', { first_seen_at: seenAt, active_ms: share }];
      const said = { label: holdWords(hold), done: callDoneText('approved', hold) };
      await call('call.approve', { episode, call: id, seen_seq: seq, timing, similar: false }).then(
        () => noteAnswered(store, [{ consultation: key, episode, ...said, call: id }]),
        (thrown: unknown) => void failed.push(failureShape(thrown).message),
      );
    }
    time.end();
    const title = `${String(holds.length - failed.length)} of ${String(holds.length)} calls approved`;
    if (failed.length > 0) toast({ tone: 'error', title, text: [...new Set(failed)].join('; ') });
    onClose(title);
  });
  return (
    <Dialog
      isOpen
      onClose={() => onClose(null)}
      title={`Approve ${String(holds.length)} held calls`}
      description="Each call is made exactly as shown."
      footer={
        <>
          <Button onClick={() => onClose(null)}>Not now</Button>
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
              <strong>{hold.call?.tool_name}</strong>
              {`, turn ${String(hold.turn)}: ${hold.why}`}
            </p>
            <TaskWords
              text={taskWords(
                { ...hold, task: hold.task === null ? null : textHead(hold.task) },
                hold.episode,
              )}
            />
            <TaskPlace place={taskPlace(hold, hold.episode)} episode={hold.episode} />
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
