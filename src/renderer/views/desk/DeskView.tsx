// The desk: everything that waits on a person, and the one card in front of them.
import { Inbox } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useDeskQueue } from '../../parts/desk/useDeskQueue.ts';
import { runningLabel, type DeskEntry } from '../../parts/desk/deskQueue.ts';
import { useWidth } from '../../parts/episode/useWidth.ts';
import { useConsole, useDesk, useKeys, usePane, useSession } from '../../state/hooks.ts';
import { useRole } from '../../state/role.ts';
import { changeUi } from '../../state/store.ts';
import { setUnsentText } from '../../state/drafts.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { whenIdle } from '../../ui/idle.ts';
import { SplitPane } from '../../ui/SplitPane.tsx';
import * as styles from './DeskView.module.css';
import {
  BatchApprove,
  DeskCard,
  DeskList,
  HoldCard,
  LateCard,
  preloadLaterCards,
  RecentlyAnswered,
} from './laterCards.ts';
import { MissedList } from './Missed.tsx';
import { SuggestionList, useSuggestions } from './Suggestions.tsx';
import { UnsentTexts } from './UnsentTexts.tsx';
import { useBatch } from './useBatch.ts';
import { useDeskSelection } from './useDeskSelection.ts';
import { useMissed } from './useMissed.ts';
import { useForFront, useUnsent } from './useUnsent.ts';

/** Narrower than this, the list and the card take turns. */
const DESK_NARROW_PX = 760;

export function DeskView(): ReactNode {
  const { store } = useSession();
  const { isLoaded, total: asks, items } = useDesk();
  const [decided, setDecided] = useState<ReadonlySet<string>>(new Set());
  const list = useDeskQueue(decided);
  const { card, choose, leave, next } = useDeskSelection(list);
  const { missed, again } = useMissed();
  const suggested = useSuggestions();
  const [lateId, setLateId] = useState<string | null>(null);
  const late = missed.find(({ consultation }) => consultation === lateId) ?? null;
  const batch = useBatch(list);
  const desk = useRef<HTMLDivElement>(null);
  const isNarrow = useWidth(desk) < DESK_NARROW_PX;
  const [pane, setPane] = usePane('desk', 280);
  const [isListing, setIsListing] = useState(false);
  const show = (key: string): void => {
    setLateId(null);
    choose(key);
    setIsListing(false);
  };
  const hasAnswered = useConsole(({ ui }) => ui.answered.length > 0 || ui.sending.length > 0);
  const unsent = useUnsent(card, lateId);
  const use = useForFront(late === null ? card : null);
  usePreload(next);
  useEffect(() => whenIdle(preloadLaterCards), []);
  useDeskKeys(list, card, show, batch);
  useKeys('desk', {
    'pane.list': () =>
      isNarrow ? setIsListing(!isListing) : setPane({ ...pane, isCollapsed: !pane.isCollapsed }),
  });

  // One element from the start: its width is watched.
  if (!isLoaded)
    return (
      <div className={styles.desk} ref={desk}>
        <Loading />
      </div>
    );
  const total = list.length + Math.max(0, asks - items.length);
  const listPane = (
    <DeskList
      list={list}
      total={total}
      current={card?.key ?? null}
      onChoose={show}
      chosen={batch.chosen}
      onToggle={batch.toggle}
      onApprove={() => batch.setIsOpen(true)}
    >
      <SuggestionList rows={suggested} />
      <MissedList missed={missed} onOpen={setLateId} />
      <UnsentTexts unsent={unsent} onDiscard={(id) => setUnsentText(store, id, null)} onUse={use} />
      {hasAnswered ? <RecentlyAnswered /> : null}
    </DeskList>
  );
  const front =
    late === null ? (
      <Front
        card={card}
        list={list}
        hasUnsent={unsent.length > 0}
        onLeave={(id, isForGood) => leave(id, isForGood)}
        onDecided={(keys) => setDecided((before) => new Set([...before, ...keys]))}
      />
    ) : (
      <LateCard
        key={late.consultation}
        ask={late}
        onDone={() => {
          setLateId(null);
          again();
        }}
      />
    );
  const hasList = hasAnswered || [list, unsent, missed, suggested].some(({ length }) => length > 0);
  return (
    <div className={styles.desk} ref={desk}>
      {!hasList ? (
        front
      ) : isNarrow ? (
        <>
          <div className={styles.modes}>
            <Button size="small" chord="pane.list" onClick={() => setIsListing(!isListing)}>
              {isListing ? 'Back to the question' : `All waiting: ${String(total)}`}
            </Button>
          </div>
          {isListing ? listPane : front}
        </>
      ) : (
        <SplitPane
          label="Waiting questions"
          side="start"
          pane={pane}
          onPane={setPane}
          min={220}
          max={480}
          content={listPane}
        >
          {front}
        </SplitPane>
      )}
      {batch.isOpen ? <BatchApprove holds={batch.holds} onDrop={batch.toggle} onClose={batch.close} /> : null}
    </div>
  );
}

