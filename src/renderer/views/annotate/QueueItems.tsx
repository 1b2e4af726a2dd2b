// What a queue holds, item by item: who has it, how long it took, where reviewers differ; choosing items
// to assign them.
import { ListChecks, UserPlus, X } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { ProjectRow, QueueRow } from '../../../shared/contract/annotate.ts';
import { useChooseAll } from '../../parts/list/useChooseAll.tsx';
import { useSelection } from '../../parts/list/useSelection.ts';
import { useVirtualListKeys } from '../../parts/list/useListKeys.ts';
import { formatCount } from '../../parts/text/size.ts';
import { useKeys, useSession } from '../../state/hooks.ts';
import { annotateRoute, formatRoute, navigate } from '../../state/route.ts';
import { usePeople } from '../../state/usePeople.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Select } from '../../ui/Field.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { VirtualList, type VirtualListHandle } from '../../ui/VirtualList.tsx';
import { AssignDialog } from './AssignDialog.tsx';
import { ItemLine } from './ItemLine.tsx';
import { ReviewersTable } from './ReviewersTable.tsx';
import * as styles from './QueueItems.module.css';
import { readItemIds, useItems, type Items, type Show } from './useItems.ts';

const ITEM_ROW_HEIGHT = 36;
/** As many as one act may be about. */
const ITEMS_CHOSEN_MAX = 10_000;

const SHOWS: readonly { value: Show; label: string }[] = [
  { value: 'all', label: 'All items' },
  { value: 'open', label: 'Not complete' },
  { value: 'complete', label: 'Complete' },
  { value: 'conflicts', label: 'Reviewers differ' },
];

type Props = { project: ProjectRow; queue: QueueRow; onChanged: () => void };

export function QueueItems({ project, queue, onChanged }: Props): ReactNode {
  const at = { project: project.project, queue: queue.queue };
  const [show, setShow] = useState<Show>('all');
  const items = useItems(at, show);
  const { again } = items;
  // News of the project comes with its row.
  useEffect(() => again(), [again, queue]);
  return (
    <section className={styles.view} aria-label={`Items of ${queue.name}`}>
      <header className={styles.head}>
        <a href={formatRoute(annotateRoute(project.project))}>{project.name}</a>
        <h1>{queue.name}</h1>
        <Select className={styles.show} aria-label="Show" value={show} options={SHOWS} onChoose={setShow} />
        <span className={styles.quiet} role="status">
          {items.total === null
            ? ''
            : formatCount(items.total, queue.subject === 'pair' ? 'pair' : 'episode')}
        </span>
        <span className={styles.gap} />
      </header>
      <div className={styles.facts}>
        {queue.progress.reviewers.length === 0 ? null : <ReviewersTable queue={queue} />}
      </div>
      <ItemsList {...{ project, queue, onChanged, items, show }} />
    </section>
  );
}

type ListProps = Props & { items: Items; show: Show };

/** The list, or what stands in its place. */
function ItemsList(props: ListProps): ReactNode {
  const { items, show } = props;
  if (items.failure !== null) {
    return (
      <div className={styles.instead}>
        <ErrorNote title="Could not read the items" failure={items.failure} again={items.again} />
      </div>
    );
  }
  if (items.total === null) return <Skeleton rows={10} height={20} label="Reading the items" />;
  if (items.total === 0) {
    return (
      <p className={styles.instead}>
        {show === 'conflicts' ? 'No undecided disagreements.' : 'No items in this state.'}
      </p>
    );
  }
  return <ItemTable {...props} total={items.total} />;
}

function ItemTable({
  project,
  queue,
  onChanged,
  items,
  show,
  total,
}: ListProps & { total: number }): ReactNode {
  const at = { project: project.project, queue: queue.queue };
  const people = usePeople();
  const list = useRef<VirtualListHandle>(null);
  const [active, setActive] = useState(-1);
  const chosen = useSelection((index) => items.rowAt(index)?.item);
  const { call } = useSession();
  const { chooseAll, choosing } = useChooseAll({
    read: () => readItemIds(call, at, show, ITEMS_CHOSEN_MAX),
    total,
    setAll: chosen.setAll,
    acts: ITEM_ACTS,
    className: styles.chosen,
  });
  const go = (index: number): number => {
    const next = Math.max(0, Math.min(total - 1, index));
    setActive(next);
    return next;
  };
  const open = (index: number): void => {
    const row = items.rowAt(index);
    if (row !== undefined) navigate(annotateRoute(at.project, at.queue, row.item));
  };
  const press = useVirtualListKeys({ list, active, total, go, open, chosen, chooseAll });
  return (
    <>
      {choosing !== null ? (
        choosing
      ) : chosen.ids.size === 0 ? (
        <p className={styles.hint}>
          <ListChecks aria-hidden="true" /> Select items to assign them.
          <Button size="small" tone="quiet" chord="list.select_all" onClick={chooseAll}>
            Choose all
          </Button>
        </p>
      ) : (
        <ChosenItems {...{ project, queue, onChanged }} ids={chosen.ids} onClear={chosen.clear} />
      )}
      <VirtualList
        ref={list}
        label="Items"
        role="grid"
        count={total}
        rowHeight={ITEM_ROW_HEIGHT}
        rowKey={(index) => items.rowAt(index)?.item ?? index}
        renderRow={(index) => (
          <ItemLine
            row={items.rowAt(index)}
            people={people}
            at={at}
            isActive={index === active}
            isChosen={chosen.ids.has(items.rowAt(index)?.item ?? '')}
            onChoose={() => chosen.toggle(index)}
          />
        )}
        activeIndex={active}
        isChosen={(index) => chosen.ids.has(items.rowAt(index)?.item ?? '')}
        onActivate={press}
        onOpen={open}
        onRange={items.onRange}
      />
    </>
  );
}

const ITEM_ACTS = ['list.assign'] as const;

type ChosenProps = Pick<ListProps, 'project' | 'queue' | 'onChanged'> & {
  ids: ReadonlySet<string>;
  onClear: () => void;
};

function ChosenItems({ project, queue, onChanged, ids, onClear }: ChosenProps): ReactNode {
  const [isAssigning, setIsAssigning] = useState(false);
  useKeys('list', {
    'list.assign': () => setIsAssigning(true),
    'list.select_none': onClear,
  });
  return (
    <div className={styles.chosen} role="toolbar" aria-label="Selected items">
      <span role="status">{`${ids.size.toLocaleString()} selected`}</span>
      <Button size="small" icon={<UserPlus />} chord="list.assign" onClick={() => setIsAssigning(true)}>
        Assign…
      </Button>
      <Button size="small" tone="quiet" icon={<X />} chord="list.select_none" onClick={onClear}>
        Clear selection
      </Button>
      {isAssigning ? (
        <AssignDialog
          project={project.project}
          queue={queue}
          items={ids}
          onClose={() => setIsAssigning(false)}
          onAssigned={() => {
            onChanged();
            onClear();
          }}
        />
      ) : null}
    </div>
  );
}
