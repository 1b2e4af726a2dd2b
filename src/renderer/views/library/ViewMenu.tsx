// Views of the library that a person named, and the columns they show.
import { Bookmark, Columns3 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { z } from 'zod';
import type { ProfileRow } from '../../../shared/contract/rewards.ts';
import { failureShape } from '../../../shared/failure.ts';
import type { EpisodeListFilter } from '../../parts/episode/episodeRowText.ts';
import { useSession, useToast } from '../../state/hooks.ts';
import { navigate } from '../../state/route.ts';
import { changeUi, type ExportChoice } from '../../state/store.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field, Input } from '../../ui/Field.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { CHOSEN_MAX, readAllIds } from './chosen.ts';
import { COLUMNS, USUAL_COLUMNS } from './columns.tsx';
import { SavedView } from './libraryFilter.ts';
import { scoreColumns } from './scoreColumns.ts';

type Look = { filter: EpisodeListFilter; columns: readonly string[] };
type ViewMenuProps = Look & { onLook: (look: Look) => void };

const KEPT = 'library-views';

export function ViewMenu({ filter, columns, onLook }: ViewMenuProps): ReactNode {
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
          ...views.map(({ name, ...look }) => ({ label: name, onChoose: () => onLook(look) })),
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
