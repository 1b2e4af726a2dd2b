// A held call or a stopped episode in front of the person, alone or with its episode beside it.
import { useState, type ReactNode } from 'react';
import type { HoldItem } from '../../../shared/contract/rows.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { CallCard } from '../../parts/call/CallCard.tsx';
import { closedCallOf } from '../../parts/call/closedCall.ts';
import { callDoneWords, useCallDecision, type CallDone } from '../../parts/call/useCallDecision.ts';
import { CallPreview } from '../../parts/preview/CallPreview.tsx';
import { useEpisodeRecord, useKeys, useSession, useToast } from '../../state/hooks.ts';
import { Button } from '../../ui/Button.tsx';
import { Beside } from './Beside.tsx';
import * as styles from './DeskView.module.css';
import { HoldContext } from './HoldContext.tsx';
import { PauseCard } from './PauseCard.tsx';

type HoldCardProps = { hold: HoldItem; onDecided: () => void };

export function HoldCard({ hold, onDecided }: HoldCardProps): ReactNode {
  const { record } = useEpisodeRecord(hold.episode);
  const [isOpened, setIsOpened] = useState(false);
  useKeys(
    'desk',
    isOpened ? { 'desk.close': () => setIsOpened(false) } : { 'desk.open': () => setIsOpened(true) },
  );
  const onOpenEpisode = isOpened ? null : (): void => setIsOpened(true);
  return (
    <div className={isOpened ? `${styles.work ?? ''} ${styles.isOpened ?? ''}` : styles.work}>
      {isOpened ? <Beside record={record} onClose={() => setIsOpened(false)} /> : null}
      <div className={styles.card}>
        {hold.call === null ? (
          <PauseCard hold={hold} record={record} onDecided={onDecided} onOpenEpisode={onOpenEpisode} />
        ) : (
          <HoldDetails hold={hold} record={record} onDecided={onDecided} onOpenEpisode={onOpenEpisode} />
        )}
      </div>
    </div>
  );
}

function HoldDetails({
  hold,
  record,
  onDecided,
  onOpenEpisode,
}: HoldCardProps & { record: EpisodeRecord; onOpenEpisode: (() => void) | null }): ReactNode {
  const { seat, call } = useSession();
  const toast = useToast();
  const closed = closedCallOf(record, hold.call?.id ?? '', seat);
  const onDone = (done: CallDone): void => {
    toast({ tone: 'ok', title: callDoneWords(done, hold) });
    onDecided();
  };
  const state = useCallDecision(hold, record.tools, closed === null, call, onDone);
  return (
    <CallCard
      item={hold}
      state={state}
      tools={record.tools}
      closed={closed}
      context={onOpenEpisode === null ? null : <HoldContext hold={hold} record={record} />}
      {...(onOpenEpisode === null ? {} : { onOpenEpisode })}
      extra={
        closed === null ? (
          <CallPreview item={hold} state={state} tools={record.tools} />
        ) : (
          <p>
            <Button tone="primary" chord="desk.next" onClick={onDecided}>
              Next
            </Button>
          </p>
        )
      }
    />
  );
}
