// The question in front of the person, alone or with its episode beside it, and sending what they decide.
import { useCallback, useRef, useState, type ReactNode } from 'react';
import { AdviceCard } from '../../parts/advice/AdviceCard.tsx';
import { ClientRequest } from '../../parts/advice/ClientRequest.tsx';
import { closedOf } from '../../parts/card/closed.ts';
import { doneText, missedText } from '../../parts/advice/doneText.ts';
import { useAdvice, type Done } from '../../parts/advice/useAdvice.ts';
import { useCardExtras } from '../../parts/desk/useCardExtras.tsx';
import { useHolding } from '../../parts/desk/useHolding.ts';
import { useRecipients } from '../../parts/desk/useRecipients.ts';
import type { WaitingQuestion } from '../../parts/desk/deskQueue.ts';
import { useWidth } from '../../parts/episode/useWidth.ts';
import { AnswerKey } from '../../parts/inspector/AnswerKey.tsx';
import { useAnswerKey } from '../../parts/inspector/useAnswerKey.ts';
import { setSelected } from '../../state/choices.ts';
import { useDeskPorts } from '../../state/deskPorts.ts';
import { useEpisodeRecord, useKeys, useSession, useToast } from '../../state/hooks.ts';
import { useRole } from '../../state/role.ts';
import { navigate } from '../../state/route.ts';
import { cx } from '../../ui/cx.ts';
import * as styles from './DeskView.module.css';
import { Beside } from './laterCards.ts';
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
  const toast = useToast();
  const acts = useDeskPorts();
  const { record } = useEpisodeRecord(item.episode);
  const [isOpened, setIsOpened] = useState(false);
  const work = useRef<HTMLDivElement>(null);
  const isCovered = useWidth(work) < CARD_NARROW_PX && isOpened;
  const [isKeyShown, setIsKeyShown] = useState(false);
  const answerKey = useAnswerKey(item.episode);
  const uncover = useUncover(item);
  const recipients = useRecipients(item, group);
  const keys = [item, ...recipients.also].map(({ consultation }) => consultation);
  const say = (done: Done): void => {
    // Where one of several failed, main says which still wait.
    onDecided((done.also?.failed.length ?? 0) === 0 ? keys : [item.consultation]);
    const more = others === 0 ? null : `${String(others)} more waiting`;
    const watch = {
      label: 'Watch it',
      run: () => navigate({ view: 'live', episode: item.episode }),
    };
    toast({ tone: 'ok', title: doneText(done), text: missedText(done) ?? more, action: watch });
  };
  const leave = (): void => onLeave(true);
  const ports = useHolding(acts, {
    keys,
    deadline_at: item.deadline_at,
    onLeave: leave,
    onDone: say,
    onTakenBack: () => {
      setSelected(store, 'desk', item.consultation);
      navigate({ view: 'desk' });
    },
  });
  const isWaiting = record.consultations.every(
    ({ id, decision }) => id !== item.consultation || decision === null,
  );
  const onDone = (done: Done): void => {
    say(done);
    leave();
  };
  const isOpen = isWaiting && record.ended === null;
  const advice = useAdvice(item, isOpen, ports, onDone, recipients.also);
  const closed = closedOf(record, item.consultation, seat, advice.text);
  const extras = useCardExtras({ item, group, record, advice, closed, recipients, acts, onLeave: leave });
  useKeys('desk', isOpened ? { 'desk.close': () => setIsOpened(false) } : {});
  return (
    <div ref={work} className={cx(styles.work, isOpened && styles.isOpened, isCovered && styles.isCovered)}>
      {isOpened ? <Beside record={record} onClose={() => setIsOpened(false)} /> : null}
      <div className={styles.card}>
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
          extras={{
            ...extras,
            banner: (
              <>
                {hold === null || closed !== null ? null : (
                  <div className={styles.alsoStopped} role="note">
                    <span>{`The episode is also stopped: ${hold.why}. It continues only when someone resumes it.`}</span>
                    <PauseButtons episode={item.episode} />
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
      </div>
    </div>
  );
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
