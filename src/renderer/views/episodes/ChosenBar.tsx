// Acts on the chosen episodes: tag, have reviewed, make data of them, compare two.
import { Columns2, Database, PencilLine, Tag as TagIcon, X } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { formatCount } from '../../parts/text/size.ts';
import { useKeys, useSession, useToast } from '../../state/hooks.ts';
import { useAct, useAsk } from '../../state/queries.ts';
import { reviewRoute, navigate } from '../../state/route.ts';
import { changeUi } from '../../state/store.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Input, Select } from '../../ui/Field.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import * as styles from './EpisodesView.module.css';

type ChosenBarProps = { ids: ReadonlySet<string>; onClear: () => void; onChanged: () => void };

export function ChosenBar({ ids, onClear, onChanged }: ChosenBarProps): ReactNode {
  const { store } = useSession();
  const [open, setOpen] = useState<'none' | 'tags' | 'queue'>('none');
  const close = (): void => setOpen('none');
  const [left, right] = [...ids];
  const isPair = ids.size === 2 && left !== undefined && right !== undefined;
  const compare = (): void => (isPair ? navigate({ view: 'compare', left, right }) : undefined);
  const makeData = (): void => {
    changeUi(store, () => ({ exportChoice: { episodes: [...ids] } }));
    navigate({ view: 'data' });
  };
  useKeys({
    'list.tag': () => setOpen('tags'),
    'list.review': () => setOpen('queue'),
    'list.export': makeData,
    back: onClear,
    ...(isPair ? { 'list.compare': compare } : {}),
  });
  return (
    <div className={styles.chosen} role="toolbar" aria-label="Selected episodes">
      <span role="status">{ids.size === 1 ? '1 selected' : `${ids.size.toLocaleString()} selected`}</span>
      <Button size="small" icon={<TagIcon />} chord="list.tag" onClick={() => setOpen('tags')}>
        Tag…
      </Button>
      <Button size="small" icon={<PencilLine />} chord="list.review" onClick={() => setOpen('queue')}>
        Review…
      </Button>
      <Button size="small" icon={<Database />} chord="list.export" onClick={makeData}>
        Export
      </Button>
      <Button
        size="small"
        icon={<Columns2 />}
        chord="list.compare"
        isDisabled={!isPair}
        title={isPair ? undefined : 'Select two episodes to compare'}
        onClick={compare}
      >
        Compare
      </Button>
      <Button size="small" tone="quiet" icon={<X />} chord="back" onClick={onClear}>
        Clear selection
      </Button>
      {open === 'tags' ? <TagDialog ids={ids} onClose={close} onChanged={onChanged} /> : null}
      {open === 'queue' ? <AddToQueueDialog ids={ids} onClose={close} /> : null}
    </div>
  );
}

type TagDialogProps = { ids: ReadonlySet<string>; onClose: () => void; onChanged: () => void };

/** Comma-separated tags to give or take. */
function TagDialog({ ids, onClose, onChanged }: TagDialogProps): ReactNode {
  const { call } = useSession();
  const toast = useToast();
  // A tag can be written without knowing the others.
  const known = useAsk('library.facets', {}).value?.tags ?? [];
  const [typed, setTyped] = useState('');
  const tags = tagsIn(typed);
  const { isBusy, run } = useAct(async (what: 'add' | 'remove') => {
    const { changed } = await call('tags.change', { episodes: [...ids], add: [], remove: [], [what]: tags });
    const verb = what === 'add' ? 'tagged' : 'untagged';
    toast({ tone: 'ok', title: `${changed === 1 ? '1 episode' : `${String(changed)} episodes`} ${verb}` });
    onChanged();
    onClose();
  }, 'Could not change the tags');
  const change = (what: 'add' | 'remove'): void => {
    if (tags.length > 0) void run(what);
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={ids.size === 1 ? 'Tag the episode' : `Tag ${ids.size.toLocaleString()} episodes`}
      size="small"
      footer={
        <>
          <Button isDisabled={tags.length === 0} onClick={() => change('remove')}>
            Remove
          </Button>
          <Button tone="primary" isBusy={isBusy} isDisabled={tags.length === 0} onClick={() => change('add')}>
            Add
          </Button>
        </>
      }
    >
      <Field label="Tags" hint="Separate several with commas. Tags are stored apart from the episode.">
        <Input
          data-first
          value={typed}
          list="known-tags"
          onChange={({ target }) => setTyped(target.value)}
          onKeyDown={(event) => (event.key === 'Enter' ? change('add') : undefined)}
        />
      </Field>
      <datalist id="known-tags">
        {known.map((tag) => (
          <option key={tag} value={tag} />
        ))}
      </datalist>
    </Dialog>
  );
}

