// The items of a queue: who has each, how long it took, where reviewers disagree; choosing items to assign.
import { CircleCheck, Gavel, UserPlus, X } from 'lucide-react';
import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import type { ItemRow, ProjectRow, QueueRow } from '../../../shared/contract/review.ts';
import type { Inputs } from '../../../shared/contract/contract.ts';
import { taskName } from '../../parts/episode/episodeRowText.ts';
import { TaskWords } from '../../parts/episode/TaskTitle.tsx';
import { useChooseAll } from '../../parts/list/useChooseAll.tsx';
import { useVirtualListKeys } from '../../parts/list/useListKeys.ts';
import { useSelection } from '../../parts/list/useSelection.ts';
import { formatCount } from '../../parts/text/size.ts';
import { useKeys, useSession } from '../../state/hooks.ts';
import { useAnswer } from '../../state/queries.ts';
import { useRole } from '../../state/role.ts';
import { formatRoute, navigate, reviewRoute } from '../../state/route.ts';
import { personName, usePeople, type Person } from '../../state/usePeople.ts';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Select } from '../../ui/Field.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { formatDuration } from '../../ui/time.ts';
import { VirtualList, type VirtualListHandle } from '../../ui/VirtualList.tsx';
import { AssignDialog } from './QueueDialogs.tsx';
import * as styles from './Review.module.css';

type Show = Inputs['queue.items']['show'];

const SHOWS: readonly { value: Show; label: string }[] = [
  { value: 'all', label: 'All items' },
  { value: 'open', label: 'Not complete' },
  { value: 'complete', label: 'Complete' },
  { value: 'conflicts', label: 'Disagreements' },
];

type ReviewListProps = {
  projects: readonly ProjectRow[];
  project: ProjectRow;
  queue: QueueRow | undefined;
  /** The one that is open. */
  item: string | null;
  hasKeys: boolean;
  onHasFocus: (hasFocus: boolean) => void;
  onChanged: () => void;
};

export function ReviewList(props: ReviewListProps): ReactNode {
  const { projects, project, queue, hasKeys, onHasFocus } = props;
  const [show, setShow] = useState<Show>('all');
  const isOwner = useRole() === 'owner';
  const entries = projects.flatMap((one) => [
    ...one.queues.map((held) => ({
      value: `${one.project}/${held.queue}`,
      label: `${one.name} · ${held.name}${held.free === 0 ? '' : ` (${String(held.free)} to review)`}`,
    })),
    ...(one.queues.length === 0 ? [{ value: `${one.project}/`, label: `${one.name} · no queue yet` }] : []),
  ]);
  return (
    <nav
      className={styles.list}
      aria-label="What to review"
      onFocus={() => onHasFocus(true)}
      onBlur={({ currentTarget, relatedTarget }) => onHasFocus(currentTarget.contains(relatedTarget))}
    >
      <header className={styles.listHead}>
        <Select
          aria-label="Queue"
          value={`${project.project}/${queue?.queue ?? ''}`}
          options={entries}
          onChoose={(value) => {
            const [chosen = '', held = ''] = value.split('/');
            navigate(reviewRoute(chosen, held === '' ? null : held));
          }}
        />
        {queue === undefined ? null : (
          <Select
            aria-label="Show"
            value={show}
            options={isOwner ? SHOWS : SHOWS.filter(({ value }) => value !== 'conflicts')}
            onChoose={setShow}
          />
        )}
      </header>
      {queue === undefined ? null : <Items {...props} {...{ queue, show, isOwner, hasKeys }} />}
    </nav>
  );
}

type ItemsProps = ReviewListProps & { queue: QueueRow; show: Show; isOwner: boolean };

const ITEM_ROW_HEIGHT = 52;
/** As many as one act may be about. */
const ITEMS_CHOSEN_MAX = 10_000;
const ITEM_ACTS = ['list.assign'] as const;

