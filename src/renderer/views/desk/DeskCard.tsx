// Owns: the question in front of the person, alone or with its episode beside it, and sending what they decide.
import { useCallback, useMemo, useRef, useState, type ReactNode } from 'react';
import { X } from 'lucide-react';
import type { DeskItem } from '../../../shared/contract/rows.ts';
import { AdviceCard } from '../../parts/advice/AdviceCard.tsx';
import { closedOf } from '../../parts/advice/closed.ts';
import { doneWords } from '../../parts/advice/doneWords.ts';
import { useAdvice, type AdvicePorts, type Done } from '../../parts/advice/useAdvice.ts';
import { EpisodeHeader } from '../../parts/episode/EpisodeHeader.tsx';
import { useWidth } from '../../parts/episode/useWidth.ts';
import { AnswerKey, hasSeenKey } from '../../parts/inspector/AnswerKey.tsx';
import { useAnswerKey } from '../../parts/inspector/useAnswerKey.ts';
import { Timeline } from '../../parts/timeline/Timeline.tsx';
import { useTimeline } from '../../parts/timeline/useTimeline.ts';
import { useEpisodeRecord, useKeys, useSession, useToast } from '../../state/hooks.ts';
import { navigate } from '../../state/route.ts';
import { IconButton } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import styles from './DeskView.module.css';

export type DeskCardProps = {
  item: DeskItem;
  /** Other questions that wait. */
  others: number;
  /** Goes to the next question; `isDecided` when this one was just answered or declined. */
  onLeave: (isDecided: boolean) => void;
};

/** Narrower than this, the episode stands in front of the card, not beside it. */
const NARROW_PX = 720;

export function DeskCard({ item, others, onLeave }: DeskCardProps): ReactNode {
  const { call, seat } = useSession();
  const toast = useToast();
  const { record } = useEpisodeRecord(item.episode);
  const [isOpened, setIsOpened] = useState(false);
  const work = useRef<HTMLDivElement>(null);
  const isCovered = useWidth(work) < NARROW_PX && isOpened;
  const [isKeyShown, setIsKeyShown] = useState(false);
  const ports = useMemo<AdvicePorts>(
    () => ({
      answer: (input) => call('desk.answer', input),
      decline: (input) => call('desk.decline', input),
    }),
    [call],
  );
  const fetchKey = useCallback((id: string) => call('answer_key.show', { episode: id }), [call]);
  const answerKey = useAnswerKey(item.episode, fetchKey);
  const onDone = (done: Done): void => {
    const text = others === 0 ? null : `${String(others)} more waiting`;
    const watch = {
      label: 'Watch what it does',
      run: () => navigate({ view: 'live', episode: item.episode }),
    };
    toast({ tone: 'ok', title: doneWords(done), text, action: watch });
    onLeave(true);
  };
  const isWaiting = record.consultations.every(
    ({ id, decision }) => id !== item.consultation || decision === null,
  );
  const advice = useAdvice(item, isWaiting && record.ended === null, ports, onDone);
  const closed = closedOf(record, item.consultation, seat, advice.text);
  useKeys('desk', isOpened ? { 'desk.close': () => setIsOpened(false) } : {});
  return (
    <div
      ref={work}
      className={cx(styles['work'], isOpened && styles['isOpened'], isCovered && styles['isCovered'])}
    >
      {isOpened ? <Beside record={record} onClose={() => setIsOpened(false)} /> : null}
      <div className={styles['card']}>
        <AdviceCard
          item={item}
          advice={advice}
          tools={record.tools}
          closed={closed}
          waiting={others}
          onNext={() => onLeave(false)}
          onOpenEpisode={isOpened ? null : () => setIsOpened(true)}
          isBeside={isOpened}
          isCovered={isCovered}
          keyCover={
            <details
              className={styles['key']}
              open={isKeyShown}
              onToggle={(event) => setIsKeyShown(event.currentTarget.open)}
            >
              <summary>Answer key, covered</summary>
              <AnswerKey state={answerKey} hasSeen={hasSeenKey(record, seat)} />
            </details>
          }
        />
      </div>
    </div>
  );
}

/** The episode of the question, read beside the same editor. */
function Beside({
  record,
  onClose,
}: {
  record: ReturnType<typeof useEpisodeRecord>['record'];
  onClose: () => void;
}): ReactNode {
  const timeline = useTimeline(record);
  return (
    <section className={styles['beside']} aria-label="Episode of the question">
      <EpisodeHeader
        record={record}
        actions={<IconButton label="Close the episode" chord="Escape" icon={<X />} onClick={onClose} />}
      />
      <Timeline state={timeline} startAtEnd />
    </section>
  );
}