const TAG_LENGTH = 60;
/** The tags in a line, each once. */
const tagsIn = (typed: string): string[] => [
  ...new Set(
    typed
      .split(',')
      .map((tag) => tag.trim().slice(0, TAG_LENGTH))
      .filter((tag) => tag !== ''),
  ),
];

const NEW = 'new';

type Props = { ids: ReadonlySet<string>; onClose: () => void };

export function AddToQueueDialog({ ids, onClose }: Props): ReactNode {
  const { call, store } = useSession();
  const toast = useToast();
  const { value, failure } = useAsk('project.list', {});
  const [chosen, setChosen] = useState<{ project: string | null; queue: string }>({
    project: null,
    queue: NEW,
  });
  const projects = value?.projects ?? [];
  const project = projects.find((one) => one.project === chosen.project) ?? projects[0];
  const queues = (project?.queues ?? []).filter(({ subject }) => subject === 'episode');
  const queue = queues.find((one) => one.queue === chosen.queue);
  const episodes = [...ids];

  /** A new queue is set up where its project is; the episodes are handed over. */
  const setUp = (): void => {
    changeUi(store, () => ({ queueChoice: { episodes } }));
    navigate(reviewRoute(project?.project ?? null));
  };
  const {
    isBusy,
    failure: refusal,
    run: add,
  } = useAct(async (to: { project: string; queue: string; name: string }) => {
    const { added, present } = await call('queue.add', { project: to.project, queue: to.queue, episodes });
    const before = present === 0 ? null : `${formatCount(present, 'episode')} it held already.`;
    toast({ tone: 'ok', title: `${to.name}: ${formatCount(added, 'episode')} added`, text: before });
    onClose();
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={
        ids.size === 1 ? 'Add to a review queue' : `Add ${formatCount(ids.size, 'episode')} to a review queue`
      }
      size="small"
      notice={refusal === null ? null : <ErrorNote title="Nothing was added" failure={refusal} />}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {queue === undefined || project === undefined ? (
            <Button tone="primary" isDisabled={value === null} onClick={setUp}>
              {project === undefined ? 'Create a project' : 'Set up the queue'}
            </Button>
          ) : (
            <Button
              tone="primary"
              isBusy={isBusy}
              onClick={() => void add({ project: project.project, queue: queue.queue, name: queue.name })}
            >
              Add to the queue
            </Button>
          )}
        </>
      }
    >
      {failure === null ? null : <ErrorNote title="Could not read the projects" failure={failure} />}
      {value === null && failure === null ? <Skeleton rows={3} label="Reading the projects" /> : null}
      {project === undefined ? (
        value === null ? null : (
          <p>No projects yet. The episodes stay selected while you create one.</p>
        )
      ) : (
        <div className="stack-3">
          <Field label="Project">
            <Select
              data-first
              value={project.project}
              options={projects.map((one) => ({ value: one.project, label: one.name }))}
              onChoose={(id) => setChosen({ project: id, queue: NEW })}
            />
          </Field>
          <Field
            label="Queue"
            hint={
              queue === undefined
                ? 'You choose reviewers and blinding next.'
                : 'Assigned to its reviewers in turn. Episodes already in it are skipped.'
            }
          >
            <Select
              value={queue?.queue ?? NEW}
              options={[
                { value: NEW, label: 'A new queue' },
                ...queues.map((one) => ({
                  value: one.queue,
                  label: `${one.name}, ${formatCount(one.progress.items, 'episode')}`,
                })),
              ]}
              onChoose={(id) => setChosen({ project: project.project, queue: id })}
            />
          </Field>
        </div>
      )}
    </Dialog>
  );
}
