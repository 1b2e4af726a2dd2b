// What a queue holds, item by item: who has it, how long it took, where reviewers differ; choosing items
// to assign them.
import { ListChecks, UserPlus, X } from 'lucide-react';
import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import type { ItemRow, ProjectRow, QueueRow } from '../../../shared/contract/annotate.ts';
import type { Inputs } from '../../../shared/contract/contract.ts';
import type { FailureShape } from '../../../shared/failure.ts';
import { useChooseAll } from '../../parts/list/useChooseAll.tsx';
import { useSelection } from '../../parts/list/useSelection.ts';
import { useVirtualListKeys } from '../../parts/list/useListKeys.ts';
import { formatCount } from '../../parts/text/size.ts';
import { useKeys, useSession } from '../../state/hooks.ts';
import { useAnswer } from '../../state/queries.ts';
import { reviewRoute, formatRoute, navigate } from '../../state/route.ts';
import { usePeople } from '../../state/usePeople.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Select } from '../../ui/Field.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { VirtualList, type VirtualListHandle } from '../../ui/VirtualList.tsx';
import { AssignDialog } from './QueueDialogs.tsx';
import { ItemLine } from './ItemLine.tsx';
import { ReviewersTable } from './QueueCard.tsx';
import * as styles from './QueueItems.module.css';

type Show = Inputs['queue.items']['show'];
type Items = {
  /** Null until the first answer. */
  total: number | null;
  rowAt: (index: number) => ItemRow | undefined;
  failure: FailureShape | null;
  again: () => void;
  /** Says which places are in view. */
  onRange: (first: number, last: number) => void;
};

const ITEMS_PER_PAGE = 100;
/** As many as one answer holds. */
const MOST = 500;

function useItems(at: { project: string; queue: string }, show: Show): Items {
  const { call } = useSession();
  const [view, setView] = useState({ from: 0, to: 0 });
  const offset = view.from * ITEMS_PER_PAGE;
  const limit = Math.min(MOST, (view.to - view.from + 1) * ITEMS_PER_PAGE);
  const { value, failure, again } = useAnswer([at, show, offset, limit], async () => ({
    offset,
    show,
    ...(await call('queue.items', { ...at, show, offset, limit })),
  }));
  // What was found under another choice has other places.
  const known = value?.show === show ? value : null;
  return {
    total: known?.total ?? null,
    rowAt: (index) => known?.items[index - known.offset],
    failure,
    again,
    onRange: useCallback((first, last) => {
      const [from, to] = [
        Math.floor(first / ITEMS_PER_PAGE),
        Math.floor(Math.max(first, last) / ITEMS_PER_PAGE),
      ];
      setView((old) => (old.from === from && old.to === to ? old : { from, to }));
    }, []),
  };
}

/** The ids of all items shown, page by page, up to `most`. */
async function readItemIds(
  call: ReturnType<typeof useSession>['call'],
  at: { project: string; queue: string },
  show: Show,
  most: number,
): Promise<string[]> {
  const ids: string[] = [];
  for (let total = 1; ids.length < Math.min(total, most);) {
    const page = await call('queue.items', { ...at, show, offset: ids.length, limit: MOST });
    if (page.items.length === 0) break;
    ids.push(...page.items.map(({ item }) => item));
    total = page.total;
  }
  return ids.slice(0, most);
}

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
        <a href={formatRoute(reviewRoute(project.project))}>{project.name}</a>
        <h1>{queue.name}</h1>
        <Select className={styles.show} aria-label="Show" value={show} options={SHOWS} onChoose={setShow} />
        <span className={styles.quiet} role="status">
          {items.total === null
            ? ''
            : formatCount(items.total, queue.subject === 'pair' ? 'pair' : 'episode')}
        </span>
        <span className="grows" />
      </header>
      <div className={styles.facts}>
        {queue.progress.reviewers.length === 0 ? null : <ReviewersTable queue={queue} />}
      </div>
      {items.failure !== null ? (
        <div className={styles.instead}>
          <ErrorNote title="Could not read the items" failure={items.failure} again={items.again} />
        </div>
      ) : items.total === null ? (
        <Skeleton rows={10} height={20} label="Reading the items" />
      ) : items.total === 0 ? (
        <p className={styles.instead}>
          {show === 'conflicts' ? 'No undecided disagreements.' : 'No items in this state.'}
        </p>
      ) : (
        <ItemTable {...{ project, queue, onChanged, items, show }} total={items.total} />
      )}
    </section>
  );
}

type ListProps = Props & { items: Items; show: Show };

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
    if (row !== undefined) navigate(reviewRoute(at.project, at.queue, row.item));
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
  useKeys({
    'list.assign': () => setIsAssigning(true),
    back: onClear,
  });
  return (
    <div className={styles.chosen} role="toolbar" aria-label="Selected items">
      <span role="status">{`${ids.size.toLocaleString()} selected`}</span>
      <Button size="small" icon={<UserPlus />} chord="list.assign" onClick={() => setIsAssigning(true)}>
        Assign…
      </Button>
      <Button size="small" tone="quiet" icon={<X />} chord="back" onClick={onClear}>
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
