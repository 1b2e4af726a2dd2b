// The question in front of the person, alone or with its episode beside it.
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import type { DeskItem } from '../../../shared/episode/rowShapes.ts';
import { AdviceCard } from '../../parts/advice/AdviceCard.tsx';
import { questionWords } from '../../parts/card/questionWords.ts';
import type { WaitingQuestion } from '../../parts/desk/deskQueue.ts';
import { settledBy, useQuestion } from '../../parts/desk/useQuestion.tsx';
import { RecordNames } from '../../parts/plan/Names.tsx';
import { useWidth } from '../../parts/episode/useWidth.ts';
import { AnswerKey } from '../../parts/inspector/AnswerKey.tsx';
import { useAnswerKey } from '../../parts/inspector/useAnswerKey.ts';
import { noteAnswered } from '../../state/answered.ts';
import { setSelected } from '../../state/choices.ts';
import { useEpisodeRecord, useKeys, useSession } from '../../state/hooks.ts';
import { useRole } from '../../state/role.ts';
import { navigate } from '../../state/route.ts';
import { cx } from '../../ui/cx.ts';
import * as styles from './DeskView.module.css';
import { EpisodePane, ClientRequest } from './laterCards.ts';
import { PauseButtons } from './PauseCard.tsx';

type DeskCardProps = {
  question: WaitingQuestion;
  /** Other cards that wait. */
  others: number;
  /** Goes to the next card; `isForGood` when this one was passed on or decided. */
  onLeave: (isForGood: boolean) => void;
  onDecided: (keys: readonly string[]) => void;
};

/** Narrower than this, the episode stands in front of the card, not beside it. */
const CARD_NARROW_PX = 720;

export function DeskCard({ question, others, onLeave, onDecided }: DeskCardProps): ReactNode {
  const { item, group, hold } = question;
  const { seat, store } = useSession();
  const { record } = useEpisodeRecord(item.episode);
  const [isOpened, setIsOpened] = useState(false);
  const work = useRef<HTMLDivElement>(null);
  const isCovered = useWidth(work) < CARD_NARROW_PX && isOpened;
  const [isKeyShown, setIsKeyShown] = useState(false);
  const answerKey = useAnswerKey(item.episode);
  const uncover = useUncover(item);
  const openEpisode = useCallback((): void => setIsOpened(true), []);
  const onOpenEpisode = isOpened ? null : openEpisode;
  const state = useQuestion({
    item,
    group,
    record,
    waiting: others,
    onNext: () => onLeave(isDecided),
    onPassed: () => onLeave(true),
    onDecided,
    onTakenBack: () => {
      setSelected(store, 'desk', item.consultation);
      navigate({ view: 'desk' });
    },
    onOpenEpisode,
    isBeside: isOpened,
  });
  const { closed, extras, after, advice } = state;
  const isDecided = closed !== null || after !== null;
  useSettledElsewhere(item, settledBy(record, item.consultation, seat, advice), () => onLeave(true));
  useKeys(isOpened ? { back: () => setIsOpened(false) } : {});
  return (
    <div ref={work} className={cx(styles.work, isOpened && styles.isOpened, isCovered && styles.isCovered)}>
      {isOpened ? <EpisodePane record={record} onClose={() => setIsOpened(false)} /> : null}
      <div className={styles.card}>
        <RecordNames record={record}>
          <AdviceCard
            item={item}
            {...state}
            tools={record.tools}
            waiting={others}
            onNext={() => onLeave(isDecided)}
            onOpenEpisode={onOpenEpisode}
            isBeside={isOpened}
            isCovered={isCovered}
            extras={{
              ...extras,
              banner: (
                <>
                  {hold === null || isDecided ? null : (
                    <div className={styles.alsoStopped} role="note">
                      <span>{`The episode is also stopped: ${hold.why}. It continues only when someone resumes it.`}</span>
                      <PauseButtons hold={hold} />
                    </div>
                  )}
                  {extras.banner}
                </>
              ),
            }}
            keyCover={
              <>
                <ClientRequest item={item} onUncover={uncover} />
                <details
                  className={styles.key}
                  open={isKeyShown}
                  onToggle={(event) => setIsKeyShown(event.currentTarget.open)}
                >
                  <summary>Answer key, hidden</summary>
                  <AnswerKey record={record} seat={seat} state={answerKey} />
                </details>
              </>
            }
          />
        </RecordNames>
      </div>
    </div>
  );
}

/** A question settled by another seat gives way to the next; the list says who it was. */
function useSettledElsewhere(item: DeskItem, seat: string | null, leave: () => void): void {
  const { store } = useSession();
  const newest = useRef(leave);
  useLayoutEffect(() => {
    newest.current = leave;
  });
  useEffect(() => {
    if (seat === null) return;
    const { consultation, episode } = item;
    noteAnswered(store, [{ consultation, episode, label: questionWords(item), done: `Answered by ${seat}` }]);
    newest.current();
  }, [store, item, seat]);
}

/** Reads what a client's request tells of the answer; an expert's seat is not told. */
function useUncover({ episode, consultation }: WaitingQuestion['item']) {
  const { call } = useSession();
  const role = useRole();
  const read = useCallback(
    () => call('request.uncover', { episode, consultation }).then(({ spans }) => spans),
    [call, episode, consultation],
  );
  return role === 'expert' ? null : read;
}
