// The line over the episodes: what is looked for and where, and what narrows the list, each part to be taken away.
import { Bookmark, Columns3, Search, SlidersHorizontal } from 'lucide-react';
import { useCallback, useState, type ReactNode, type RefObject } from 'react';
import { z } from 'zod';
import { EpisodeFilter, EpisodeOrder } from '../../../shared/contract/library.ts';
import type { ProfileRow } from '../../../shared/contract/rewards.ts';
import { Status } from '../../../shared/episode/rowShapes.ts';
import { Condition } from '../../../shared/events/lifecycle.ts';
import { failureShape } from '../../../shared/failure.ts';
import type { EpisodeListFilter } from '../../parts/episode/episodeRowText.ts';
import { FilterDialog } from '../../parts/episode/FilterDialog.tsx';
import { useSession, useToast } from '../../state/hooks.ts';
import { navigate } from '../../state/route.ts';
import { changeUi, type ExportChoice } from '../../state/store.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field, Input, Select } from '../../ui/Field.tsx';
import { useChordText } from '../../ui/Kbd.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { useTypedText } from '../../ui/useTypedText.ts';
import { COLUMNS, scoreColumns, USUAL_COLUMNS } from './columns.tsx';
import { CHOSEN_MAX, readAllIds } from './EpisodeTable.tsx';
import * as styles from './EpisodesView.module.css';

/** The look of the list: episodes as rows or cards, rollouts by task, or where words stand anywhere. */
export const Look = z.enum(['rows', 'cards', 'groups', 'text']);
export type Look = z.infer<typeof Look>;

type FilterBarProps = {
  look: Look;
  onLook: (look: Look) => void;
  filter: EpisodeListFilter;
  onFilter: (filter: EpisodeListFilter) => void;
  search: RefObject<HTMLInputElement | null>;
  onLeave: () => void;
};

const FILTER_TYPING_MS = 150;

export function FilterBar({ look, onLook, filter, onFilter, search, onLeave }: FilterBarProps): ReactNode {
  const onQuery = useCallback(
    (query: string) => onFilter({ ...filter, query: query.slice(0, 200) }),
    [filter, onFilter],
  );
  const [query, setQuery] = useTypedText(filter.query, onQuery, FILTER_TYPING_MS);
  const [isOpen, setIsOpen] = useState(false);
  const findKey = useChordText('list.find');
  return (
    <>
      <div className={styles.search}>
        <Input
          ref={search}
          type="search"
          aria-label={LOOKS[look].find}
          placeholder={`${LOOKS[look].hint}${findKey === '' ? '' : `  (${findKey})`}`}
          icon={<Search />}
          value={query}
          onChange={({ target }) => setQuery(target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' || event.key === 'Escape' || event.key === 'ArrowDown') onLeave();
          }}
        />
      </div>
      <Segments label="Show" options={LOOK_OPTIONS} value={look} onChoose={onLook} />
      {look === 'groups' || look === 'text' ? null : (
        <>
          <StatusSelect filter={filter} onFilter={onFilter} />
          <Button icon={<SlidersHorizontal />} onClick={() => setIsOpen(true)}>
            Filter…
          </Button>
        </>
      )}
      {isOpen ? (
        <FilterDialog
          title="Filter the episodes"
          description="All conditions must match."
          condition={filter.condition ?? null}
          filter={filter.filter ?? {}}
          onCondition={(condition) => onFilter({ ...filter, condition })}
          onFilter={(next) => onFilter({ ...filter, filter: next })}
          onClear={() => onFilter({ ...ANY, order: filter.order })}
          onClose={() => setIsOpen(false)}
        />
      ) : null}
    </>
  );
}

const LOOKS = {
  rows: { label: 'Rows', find: 'Find episodes', hint: 'Search episodes' },
  cards: { label: 'Cards', find: 'Find episodes', hint: 'Search episodes' },
  groups: { label: 'By task', find: 'Find groups', hint: 'Search groups' },
  text: { label: 'All text', find: 'Search all text', hint: 'Search all text' },
} as const;
const LOOK_OPTIONS = Look.options.map((value) => ({ value, label: LOOKS[value].label }));

function StatusSelect({ filter, onFilter }: Pick<FilterBarProps, 'filter' | 'onFilter'>): ReactNode {
  return (
    <Select
      className={styles.select}
      aria-label="Status"
      value={filter.status ?? 'any'}
      options={[
        { value: 'any', label: 'Any status' },
        { value: 'waiting', label: 'Waiting' },
        { value: 'running', label: 'Running' },
        { value: 'starting', label: 'Starting' },
        { value: 'ended', label: 'Ended' },
      ]}
      onChoose={(status) => onFilter({ ...filter, status: status === 'any' ? null : status })}
    />
  );
}

type ViewChoice = { filter: EpisodeListFilter; columns: readonly string[] };
type ViewMenuProps = ViewChoice & { onView: (view: ViewChoice) => void };

const KEPT = 'episodes-views';

