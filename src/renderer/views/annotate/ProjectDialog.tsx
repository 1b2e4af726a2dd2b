// Beginning a project, and changing what it asks.
import { useState, type ReactNode } from 'react';
import type { ProjectRow } from '../../../shared/contract/annotate.ts';
import { STARTER } from '../../../shared/annotate/taxonomy.ts';
import { Failure } from '../../../shared/failure.ts';
import { useSession } from '../../state/hooks.ts';
import { useAct } from '../../state/queries.ts';
import { annotateRoute, navigate } from '../../state/route.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Input, Textarea } from '../../ui/Field.tsx';
import * as styles from './Annotate.module.css';
import { dimensionOf, dimensionDraft } from './schemaDraft.ts';
import { SchemaEditor } from './SchemaEditor.tsx';

type Props = { project: ProjectRow | null; onClose: () => void; onSaved: () => void };

export function ProjectDialog({ project, onClose, onSaved }: Props): ReactNode {
  const { call } = useSession();
  const [name, setName] = useState(project?.name ?? '');
  const [instructions, setInstructions] = useState(project?.instructions ?? '');
  const [drafts, setDrafts] = useState(() => (project?.dimensions ?? STARTER).map(dimensionDraft));
  const saved = new Set(project?.dimensions.map(({ id }) => id));

  const { isBusy, failure, run } = useAct(async () => {
    const read = drafts.map(dimensionOf);
    const problem = read.flatMap((one) => ('problem' in one ? [one.problem] : []))[0];
    if (problem !== undefined) throw new Failure('bad_input', problem);
    const dimensions = read.flatMap((one) => ('dimension' in one ? [one.dimension] : []));
    if (project === null) {
      const made = await call('project.create', { name, instructions, dimensions });
      onSaved();
      navigate(annotateRoute(made.project));
      return;
    }
    const isSame = JSON.stringify(dimensions) === JSON.stringify(project.dimensions);
    const schema = isSame ? {} : { schema: { seen_version: project.schema_version, dimensions } };
    await call('project.change', { project: project.project, name, instructions, ...schema });
    onSaved();
    onClose();
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="wide"
      title={project === null ? 'New project' : 'Questions'}
      description={
        project === null
          ? 'These questions are a suggestion based on public studies of agent failures. Change any of them.'
          : 'Existing reviews keep the questions they answered.'
      }
      notice={failure === null ? null : <ErrorNote title="Not saved" failure={failure} />}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" isBusy={isBusy} isDisabled={name.trim() === ''} onClick={() => void run()}>
            {project === null ? 'Create project' : 'Save questions'}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <Field label="Project name">
          <Input data-first value={name} maxLength={120} onChange={({ target }) => setName(target.value)} />
        </Field>
        <Field label="For reviewers: the purpose and how to judge">
          <Textarea
            rows={2}
            value={instructions}
            maxLength={20_000}
            onChange={({ target }) => setInstructions(target.value)}
          />
        </Field>
        <SchemaEditor drafts={drafts} saved={saved} onChange={(next) => setDrafts([...next])} />
      </div>
    </Dialog>
  );
}
