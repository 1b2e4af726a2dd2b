// Owns: the list of everything that waits, oldest first, and words that were never sent.
import { Lightbulb, LightbulbOff, LoaderCircle, PencilLine, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { DeskItem } from '../../../shared/contract/rows.ts';
import { textHead } from '../../../shared/events/text.ts';
import { DeadlineLine } from '../../parts/advice/DeadlineBar.tsx';
import type { Unsent } from '../../parts/advice/unsent.ts';
import { useConsole } from '../../state/hooks.ts';
import { IconButton } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { cx } from '../../ui/cx.ts';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { VirtualList } from '../../ui/VirtualList.tsx';
import styles from './DeskList.module.css';

const ROW_HEIGHT = 78;

export type DeskListProps = {
  items: readonly DeskItem[];
  total: number;
  current: string | null;
  onChoose: (consultation: string) => void;
  unsent: readonly Unsent[];
  onDiscard: (id: string) => void;
};

export function DeskList({ items, total, current, onChoose, unsent, onDiscard }: DeskListProps): ReactNode {
  const active = items.findIndex(({ consultation }) => consultation === current);
  return (
    <section className={styles['list']} aria-label="Waiting questions">
      <h1 className={styles['head']}>
        Waiting <span className={styles['count']}>{total}</span>
      </h1>
      {items.length === 0 ? (
        <p className={styles['none']}>Nothing waits.</p>
      ) : (
        <VirtualList
          label="Waiting questions"
          className={styles['rows']}
          count={items.length}
          rowHeight={ROW_HEIGHT}
          rowKey={(index) => items[index]?.consultation ?? index}
          renderRow={(index) => <Line item={items[index]} isActive={index === active} />}
          activeIndex={active}
          onActivate={(index) => onChoose(items[index]?.consultation ?? '')}
        />
      )}
      {total > items.length ? (
        <p
          className={styles['none']}
        >{`The oldest ${String(items.length)} of ${String(total)} are listed.`}</p>
      ) : null}
      {unsent.length === 0 ? null : <UnsentWords unsent={unsent} onDiscard={onDiscard} />}
    </section>
  );
}

function Line({ item, isActive }: { item: DeskItem | undefined; isActive: boolean }): ReactNode {
  const hasWords = useConsole(({ ui }) => item !== undefined && Object.hasOwn(ui.words, item.consultation));
  if (item === undefined) return null;
  const { question, asked_task: askedTask, scenario, task_idx: taskIdx, asked_at: askedAt } = item;
  return (
    <div className={cx(styles['line'], isActive && styles['isActive'])}>
      <div className={styles['top']}>
        <span className={styles['place']}>
          {scenario ?? item.episode}
          {taskIdx === null ? '' : ` #${String(taskIdx)}`}
        </span>
        <span className={styles['age']}>
          <RelativeTime at={askedAt} />
        </span>
      </div>
      <p className={styles['question']}>
        {question === null ? (askedTask ?? 'A question without words') : textHead(question)}
      </p>
      <div className={styles['top']}>
        <DraftState item={item} />
        {hasWords ? (
          <span className={styles['words']}>
            <PencilLine aria-hidden="true" /> unsent words
          </span>
        ) : null}
      </div>
      <DeadlineLine item={item} />
    </div>
  );
}

function DraftState({ item: { draft, draft_failure: failure, condition } }: { item: DeskItem }): ReactNode {
  if (draft !== null) {
    return (
      <span className={styles['draft']}>
        <Lightbulb aria-hidden="true" /> draft ready
      </span>
    );
  }
  if (condition !== 'human+draft') return <span className={styles['quiet']}>no draft in this condition</span>;
  return (
    <span className={styles['quiet']}>
      {failure === null ? <LoaderCircle aria-hidden="true" /> : <LightbulbOff aria-hidden="true" />}
      {failure === null ? 'drafting' : 'no draft'}
    </span>
  );
}

function UnsentWords({ unsent, onDiscard }: Pick<DeskListProps, 'unsent' | 'onDiscard'>): ReactNode {
  return (
    <section className={styles['unsent']} aria-label="Unsent words">
      <h2 className={styles['head']}>Unsent words</h2>
      <p className={styles['none']}>Their questions were closed before you sent them.</p>
      <ul>
        {unsent.map(({ id, text }) => (
          <li key={id} className={styles['kept']}>
            <span className={styles['keptText']} title={text}>
              {text}
            </span>
            <CopyButton label="Copy these words" text={text} />
            <IconButton label="Discard these words" icon={<Trash2 />} onClick={() => onDiscard(id)} />
          </li>
        ))}
      </ul>
    </section>
  );
}