function Items({ project, queue, item, show, isOwner, hasKeys, onChanged }: ItemsProps): ReactNode {
  const at = { project: project.project, queue: queue.queue };
  const { total, rowAt, failure, again, onRange, readIds } = useItems(at, show);
  const people = usePeople();
  const list = useRef<VirtualListHandle>(null);
  const [active, setActive] = useState(-1);
  const chosen = useSelection((index) => rowAt(index)?.item);
  // News of the project comes with its row.
  useEffect(() => again(), [again, queue]);
  const { chooseAll, choosing } = useChooseAll({
    read: () => readIds(ITEMS_CHOSEN_MAX),
    total: total ?? 0,
    setAll: chosen.setAll,
    acts: ITEM_ACTS,
    className: styles.chosen,
  });
  const go = (index: number): number => {
    const next = Math.max(0, Math.min((total ?? 0) - 1, index));
    setActive(next);
    return next;
  };
  const open = (index: number): void => {
    const row = rowAt(index);
    if (row !== undefined) navigate(itemRoute(at, row));
  };
  const press = useVirtualListKeys({
    list,
    active,
    go,
    open,
    chosen,
    chooseAll,
    total: total ?? 0,
    isQuiet: !hasKeys,
  });
  if (failure !== null) return <ErrorNote title="Could not read the items" failure={failure} again={again} />;
  if (total === null) return <Skeleton rows={8} height={40} label="Reading the items" />;
  if (total === 0)
    return (
      <p className={styles.none}>
        {show === 'conflicts' ? 'No undecided disagreements.' : 'No items in this state.'}
      </p>
    );
  return (
    <>
      {choosing !== null ? (
        choosing
      ) : isOwner && chosen.ids.size > 0 ? (
        <ChosenItems {...{ project, queue, onChanged }} ids={chosen.ids} onClear={chosen.clear} />
      ) : (
        <p className={styles.chosen}>
          <span role="status" className="grows">
            {formatCount(total, queue.subject === 'pair' ? 'pair' : 'episode')}
          </span>
          {isOwner ? (
            <Button size="small" tone="quiet" chord="list.select_all" onClick={chooseAll}>
              Select all
            </Button>
          ) : null}
        </p>
      )}
      <VirtualList
        ref={list}
        label="Items"
        role="grid"
        count={total}
        rowHeight={ITEM_ROW_HEIGHT}
        rowKey={(index) => rowAt(index)?.item ?? index}
        renderRow={(index) => {
          const row = rowAt(index);
          if (row === undefined) return <div className={styles.line} role="gridcell" aria-busy="true" />;
          const isChosen = chosen.ids.has(row.item);
          return (
            <div
              className={cx(
                styles.line,
                index === active && styles.isActive,
                (isChosen || row.item === item) && styles.isHere,
              )}
            >
              {isOwner ? (
                <span role="gridcell">
                  <input
                    type="checkbox"
                    tabIndex={-1}
                    aria-label={`Select ${itemName(row)}`}
                    checked={isChosen}
                    onChange={() => chosen.toggle(index)}
                    onClick={(event) => event.stopPropagation()}
                  />
                </span>
              ) : null}
              <ItemCell row={row} people={people} href={formatRoute(itemRoute(at, row))} />
            </div>
          );
        }}
        activeIndex={active}
        isChosen={(index) => chosen.ids.has(rowAt(index)?.item ?? '')}
        onActivate={press}
        onOpen={open}
        onRange={onRange}
      />
    </>
  );
}

/** An item with a conflict opens for the final decision. */
const itemRoute = (at: { project: string; queue: string }, { item, conflicts }: ItemRow) =>
  reviewRoute(at.project, at.queue, item, conflicts.open > 0);

type ItemCellProps = { row: ItemRow; people: readonly Person[]; href: string };

