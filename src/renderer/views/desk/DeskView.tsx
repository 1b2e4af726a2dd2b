// Owns: the desk: everything that waits on a person, and the one question in front of them.
import { Inbox } from 'lucide-react';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { loadEditor } from '../../parts/advice/AdviceCard.tsx';
import { unsentOf } from '../../parts/advice/unsent.ts';
import { forgetOldTimes } from '../../parts/advice/useHumanTime.ts';
import { useWidth } from '../../parts/episode/useWidth.ts';
import { useConsole, useDesk, useKeys, usePane, useSession } from '../../state/hooks.ts';
import { changeUi } from '../../state/store.ts';
import { setWords } from '../../state/words.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { SplitPane } from '../../ui/SplitPane.tsx';
import { DeskCard } from './DeskCard.tsx';
import { DeskList } from './DeskList.tsx';
import styles from './DeskView.module.css';
import { useDeskSelection } from './useDeskSelection.ts';

/** Narrower than this, the list and the card take turns. */
const NARROW_PX = 760;

export function DeskView(): ReactNode {
  const { store, kept } = useSession();
  const { items: all, total: inAll, isLoaded } = useDesk();
  const { items, item, choose, leave } = useDeskSelection(all);
  const total = inAll - (all.length - items.length);
  const desk = useRef<HTMLDivElement>(null);
  const isNarrow = useWidth(desk) < NARROW_PX;
  const [pane, setPane] = usePane('desk', 280);
  const [isListing, setIsListing] = useState(false);
  const words = useConsole(({ ui }) => ui.words);
  const unsent = useMemo(
    () => unsentOf(words, new Set(items.map(({ consultation }) => consultation))),
    [words, items],
  );
  useEffect(() => {
    void loadEditor();
    forgetOldTimes(kept, Date.now());
  }, [kept]);
  const current = items.findIndex((one) => one.consultation === item?.consultation);
  const goTo = (index: number): void => {
    const next = items[Math.max(0, Math.min(items.length - 1, index))];
    if (next !== undefined) choose(next.consultation);
  };
  useKeys('list', {
    'list.down': () => goTo(current + 1),
    'list.up': () => goTo(current - 1),
    'list.first': () => goTo(0),
    'list.last': () => goTo(items.length - 1),
  });
  useKeys('desk', {
    'pane.list': () =>
      isNarrow ? setIsListing(!isListing) : setPane({ ...pane, isCollapsed: !pane.isCollapsed }),
  });

  if (!isLoaded) return <Loading deskRef={desk} />;
  const list = (
    <DeskList
      items={items}
      total={total}
      current={item?.consultation ?? null}
      onChoose={(consultation) => {
        choose(consultation);
        setIsListing(false);
      }}
      unsent={unsent.filter(({ id }) => id !== item?.consultation)}
      onDiscard={(id) => setWords(store, id, null)}
    />
  );
  const card =
    item === null ? (
      <NothingWaits
        hasUnsent={unsent.length > 0}
        onStart={() => changeUi(store, () => ({ overlay: 'start' }))}
      />
    ) : (
      <DeskCard
        key={item.consultation}
        item={item}
        others={items.filter(({ consultation }) => consultation !== item.consultation).length}
        onLeave={(isDecided) => leave(item.consultation, isDecided)}
      />
    );
  const hasList = items.length > 0 || unsent.length > 0;
  return (
    <div className={styles['desk']} ref={desk}>
      {!hasList ? (
        card
      ) : isNarrow ? (
        <>
          <div className={styles['switch']}>
            <Button size="small" chord="[" onClick={() => setIsListing(!isListing)}>
              {isListing ? 'Back to the question' : `All waiting: ${String(total)}`}
            </Button>
          </div>
          {isListing ? list : card}
        </>
      ) : (
        <SplitPane
          label="Waiting questions"
          side="start"
          pane={pane}
          onPane={setPane}
          min={220}
          max={480}
          content={list}
        >
          {card}
        </SplitPane>
      )}
    </div>
  );
}

function Loading({ deskRef }: { deskRef: React.Ref<HTMLDivElement> }): ReactNode {
  return (
    <div className={styles['loading']} ref={deskRef}>
      <Skeleton rows={6} height={24} label="Loading the desk" />
    </div>
  );
}

function NothingWaits({ hasUnsent, onStart }: { hasUnsent: boolean; onStart: () => void }): ReactNode {
  const running = useConsole(
    ({ record }) => [...record.rows.values()].filter(({ status }) => status !== 'ended').length,
  );
  return (
    <EmptyState
      icon={<Inbox />}
      title="Nothing waits for you"
      action={
        <Button tone={running === 0 ? 'primary' : 'plain'} chord="s" onClick={onStart}>
          Start an episode
        </Button>
      }
    >
      <p>
        {running === 0
          ? 'When an agent asks for an expert, its question comes here, with a draft to accept or change.'
          : `${String(running)} ${running === 1 ? 'episode runs' : 'episodes run'} on their own. A question comes here as soon as one asks.`}
      </p>
      {running === 0 ? null : (
        <p>
          <a href="#/live">Watch what runs</a>
        </p>
      )}
      {hasUnsent ? <p>Words you did not send are listed on the left.</p> : null}
    </EmptyState>
  );
}
