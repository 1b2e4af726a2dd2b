// The list of everything that waits, in the order the person chose, with what they passed on at the end.
import { ArrowDownWideNarrow, Clock } from 'lucide-react';
import type { ReactNode } from 'react';
import type { DeskEntry } from '../../parts/desk/deskQueue.ts';
import { setPrefs } from '../../state/deskPrefs.ts';
import { useConsole, useSession } from '../../state/hooks.ts';
import { Button } from '../../ui/Button.tsx';
import { VirtualList } from '../../ui/VirtualList.tsx';
import * as styles from './DeskList.module.css';
import { WaitingLine } from './WaitingLine.tsx';

/** Of a row whose title takes both its lines; a shorter one is as high as its text. */
const DESK_ROW_HEIGHT = 98;

type DeskListProps = {
  list: readonly DeskEntry[];
  /** Cards in all; main lists the oldest. */
  total: number;
  current: string | null;
  onChoose: (key: string) => void;
  /** Held calls chosen for one approval. */
  chosen: ReadonlySet<string>;
  onToggle: (key: string) => void;
  onApprove: () => void;
  /** What the last approval of several calls came to; null before one. */
  approved: string | null;
  /** Missed asks and unsent texts, below. */
  children: ReactNode;
};

export function DeskList(props: DeskListProps): ReactNode {
  const { list, total, current, onChoose, chosen, onToggle, onApprove, approved, children } = props;
  const active = list.findIndex((one) => one.key === current);
  return (
    <section className={styles.list} aria-label="Waiting questions">
      <header className={styles.head}>
        <h1>
          Waiting <span className="quiet regular">{total}</span>
        </h1>
        <Order />
      </header>
      {chosen.size === 0 ? (
        approved === null ? null : (
          <p className={styles.batch} role="status">
            {approved}
          </p>
        )
      ) : (
        <p className={styles.batch}>
          <Button size="small" tone="primary" chord="desk.approve_chosen" onClick={onApprove}>
            {`Approve ${String(chosen.size)} held ${chosen.size === 1 ? 'call' : 'calls'}`}
          </Button>
        </p>
      )}
      {list.length === 0 ? (
        <p className={styles.none}>Nothing waiting.</p>
      ) : (
        <VirtualList
          label="Waiting questions"
          className={styles.rows}
          count={list.length}
          rowHeight={DESK_ROW_HEIGHT}
          isMeasured
          rowKey={(index) => list[index]?.key ?? index}
          renderRow={(index) => (
            <WaitingLine
              one={list[index]}
              isActive={index === active}
              isChosen={chosen.has(list[index]?.key ?? '')}
              onToggle={onToggle}
            />
          )}
          activeIndex={active}
          onActivate={(index) => onChoose(list[index]?.key ?? '')}
        />
      )}
      {total > list.length ? (
        <p
          className={styles.none}
        >{`${String(list.length)} cards for ${String(total)} waiting: similar questions share a card.`}</p>
      ) : null}
      {children}
    </section>
  );
}

function Order(): ReactNode {
  const { store } = useSession();
  const order = useConsole(({ ui }) => ui.prefs.order);
  const isByAge = order === 'age';
  return (
    <Button
      size="small"
      tone="quiet"
      icon={isByAge ? <Clock /> : <ArrowDownWideNarrow />}
      title={
        isByAge
          ? 'Sorted by age, oldest first. Press to sort by urgency.'
          : 'Sorted by urgency: waiting time, consecutive errors, repeated calls, turns left, near deadline. Press to sort by age.'
      }
      onClick={() => setPrefs(store, { order: isByAge ? 'triage' : 'age' })}
    >
      {isByAge ? 'Oldest first' : 'Most urgent first'}
    </Button>
  );
}