type FrontProps = {
  card: DeskEntry | null;
  list: readonly DeskEntry[];
  hasUnsent: boolean;
  onLeave: (id: string, isForGood: boolean) => void;
  onDecided: (keys: readonly string[]) => void;
};

function Front({ card, list, hasUnsent, onLeave, onDecided }: FrontProps): ReactNode {
  const { store } = useSession();
  if (card === null)
    return (
      <NothingWaits
        hasUnsent={hasUnsent}
        hasPassed={list.length > 0}
        onStart={() => changeUi(store, () => ({ overlay: 'start' }))}
      />
    );
  if (card.type === 'hold')
    return (
      <HoldCard
        key={card.key}
        hold={card.hold}
        onDecided={() => {
          onDecided([card.key]);
          onLeave(card.key, true);
        }}
      />
    );
  const { consultation } = card.item;
  return (
    <DeskCard
      key={consultation}
      question={card}
      others={list.filter(({ key }) => key !== card.key).length}
      onLeave={(isForGood) => onLeave(consultation, isForGood)}
      onDecided={onDecided}
    />
  );
}

/** Reads the next card's episode ahead, so that it is there when the person is. */
function usePreload(next: DeskEntry | null): void {
  const { episodes } = useSession();
  const id = next === null ? null : next.type === 'hold' ? next.hold.episode : next.item.episode;
  useEffect(() => (id === null ? undefined : episodes.acquire(id)), [episodes, id]);
}

function useDeskKeys(
  list: readonly DeskEntry[],
  card: DeskEntry | null,
  show: (key: string) => void,
  batch: ReturnType<typeof useBatch>,
): void {
  const current = list.findIndex(({ key }) => key === card?.key);
  const goTo = (index: number): void => {
    const to = list[Math.max(0, Math.min(list.length - 1, index))];
    if (to !== undefined) show(to.key);
  };
  useKeys('list', {
    'list.down': () => goTo(current + 1),
    'list.up': () => goTo(current - 1),
    'list.first': () => goTo(0),
    'list.last': () => goTo(list.length - 1),
    ...(card?.type === 'hold' && card.hold.call !== null
      ? { 'desk.select': () => batch.toggle(card.key) }
      : {}),
    ...(batch.chosen.size > 0 ? { 'desk.approve_chosen': () => batch.setIsOpen(true) } : {}),
  });
}

const Loading = (): ReactNode => (
  <div className={styles.loading}>
    <Skeleton rows={6} height={24} label="Loading the desk" />
  </div>
);

type NothingProps = { hasUnsent: boolean; hasPassed: boolean; onStart: () => void };

function NothingWaits({ hasUnsent, hasPassed, onStart }: NothingProps): ReactNode {
  const isExpert = useRole() === 'expert';
  const running = useConsole(
    ({ record }) => [...record.rows.values()].filter(({ status }) => status !== 'ended').length,
  );
  return (
    <EmptyState
      icon={<Inbox />}
      title="You’re all caught up"
      action={
        isExpert ? null : (
          <Button tone={running === 0 ? 'primary' : 'plain'} chord="episode.start" onClick={onStart}>
            Start an episode
          </Button>
        )
      }
    >
      <p>
        {running === 0
          ? 'When an agent asks for an expert, its question appears here with a draft to accept or edit.'
          : `${runningLabel(running)}. Questions appear here as soon as one asks.`}
      </p>
      {running === 0 ? null : (
        <p>
          <a href="#/live">Watch running episodes</a>
        </p>
      )}
      {hasPassed ? <p>Questions you passed on stay listed until another expert answers.</p> : null}
      {hasUnsent ? <p>Unsent text is listed on the left.</p> : null}
    </EmptyState>
  );
}
