// A held call or a stopped episode in front of the person, alone or with its episode beside it.
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import type { HoldItem } from '../../../shared/contract/rows.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { TaskText } from '../../parts/advice/TaskText.tsx';
import { CallCard } from '../../parts/call/CallCard.tsx';
import { useCallDecided } from '../../parts/call/useCallDecided.ts';
import { hasWritten } from '../../parts/call/useCallDecision.ts';
import { closedCallOf } from '../../parts/card/closed.ts';
import { useDoneHere, useSendingOf } from '../../parts/card/DecidedBar.tsx';
import { holdKey } from '../../parts/desk/deskQueue.ts';
import { setSelected } from '../../state/choices.ts';
import { useDesk, useEpisodeRecord, useKeys, useSession } from '../../state/hooks.ts';
import { navigate } from '../../state/route.ts';
import { Button } from '../../ui/Button.tsx';
import { Beside } from './Beside.tsx';
import { DoubtCard } from './DoubtCard.tsx';
import * as styles from './DeskView.module.css';
import { HoldAttempts } from './HoldContext.tsx';
import { PauseCard } from './PauseCard.tsx';

type HoldCardProps = {
  hold: HoldItem;
  /** Other cards that wait. */
  others: number;
  /** It was decided here: it stays in front with what becomes of it. */
  onDecided: () => void;
  /** Goes to the next card; `isForGood` when this one was decided. */
  onLeave: (isForGood: boolean) => void;
};

export function HoldCard({ hold, others, onDecided, onLeave }: HoldCardProps): ReactNode {
  const { record } = useEpisodeRecord(hold.episode);
  const { store } = useSession();
  const [isOpened, setIsOpened] = useState(false);
  const isOurs = useDecidedHere(hold, record);
  useKeys('desk', {
    ...(isOpened ? { 'desk.close': () => setIsOpened(false) } : {}),
    ...(isOpened || isOurs ? {} : { 'desk.open': () => setIsOpened(true) }),
  });
  useSettled(hold, record, isOurs, () => onLeave(true));
  const next = {
    waiting: others,
    onNext: () => onLeave(isOurs),
    onOpenEpisode: isOpened ? null : (): void => setIsOpened(true),
    isBeside: isOpened,
  };
  return (
    <div className={isOpened ? `${styles.work ?? ''} ${styles.isOpened ?? ''}` : styles.work}>
      {isOpened ? <Beside record={record} onClose={() => setIsOpened(false)} /> : null}
      <div className={styles.card}>
        {hold.type === 'doubt' ? (
          <DoubtCard hold={hold} record={record} onDecided={onDecided} {...next} />
        ) : hold.call === null ? (
          <PauseCard hold={hold} record={record} onDecided={onDecided} {...next} />
        ) : (
          <CallCard
            item={hold}
            record={record}
            onDecided={onDecided}
            onTakenBack={() => {
              setSelected(store, 'desk', hold.key);
              navigate({ view: 'desk' });
            }}
            task={<TaskText task={hold.task} />}
            context={isOpened ? null : <HoldAttempts hold={hold} record={record} />}
            {...next}
            next={
              <p>
                <Button tone="primary" chord="desk.next" onClick={() => onLeave(true)}>
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

/** Whether this person decided it, or is about to. */
function useDecidedHere(hold: HoldItem, record: EpisodeRecord): boolean {
  const sending = useSendingOf(holdKey(hold));
  const done = useDoneHere(holdKey(hold));
  const isCall = hold.call !== null;
  return (useCallDecided(hold, record) !== null && isCall) || sending !== null || done !== null;
}

/** What was settled elsewhere gives way, unless something is written about it here. */
function useSettled(hold: HoldItem, record: EpisodeRecord, isOurs: boolean, leave: () => void): void {
  const { key, since, call } = hold;
  const { own, seat } = useSession();
  const isGone = useDesk().holds.every((one) => one.key !== key || one.since !== since);
  // The list may hear of a decision before the record says whose it was.
  const isKnown = call === null || closedCallOf(record, call.id, seat) !== null;
  const isSettled = isGone && isKnown && !isOurs;
  const newest = useRef(leave);
  useLayoutEffect(() => {
    newest.current = leave;
  });
  useEffect(() => {
    if (isSettled && !hasWritten(own, key)) newest.current();
  }, [isSettled, own, key]);
}
