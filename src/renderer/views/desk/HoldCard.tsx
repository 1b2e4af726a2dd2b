// A held call or a stopped episode in front of the person, alone or with its episode beside it.
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import type { HoldItem } from '../../../shared/contract/rows.ts';
import { TaskText } from '../../parts/advice/Question.tsx';
import { CallCard } from '../../parts/call/CallCard.tsx';
import { hasWritten } from '../../parts/call/useCallDecision.ts';
import { useDesk, useEpisodeRecord, useKeys, useSession } from '../../state/hooks.ts';
import { Button } from '../../ui/Button.tsx';
import { Beside } from './Beside.tsx';
import * as styles from './DeskView.module.css';
import { HoldAttempts } from './HoldContext.tsx';
import { PauseCard } from './PauseCard.tsx';

type HoldCardProps = { hold: HoldItem; onDecided: () => void };

export function HoldCard({ hold, onDecided }: HoldCardProps): ReactNode {
  const { record } = useEpisodeRecord(hold.episode);
  const [isOpened, setIsOpened] = useState(false);
  useKeys(
    'desk',
    isOpened ? { 'desk.close': () => setIsOpened(false) } : { 'desk.open': () => setIsOpened(true) },
  );
  useSettled(hold, onDecided);
  const onOpenEpisode = isOpened ? null : (): void => setIsOpened(true);
  return (
    <div className={isOpened ? `${styles.work ?? ''} ${styles.isOpened ?? ''}` : styles.work}>
      {isOpened ? <Beside record={record} onClose={() => setIsOpened(false)} /> : null}
      <div className={styles.card}>
        {hold.call === null ? (
          <PauseCard hold={hold} record={record} onDecided={onDecided} onOpenEpisode={onOpenEpisode} />
        ) : (
          <CallCard
            item={hold}
            record={record}
            onDone={onDecided}
            task={<TaskText task={hold.task} />}
            context={isOpened ? null : <HoldAttempts hold={hold} record={record} />}
            onOpenEpisode={onOpenEpisode}
            next={
              <p>
                <Button tone="primary" chord="desk.next" onClick={onDecided}>
                  Next
                </Button>
              </p>
            }
          />
        )}
      </div>
    </div>
  );
}

/** What was settled elsewhere gives way, unless something is written about it here. */
function useSettled({ key, since }: HoldItem, leave: () => void): void {
  const { own } = useSession();
  const isSettled = useDesk().holds.every((one) => one.key !== key || one.since !== since);
  const newest = useRef(leave);
  useLayoutEffect(() => {
    newest.current = leave;
  });
  useEffect(() => {
    if (isSettled && !hasWritten(own, key)) newest.current();
  }, [isSettled, own, key]);
}
