// Owns: what can be done with the episodes that are chosen: tag, have reviewed, make data of them, compare two.
import { Columns2, Database, PencilLine, Tag as TagIcon, X } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { failureShape } from '../../../shared/failure.ts';
import { useKeys, useSession, useToast } from '../../state/hooks.ts';
import { navigate } from '../../state/route.ts';
import { changeUi } from '../../state/store.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field, Input } from '../../ui/Field.tsx';
import styles from './LibraryView.module.css';
import { QueueDialog } from './QueueDialog.tsx';

export type ChosenBarProps = { ids: ReadonlySet<string>; onClear: () => void; onChanged: () => void };

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
  useKeys('list', {
    'list.tag': () => setOpen('tags'),
    'list.review': () => setOpen('queue'),
    'list.export': makeData,
    'list.select_none': onClear,
    ...(isPair ? { 'list.compare': compare } : {}),
  });
  return (
    <div className={styles['chosen']} role="toolbar" aria-label="Chosen episodes">
      <span role="status">{ids.size === 1 ? '1 chosen' : `${ids.size.toLocaleString()} chosen`}</span>
      <Button size="small" icon={<TagIcon />} chord="list.tag" onClick={() => setOpen('tags')}>
        Tag…
      </Button>
      <Button size="small" icon={<PencilLine />} chord="list.review" onClick={() => setOpen('queue')}>
        Review…
      </Button>
      <Button size="small" icon={<Database />} chord="list.export" onClick={makeData}>
        Make data
      </Button>
      <Button
        size="small"
        icon={<Columns2 />}
        chord="list.compare"
        isDisabled={!isPair}
        title={isPair ? undefined : 'Choose two episodes to compare them'}
        onClick={compare}
      >
        Compare
      </Button>
      <Button size="small" tone="quiet" icon={<X />} chord="list.select_none" onClick={onClear}>
        Choose none
      </Button>
      {open === 'tags' ? <TagDialog ids={ids} onClose={close} onChanged={onChanged} /> : null}
      {open === 'queue' ? <QueueDialog ids={ids} onClose={close} /> : null}
    </div>
  );
}

type TagDialogProps = { ids: ReadonlySet<string>; onClose: () => void; onChanged: () => void };

/** Comma-separated tags to give or take. */
function TagDialog({ ids, onClose, onChanged }: TagDialogProps): ReactNode {
  const { call } = useSession();
  const toast = useToast();
  const known = useKnownTags();
  const [words, setWords] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const tags = tagsIn(words);
  const change = (what: 'add' | 'remove'): void => {
    if (tags.length === 0) return;
    setIsBusy(true);
    call('tags.change', { episodes: [...ids], add: [], remove: [], [what]: tags })
      .then(({ changed }) => {
        const verb = what === 'add' ? 'tagged' : 'untagged';
        toast({
          tone: 'ok',
          title: `${changed === 1 ? '1 episode' : `${String(changed)} episodes`} ${verb}`,
        });
        onChanged();
        onClose();
      })
      .catch((thrown: unknown) => {
        toast({ tone: 'error', title: 'Could not change the tags', text: failureShape(thrown).message });
        setIsBusy(false);
      });
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
            Take away
          </Button>
          <Button tone="primary" isBusy={isBusy} isDisabled={tags.length === 0} onClick={() => change('add')}>
            Add
          </Button>
        </>
      }
    >
      <Field label="Tags" hint="Several are separated by commas. They stand beside the episode, never in it.">
        <Input
          data-first
          value={words}
          list="known-tags"
          onChange={({ target }) => setWords(target.value)}
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

function useKnownTags(): readonly string[] {
  const { call } = useSession();
  const [tags, setTags] = useState<readonly string[]>([]);
  useEffect(() => {
    // A tag can be written without knowing the others.
    call('library.facets', {}).then(
      (facets) => setTags(facets.tags),
      () => undefined,
    );
  }, [call]);
  return tags;
}

const TAG_LENGTH = 60;
/** The tags in a line, each once. */
export const tagsIn = (words: string): string[] => [
  ...new Set(
    words
      .split(',')
      .map((tag) => tag.trim().slice(0, TAG_LENGTH))
      .filter((tag) => tag !== ''),
  ),
];
