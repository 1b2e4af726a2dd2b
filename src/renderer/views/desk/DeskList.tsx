// Owns: the list of everything that waits, in the order the person chose, with what they passed on at the end.
import { ArrowDownWideNarrow, Clock } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Waiting } from '../../parts/desk/waiting.ts';
import { setPrefs } from '../../state/deskPrefs.ts';
import { useConsole, useSession } from '../../state/hooks.ts';
import { Button } from '../../ui/Button.tsx';
import { VirtualList } from '../../ui/VirtualList.tsx';
import styles from './DeskList.module.css';
import { WaitingLine } from './WaitingLine.tsx';

const ROW_HEIGHT = 78;

export type DeskListProps = {
  list: readonly Waiting[];
  /** Cards in all; main lists the oldest. */
  total: number;
  current: string | null;
  onChoose: (key: string) => void;
  /** Held calls chosen for one approval. */
  chosen: ReadonlySet<string>;
  onToggle: (key: string) => void;
  onApprove: () => void;
  /** Missed asks and unsent words, below. */
  children: ReactNode;
};

export function DeskList(props: DeskListProps): ReactNode {
  const { list, total, current, onChoose, chosen, onToggle, onApprove, children } = props;
  const active = list.findIndex((one) => one.key === current);
  return (
    <section className={styles['list']} aria-label="Waiting questions">
      <header className={styles['head']}>
        <h1>
          Waiting <span className={styles['count']}>{total}</span>
        </h1>
        <Order />
      </header>
      {chosen.size === 0 ? null : (
        <p className={styles['batch']}>
          <Button size="small" tone="primary" chord="desk.approve_chosen" onClick={onApprove}>
            {`Approve ${String(chosen.size)} held ${chosen.size === 1 ? 'call' : 'calls'}`}
          </Button>
        </p>
      )}
      {list.length === 0 ? (
        <p className={styles['none']}>Nothing waits.</p>
      ) : (
        <VirtualList
          label="Waiting questions"
          className={styles['rows']}
          count={list.length}
          rowHeight={ROW_HEIGHT}
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
          className={styles['none']}
        >{`${String(list.length)} cards of ${String(total)} waiting are listed: alike ones are one card.`}</p>
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
          ? 'Ordered by age, oldest first. Press for the most urgent first.'
          : 'Ordered by urgency: waiting time, errors in a row, repeated calls, turns left, a near deadline. Press for the oldest first.'
      }
      onClick={() => setPrefs(store, { order: isByAge ? 'triage' : 'age' })}
    >
      {isByAge ? 'Oldest first' : 'Most urgent first'}
    </Button>
  );
}
