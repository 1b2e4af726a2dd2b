// Putting the chosen episodes into a queue for review: one that is there, or a new one, which is set up at its
// project.
import { useState, type ReactNode } from 'react';
import { formatCount } from '../../parts/text/size.ts';
import { useSession, useToast } from '../../state/hooks.ts';
import { annotateRoute, navigate } from '../../state/route.ts';
import { changeUi } from '../../state/store.ts';
import { useAct, useAsk } from '../../state/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Select } from '../../ui/Field.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import * as styles from './LibraryView.module.css';

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
    navigate(annotateRoute(project?.project ?? null));
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
          <p>No annotation projects yet. The episodes stay selected while you create one.</p>
        )
      ) : (
        <div className={styles.form}>
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