function ItemCell({ row, people, href }: ItemCellProps): ReactNode {
  const { conflicts } = row;
  const labels = reviewLabels(row, people).map(({ name, label }) => `${name} ${label}`);
  return (
    <span role="gridcell" className="grows shrinks">
      <a className={styles.item} tabIndex={-1} href={href}>
        <TaskWords text={row.episodes[0]?.task ?? itemName(row)} />
        <span className={styles.state}>
          <span className="one-line grows" title={labels.join(', ')}>
            {labels.length === 0 ? 'no one yet' : labels.join(' · ')}
          </span>
          {conflicts.open > 0 ? (
            <strong className={styles.disagree}>
              <Gavel aria-hidden="true" /> {formatCount(conflicts.open, 'disagreement')}
            </strong>
          ) : row.is_complete ? (
            <span className="good row-1">
              <CircleCheck aria-hidden="true" /> complete
            </span>
          ) : null}
        </span>
      </a>
    </span>
  );
}

/** The name of what is reviewed. */
function itemName({ subject, episodes }: ItemRow): string {
  const names = episodes.map((row) => (row === null ? 'a missing episode' : taskName(row)));
  if (subject.type === 'episode') return names[0] ?? '';
  return names[0] === names[1] ? `${names[0] ?? ''}, two of it` : names.join(' and ');
}

const ITEM_STATE_LABELS: Readonly<Record<ItemRow['mine'], string>> = {
  open: 'not begun',
  leased: 'reviewing now',
  skipped: 'skipped',
  postponed: 'later',
  done: 'done',
};

/** Each reviewer it is for or who did something about it, and the time it took them. */
export function reviewLabels(
  { reviewers, seats }: ItemRow,
  people: readonly Person[],
): { name: string; label: string; isDone: boolean }[] {
  return [...new Set([...reviewers, ...seats.map(({ seat }) => seat)])].map((seat) => {
    const { state = 'open', active_ms: time = null } = seats.find((one) => one.seat === seat) ?? {};
    return {
      name: personName(people, seat),
      label: `${ITEM_STATE_LABELS[state]}${time === null ? '' : `, ${formatDuration(time)}`}`,
      isDone: state === 'done',
    };
  });
}

const ITEMS_PER_PAGE = 100;
/** As many as one answer holds. */
const MOST = 500;

/** The rows in view and around it. */
function useItems(at: { project: string; queue: string }, show: Show) {
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
    /** Null until the first answer. */
    total: known?.total ?? null,
    rowAt: (index: number): ItemRow | undefined => known?.items[index - known.offset],
    failure,
    again,
    onRange: useCallback((first: number, last: number) => {
      const [from, to] = [first, Math.max(first, last)].map((index) => Math.floor(index / ITEMS_PER_PAGE));
      if (from === undefined || to === undefined) return;
      setView((old) => (old.from === from && old.to === to ? old : { from, to }));
    }, []),
    /** The ids of all items shown, page by page, up to `most`. */
    readIds: async (most: number): Promise<string[]> => {
      const ids: string[] = [];
      for (let total = 1; ids.length < Math.min(total, most);) {
        const page = await call('queue.items', { ...at, show, offset: ids.length, limit: MOST });
        if (page.items.length === 0) break;
        ids.push(...page.items.map(({ item }) => item));
        total = page.total;
      }
      return ids.slice(0, most);
    },
  };
}

type ChosenProps = Pick<ItemsProps, 'project' | 'queue' | 'onChanged'> & {
  ids: ReadonlySet<string>;
  onClear: () => void;
};

function ChosenItems({ project, queue, onChanged, ids, onClear }: ChosenProps): ReactNode {
  const [isAssigning, setIsAssigning] = useState(false);
  useKeys({ 'list.assign': () => setIsAssigning(true), back: onClear });
  return (
    <div className={styles.chosen} role="toolbar" aria-label="Selected items">
      <span role="status" className="grows">{`${ids.size.toLocaleString()} selected`}</span>
      <Button size="small" icon={<UserPlus />} chord="list.assign" onClick={() => setIsAssigning(true)}>
        Assign…
      </Button>
      <Button size="small" tone="quiet" icon={<X />} chord="back" onClick={onClear}>
        Clear
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
