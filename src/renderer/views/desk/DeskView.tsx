// The desk: everything that waits on a person, and the one card in front of them.
import { Inbox } from 'lucide-react';
import { memo, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { lostTitle } from '../../../shared/episode/restarts.ts';
import type { EpisodeRow, Losses, MissedAsk } from '../../../shared/episode/rowShapes.ts';
import { Begin } from '../../parts/begin/laterBegin.ts';
import { type DeskEntry, runningLabel, useDeskQueue } from '../../parts/desk/deskQueue.ts';
import { useWidth } from '../../parts/episode/useWidth.ts';
import { useFromRows } from '../../state/fromRows.ts';
import { useConsole, useDesk, useKeys, usePane, useSession } from '../../state/hooks.ts';
import { useRole } from '../../state/role.ts';
import { changeUi } from '../../state/store.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { whenIdle } from '../../ui/idle.ts';
import { SplitPane } from '../../ui/SplitPane.tsx';
import { useSteady } from '../../ui/useSteady.ts';
import { brokenOffTitle, useBrokenOff, type BrokenOffRow } from '../../parts/desk/useBrokenOff.ts';
import { useAsk } from '../../state/queries.ts';
import { LaterAdviceEditor } from '../../parts/advice/laterAdviceEditor.ts';
import { type Unsent, unsentOf } from '../../parts/advice/unsent.ts';
import { forgetOldTimes } from '../../parts/advice/useHumanTime.ts';
import { setUnsentText } from '../../state/drafts.ts';
import * as styles from './DeskView.module.css';
import { BatchApprove, CameWith, DeskCard, HoldCard, LateCard, preloadLaterCards } from './laterCards.ts';
import { useHasSuggestions } from './Suggestions.tsx';
import { useAddressed, useDeskSelection } from './useDeskSelection.ts';
import { type Batch, useBatch } from './useBatch.ts';
import { WaitingPane } from './WaitingPane.tsx';

/** Narrower than this, the list and the card take turns. */
const DESK_NARROW_PX = 760;

export function DeskView(): ReactNode {
  const { isLoaded, total: asks, items } = useDesk();
  const [decided, setDecided] = useState<ReadonlySet<string>>(new Set());
  const standAside = useCallback(
    (keys: readonly string[]) => setDecided((before) => new Set([...before, ...keys])),
    [],
  );
  const list = useDeskQueue(decided);
  const { card, choose, leave, next } = useDeskSelection(list);
  const { missed, lost, again } = useMissed();
  const hasSuggested = useHasSuggestions();
  const brokenOff = useBrokenOff();
  const cameWith = useConsole(({ record }) => record.app?.came_with ?? null);
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
  const onChoose = useSteady(show);
  useAddressed({ isLoaded, list, missed, show, showLate: setLateId });
  const hasAnswered = useConsole(({ ui }) => ui.answered.length > 0 || ui.sending.length > 0);
  const unsent = useUnsent(card, lateId);
  const use = useForFront(late === null ? card : null);
  usePreload(next);
  useEffect(() => whenIdle(preloadLaterCards), []);
  useDeskKeys(list, card, show, batch);
  useKeys({
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
  const isOnlyBrokenOff = late === null && card === null && brokenOff.length > 0;
  const listPane = (
    <WaitingPane
      current={card?.key ?? null}
      onChoose={onChoose}
      onOpenLate={setLateId}
      onUse={use}
      {...{ list, total, batch, brokenOff, isOnlyBrokenOff, missed, unsent, hasAnswered }}
    />
  );
  const front =
    late === null ? (
      <Front
        card={card}
        others={list.filter(({ key }) => key !== card?.key).length}
        hasUnsent={unsent.length > 0}
        brokenOff={brokenOff}
        lost={lost}
        onLeave={leave}
        onDecided={standAside}
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
  const hasList =
    hasAnswered || hasSuggested || [list, unsent, missed, brokenOff].some(({ length }) => length > 0);
  return (
    <div className={styles.desk} ref={desk}>
      {cameWith === null ? null : <CameWith list={cameWith} />}
      {!hasList ? (
        front
      ) : isNarrow ? (
        <>
          {isOnlyBrokenOff ? null : (
            <div className={styles.modes}>
              <Button size="small" chord="pane.list" onClick={() => setIsListing(!isListing)}>
                {isListing ? 'Back to the question' : allWaiting(total, brokenOff.length)}
              </Button>
            </div>
          )}
          {isListing || isOnlyBrokenOff ? listPane : front}
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
      {batch.isOpen ? (
        <BatchApprove
          holds={batch.holds}
          onDrop={batch.toggle}
          onClose={batch.close}
          onSent={batch.setSaid}
        />
      ) : null}
    </div>
  );
}

/** `All waiting: 2 · 1 stopped`. */
const allWaiting = (total: number, brokenOff: number): string =>
  `All waiting: ${String(total)}${brokenOff === 0 ? '' : ` · ${String(brokenOff)} stopped`}`;

type FrontProps = {
  card: DeskEntry | null;
  /** Other cards that wait. */
  others: number;
  hasUnsent: boolean;
  /** Episodes that wait for a word since the restart, in the list. */
  brokenOff: readonly BrokenOffRow[];
  /** What closing Interject took; undefined while that is not known. */
  lost: Losses | null | undefined;
  onLeave: (id: string, isForGood: boolean) => void;
  onDecided: (keys: readonly string[]) => void;
};

const Front = memo(function Front({
  card,
  others,
  hasUnsent,
  brokenOff,
  lost,
  onLeave,
  onDecided,
}: FrontProps): ReactNode {
  const { store } = useSession();
  if (card === null)
    return (
      <NothingWaits
        hasUnsent={hasUnsent}
        hasPassed={others > 0}
        brokenOff={brokenOff}
        lost={lost}
        onStart={() => changeUi(store, () => ({ overlay: 'start' }))}
      />
    );
  if (card.type === 'hold')
    return (
      <HoldCard
        key={card.key}
        hold={card.hold}
        others={others}
        onDecided={() => onDecided([card.key])}
        onLeave={(isForGood) => onLeave(card.key, isForGood)}
      />
    );
  const { consultation } = card.item;
  return (
    <DeskCard
      key={consultation}
      question={card}
      others={others}
      onLeave={(isForGood) => onLeave(consultation, isForGood)}
      onDecided={onDecided}
    />
  );
});

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
  batch: Batch,
): void {
  const current = list.findIndex(({ key }) => key === card?.key);
  const goTo = (index: number): void => {
    const to = list[Math.max(0, Math.min(list.length - 1, index))];
    if (to !== undefined) show(to.key);
  };
  useKeys({
    down: () => goTo(current + 1),
    up: () => goTo(current - 1),
    first: () => goTo(0),
    last: () => goTo(list.length - 1),
    ...(card?.type === 'hold' && card.hold.call !== null ? { select: () => batch.toggle(card.key) } : {}),
    ...(batch.chosen.size > 0 ? { 'desk.approve_chosen': batch.open } : {}),
  });
}

const Loading = (): ReactNode => (
  <div className={styles.loading}>
    <Skeleton rows={6} height={24} label="Loading the desk" />
  </div>
);

/** The number of episodes going on alone. */
const goingCount = (rows: Iterable<EpisodeRow>): number =>
  [...rows].filter(({ status, broke_off: brokeOff }) => status !== 'ended' && brokeOff === undefined).length;

type NothingProps = Pick<FrontProps, 'hasUnsent' | 'brokenOff' | 'lost'> & {
  hasPassed: boolean;
  onStart: () => void;
};

function NothingWaits({ hasUnsent, hasPassed, brokenOff, lost, onStart }: NothingProps): ReactNode {
  const isExpert = useRole() === 'expert';
  const isFirstStart = useIsFirstStart();
  const running = useFromRows(goingCount);
  if (isFirstStart === null || lost === undefined) return null;
  if (isFirstStart) return <Begin level="h1" />;
  return (
    <EmptyState
      isPage
      icon={<Inbox />}
      title={brokenOff.length === 0 && lost === null ? 'You’re all caught up' : 'No questions waiting'}
      action={
        isExpert ? null : (
          <Button
            tone={running === 0 && brokenOff.length === 0 ? 'primary' : 'plain'}
            chord="episode.start"
            onClick={onStart}
          >
            Start an episode
          </Button>
        )
      }
    >
      {brokenOff.length === 0 ? null : (
        <p>{`${brokenOffTitle(brokenOff)}: say in the list what becomes of ${brokenOff.length === 1 ? 'it' : 'them'}.`}</p>
      )}
      {lost === null ? null : <Lost lost={lost} />}
      <p>
        {running === 0
          ? 'When an agent asks for an expert, its question appears here with a draft to accept or edit.'
          : `${runningLabel(running)}. Questions appear here as soon as one asks.`}
      </p>
      {running === 0 ? null : (
        <p>
          <a href="#/episodes">Watch running episodes</a>
        </p>
      )}
      {hasPassed ? <p>Questions you passed on stay listed until another expert answers.</p> : null}
      {hasUnsent ? <p>Unsent text is listed on the left.</p> : null}
    </EmptyState>
  );
}

/** Losses by closing Interject, until the person has read them. */
function Lost({ lost }: { lost: Losses }): ReactNode {
  const { store } = useSession();
  return (
    <>
      <p>{`${lostTitle(lost)}. ${lost.episodes === 0 ? 'Agents that still need an answer have to ask again.' : 'Run again what you still need.'}`}</p>
      <p>
        <Button size="small" onClick={() => changeUi(store, () => ({ lostSeenAt: lost.at }))}>
          Dismiss
        </Button>
      </p>
    </>
  );
}

/** No row is asked for, only how many there are: a row may tell a verdict, which would mark later advice. */
const NO_ROW = { query: '', status: null, condition: null, offset: 1_000_000_000, limit: 1 } as const;

/** Null until main has said so. */
function useIsFirstStart(): boolean | null {
  const isOwner = useRole() === 'owner';
  const hasRows = useConsole(({ record }) => record.rows.size > 0);
  const revision = useConsole(({ record }) => record.rowsRevision);
  const mayBe = isOwner && !hasRows;
  const { value, failure } = useAsk('episodes.page', mayBe ? NO_ROW : null, { revision });
  if (!mayBe || failure !== null) return false;
  return value === null ? null : value.total === 0;
}

const NONE: readonly MissedAsk[] = [];
const HOUR_MS = 60 * 60 * 1000;
const LIMIT = 50;
/** An ask never put before a person does not leave the desk: it is looked for this often. */
const MISSED_POLL_MS = 10_000;

type Missed = {
  missed: readonly MissedAsk[];
  /** What was lost that this person has not read of; undefined while that is not known. */
  lost: Losses | null | undefined;
  again: () => void;
};

/**
 * Reading which asks were missed in the last hour and what closing Interject took, again whenever something leaves
 * the desk.
 */
function useMissed(): Missed {
  const { items } = useDesk();
  const lostSince = useConsole(({ ui }) => ui.lostSeenAt);
  const { value, failure, again } = useAsk(
    'desk.missed',
    { within_ms: HOUR_MS, limit: LIMIT, lost_since: lostSince },
    { everyMs: MISSED_POLL_MS },
  );
  const waiting = items.map(({ consultation }) => consultation).join(' ');
  useEffect(again, [again, waiting]);
  const lost = value?.lost ?? (failure === null ? undefined : null);
  return { missed: value?.missed ?? NONE, lost: lost?.at === 0 ? null : lost, again };
}

/** Unsent texts whose question is gone; those of the card in front stand there. */
function useUnsent(card: DeskEntry | null, late: string | null): Unsent[] {
  const { kept } = useSession();
  const { items } = useDesk();
  const front = card?.type === 'question' ? card.item.consultation : null;
  // A key pressed in the card in front does not draw the list again.
  const elsewhere = useConsole(
    useShallow(({ ui }) =>
      Object.fromEntries(Object.entries(ui.unsentTexts).filter(([id]) => id !== front && id !== late)),
    ),
  );
  useEffect(() => {
    forgetOldTimes(kept, Date.now());
    return whenIdle(() => void LaterAdviceEditor.preload());
  }, [kept]);
  return useMemo(
    () => unsentOf(elsewhere, new Set(items.map(({ consultation }) => consultation))),
    [elsewhere, items],
  );
}

/** Moves an unsent text to the question in front, as long as nothing is written there yet. */
function useForFront(card: DeskEntry | null): ((unsent: Unsent) => void) | null {
  const { store } = useSession();
  const front = card?.type === 'question' ? card.item.consultation : null;
  const hasUnsentText = useConsole(({ ui }) => front !== null && Object.hasOwn(ui.unsentTexts, front));
  const use = useCallback(
    ({ id, text }: Unsent): void => {
      if (front !== null) setUnsentText(store, front, text);
      setUnsentText(store, id, null);
    },
    [store, front],
  );
  return front === null || hasUnsentText ? null : use;
}