export function ViewMenu({ filter, columns, onView }: ViewMenuProps): ReactNode {
  const { kept } = useSession();
  const [views, setViews] = useState(() => kept.read(KEPT, z.array(SavedView), []));
  const [isNaming, setIsNaming] = useState(false);
  const makeData = useMakeData(filter);
  const keep = (next: SavedView[]): void => {
    setViews(next);
    kept.write(KEPT, next);
  };
  const save = (name: string): void => {
    const view = SavedView.parse({ name, filter, columns });
    keep([...views.filter((one) => one.name !== name), view].toSorted((a, b) => (a.name < b.name ? -1 : 1)));
    setIsNaming(false);
  };
  return (
    <>
      <Menu
        trigger={<Button icon={<Bookmark />}>Views</Button>}
        items={[
          ...views.map(({ name, ...view }) => ({ label: name, onChoose: () => onView(view) })),
          ...(views.length === 0 ? [] : ['line' as const]),
          { label: 'Export all matches', onChoose: makeData },
          { label: 'Save this view…', onChoose: () => setIsNaming(true) },
          ...views.map(({ name }) => ({
            label: `Remove “${name}”`,
            tone: 'danger' as const,
            onChoose: () => keep(views.filter((one) => one.name !== name)),
          })),
        ]}
      />
      {isNaming ? (
        <NameDialog taken={views.map(({ name }) => name)} onName={save} onClose={() => setIsNaming(false)} />
      ) : null}
    </>
  );
}

/** Words and states are no rule of an export: where they narrow the list, the episodes go by their ids. */
function useMakeData({ order: _order, ...filter }: EpisodeListFilter): () => void {
  const { call, store } = useSession();
  const toast = useToast();
  const isFilter = filter.query.trim() === '' && filter.status === null && filter.condition === null;
  const lead = (exportChoice: ExportChoice): void => {
    changeUi(store, () => ({ exportChoice }));
    navigate({ view: 'data' });
  };
  return () => {
    if (isFilter) return lead({ filter: filter.filter ?? {} });
    readAllIds(call, filter).then(
      (episodes) => {
        lead({ episodes });
        if (episodes.length < CHOSEN_MAX) return;
        toast({
          tone: 'plain',
          title: `Took the first ${CHOSEN_MAX.toLocaleString()}, the most at once`,
        });
      },
      (thrown: unknown) =>
        toast({ tone: 'error', title: 'Could not read what matches', text: failureShape(thrown).message }),
    );
  };
}

type NameProps = { taken: readonly string[]; onName: (name: string) => void; onClose: () => void };

function NameDialog({ taken, onName, onClose }: NameProps): ReactNode {
  const [name, setName] = useState('');
  const given = name.trim();
  const save = (): void => (given === '' ? undefined : onName(given));
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Save this view"
      description="Saves filters, order and columns on this computer."
      size="small"
      footer={
        <Button tone="primary" isDisabled={given === ''} onClick={save}>
          {taken.includes(given) ? 'Replace the view' : 'Save the view'}
        </Button>
      }
    >
      <Field label="Name">
        <Input
          data-first
          value={name}
          maxLength={60}
          onChange={({ target }) => setName(target.value)}
          onKeyDown={(event) => (event.key === 'Enter' ? save() : undefined)}
        />
      </Field>
    </Dialog>
  );
}

type ColumnMenuProps = {
  columns: readonly string[];
  profiles: readonly ProfileRow[];
  onColumns: (columns: string[]) => void;
};

export function ColumnMenu({ columns, profiles, onColumns }: ColumnMenuProps): ReactNode {
  const toggle = (id: string): void =>
    onColumns(columns.includes(id) ? columns.filter((one) => one !== id) : [...columns, id]);
  return (
    <Menu
      trigger={<IconButton label="Columns" icon={<Columns3 />} />}
      items={[
        ...[...COLUMNS, ...scoreColumns(profiles)]
          .filter(({ id }) => id !== 'task')
          .map(({ id, label }) => ({
            label,
            isChecked: columns.includes(id),
            onChoose: () => toggle(id),
          })),
        'line',
        { label: 'Default columns', onChoose: () => onColumns([...USUAL_COLUMNS]) },
      ]}
    />
  );
}

export const KeptFilter = z.strictObject({
  query: z.string(),
  status: Status.nullable(),
  condition: Condition.nullable(),
  filter: EpisodeFilter.optional(),
  order: EpisodeOrder.optional(),
});
export const ANY: EpisodeListFilter = { query: '', status: null, condition: null };

/** A view of the list that a person named: what it is narrowed to, how it is ordered, what it shows. */
export const SavedView = z.strictObject({
  name: z.string(),
  filter: KeptFilter,
  columns: z.array(z.string()),
});
export type SavedView = z.infer<typeof SavedView>;

/** True if everything is shown, in whatever order. */
export const isAny = ({ query, status, condition, filter = {} }: EpisodeListFilter): boolean =>
  query.trim() === '' && status === null && condition === null && Object.keys(filter).length === 0;
