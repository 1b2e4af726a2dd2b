// A held call or a stopped episode in front of the person, alone or with its episode beside it.
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { CircleHelp, Send, Unplug } from 'lucide-react';
import type { HoldItem } from '../../../shared/episode/rowShapes.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import type { DoubtAct } from '../../../shared/events/restarts.ts';
import { TaskText } from '../../parts/advice/TaskText.tsx';
import { CallCard } from '../../parts/call/CallCard.tsx';
import { hasWritten, useCallDecided } from '../../parts/call/useCallDecision.ts';
import { closedCallOf } from '../../parts/card/closed.ts';
import { type NextCard, useDoneHere, useSendingOf } from '../../parts/card/DecidedBar.tsx';
import { holdKey } from '../../parts/desk/deskQueue.ts';
import { setSelected } from '../../state/choices.ts';
import { useDesk, useEpisodeRecord, useKeys, useSession } from '../../state/hooks.ts';
import { navigate } from '../../state/route.ts';
import { Button } from '../../ui/Button.tsx';
import { useHumanTime } from '../../parts/advice/useHumanTime.ts';
import {
  ActBar,
  actKeys,
  type CardAct,
  CardHead,
  DecisionCard,
  NextButton,
  placeOf,
} from '../../parts/card/DecisionCard.tsx';
import { ProposedCall } from '../../parts/call/ProposedCall.tsx';
import { RecordNames } from '../../parts/plan/Names.tsx';
import { useRole } from '../../state/role.ts';
import { formatMoment } from '../../ui/time.ts';
import { EpisodePane } from './EpisodePane.tsx';
import * as styles from './DeskView.module.css';
import { HoldAttempts } from './HoldContext.tsx';
import { PauseCard } from './PauseCard.tsx';
import { StopDecidedBar, useStopDecision } from './useStopDecision.tsx';

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
  useKeys({
    ...(isOpened ? { back: () => setIsOpened(false) } : {}),
    ...(isOpened || isOurs ? {} : { open: () => setIsOpened(true) }),
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
      {isOpened ? <EpisodePane record={record} onClose={() => setIsOpened(false)} /> : null}
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

/** True if this person decided it, or is about to. */
function useDecidedHere(hold: HoldItem, record: EpisodeRecord): boolean {
  const sending = useSendingOf(holdKey(hold));
  const done = useDoneHere(holdKey(hold));
  const isCall = hold.call !== null;
  return (useCallDecided(hold, record) !== null && isCall) || sending !== null || done !== null;
}

/** A call settled elsewhere gives way, unless something is written about it here. */
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

type Props = NextCard & { hold: HoldItem; record: EpisodeRecord; onDecided: () => void };

/**
 * A call that was sent before a restart and whose answer is lost, at the desk: what it was, and what a person can
 * say.
 */
function DoubtCard({ hold, record, onDecided, ...next }: Props): ReactNode {
  const { doubt, since, episode } = hold;
  const { onOpenEpisode } = next;
  const { stop, acts, isOpen } = useDoubtActs(hold, onDecided);
  useKeys(isOpen ? actKeys(acts) : {});
  if (doubt === undefined) return null;
  const { sent_at: sentAt } = doubt;
  return (
    <DecisionCard
      label="Call in doubt"
      head={
        <CardHead
          since={isOpen ? since : null}
          why={
            <h2 className="row-2 large">
              <CircleHelp aria-hidden="true" /> Was this call carried out?
            </h2>
          }
          place={placeOf({ ...hold, scenario: hold.scenario ?? episode })}
        />
      }
      acts={
        isOpen ? (
          <ActBar acts={acts} onOpenEpisode={onOpenEpisode}>
            <NextButton waiting={next.waiting} onNext={next.onNext} />
          </ActBar>
        ) : (
          <StopDecidedBar hold={hold} record={record} stop={stop} {...next} />
        )
      }
    >
      <TaskText task={hold.task} />
      {onOpenEpisode === null ? null : <HoldAttempts hold={hold} record={record} />}
      <RecordNames record={record}>
        <ProposedCall call={doubt} tools={record.tools} label="Sent, without an answer" />
      </RecordNames>
      <p>
        {`It was sent ${formatMoment(sentAt)}. Interject ended before its answer came, so nobody knows whether it took effect. Nothing is sent again without your word.`}
      </p>
    </DecisionCard>
  );
}

const WORDS: Readonly<Record<DoubtAct, { doing: string; done: string }>> = {
  send_again: { doing: 'Sending again:', done: 'Sent again' },
  unknown: { doing: 'Not sending again:', done: 'Not sent again; the agent is told' },
};

function useDoubtActs(hold: HoldItem, onDecided: () => void) {
  const { call } = useSession();
  const isExpert = useRole() === 'expert';
  const { episode, key, doubt } = hold;
  const stop = useStopDecision(hold, onDecided);
  const isOpen = stop.sending === null && stop.done === null;
  const time = useHumanTime(key, isOpen);
  const say = (act: DoubtAct): void => {
    const input = { episode, call: doubt?.id ?? '', act, timing: time.read() };
    stop.decide(WORDS[act], async () => {
      await call('call.settle_doubt', input);
      time.end();
      return true;
    });
  };
  const end = (): void =>
    stop.decide({ doing: 'Ending', done: 'Episode ended' }, async () => {
      await call('episode.stop', { episode, reason: 'a call was in doubt' });
      return true;
    });
  const acts: CardAct[] = [
    {
      chord: 'doubt.send_again',
      label: 'Send it again',
      tone: 'primary',
      icon: <Send />,
      run: () => say('send_again'),
    },
    {
      chord: 'doubt.unknown',
      label: 'Don’t send; say it is unknown',
      icon: <Unplug />,
      title: 'The agent reads that nobody knows whether the call was carried out',
      run: () => say('unknown'),
    },
    // Ending an episode is the owner's.
    ...(isExpert ? [] : [{ label: 'End the episode', tone: 'quiet', run: end } as const]),
  ];
  return { stop, acts, isOpen };
}
