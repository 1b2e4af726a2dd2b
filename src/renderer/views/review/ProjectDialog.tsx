// Beginning a project, and changing what it asks.
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { ProjectRow } from '../../../shared/contract/review.ts';
import { STARTER } from '../../../shared/review/taxonomy.ts';
import { Level, type Dimension } from '../../../shared/events/annotations.ts';
import { Failure } from '../../../shared/failure.ts';
import { useSession } from '../../state/hooks.ts';
import { useAct, useAsk } from '../../state/queries.ts';
import { reviewRoute, navigate } from '../../state/route.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Input, Select, Textarea } from '../../ui/Field.tsx';
import * as styles from './Review.module.css';
import { dimensionDraft, dimensionOf, newDraft, renamed, type DimensionDraft } from './schemaDraft.ts';

type Props = { project: ProjectRow | null; onClose: () => void; onSaved: () => void };

export const ProjectDialog = ({ project, ...rest }: Props): ReactNode =>
  project === null ? <NewProject {...rest} /> : <ProjectForm project={project} {...rest} />;

const TEMPLATES = [
  { value: 'failures', label: 'Why agents fail: six questions after public studies' },
  { value: 'none', label: 'No questions yet' },
];

/** A name and a template: what the project asks is changed in the project. */
function NewProject({ onClose, onSaved }: Omit<Props, 'project'>): ReactNode {
  const { call } = useSession();
  const projects = useAsk('project.list', {}).value?.projects ?? [];
  const [name, setName] = useState('');
  const [template, setTemplate] = useState('failures');
  const { isBusy, failure, run } = useAct(async () => {
    const from = projects.find(({ project }) => project === template);
    const made = await call('project.create', {
      name,
      instructions: from?.instructions ?? '',
      dimensions: from?.dimensions ?? (template === 'none' ? [] : [...STARTER]),
    });
    onSaved();
    navigate(reviewRoute(made.project));
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="small"
      title="New project"
      notice={failure === null ? null : <ErrorNote title="Not saved" failure={failure} />}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" isBusy={isBusy} isDisabled={name.trim() === ''} onClick={() => void run()}>
            Create project
          </Button>
        </>
      }
    >
      <div className="stack-3">
        <Field label="Project name">
          <Input data-first value={name} maxLength={120} onChange={({ target }) => setName(target.value)} />
        </Field>
        <Field label="Template" hint="What reviewers are asked. You can change it in the project.">
          <Select
            value={template}
            options={[
              ...TEMPLATES,
              ...projects.map((one) => ({ value: one.project, label: `As in ${one.name}` })),
            ]}
            onChoose={setTemplate}
          />
        </Field>
      </div>
    </Dialog>
  );
}

/** A project's name, its instructions for reviewers, and their questions. */
function ProjectForm({ project, onClose, onSaved }: Props & { project: ProjectRow }): ReactNode {
  const { call } = useSession();
  const [name, setName] = useState(project.name);
  const [instructions, setInstructions] = useState(project.instructions);
  const [drafts, setDrafts] = useState(() => project.dimensions.map(dimensionDraft));
  const saved = new Set(project.dimensions.map(({ id }) => id));

  const { isBusy, failure, run } = useAct(async () => {
    const read = drafts.map(dimensionOf);
    const problem = read.flatMap((one) => ('problem' in one ? [one.problem] : []))[0];
    if (problem !== undefined) throw new Failure('bad_input', problem);
    const dimensions = read.flatMap((one) => ('dimension' in one ? [one.dimension] : []));
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
      title="Questions"
      description="Existing reviews keep the questions they answered."
      notice={failure === null ? null : <ErrorNote title="Not saved" failure={failure} />}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" isBusy={isBusy} isDisabled={name.trim() === ''} onClick={() => void run()}>
            Save questions
          </Button>
        </>
      }
    >
      <div className="stack-3">
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
        <QuestionsForm drafts={drafts} saved={saved} onChange={(next) => setDrafts([...next])} />
      </div>
    </Dialog>
  );
}

const DIMENSION_TYPES: readonly { value: Dimension['type']; label: string }[] = [
  { value: 'label', label: 'Labels: any that apply' },
  { value: 'category', label: 'Category: one of several' },
  { value: 'scale', label: 'Scale: a number' },
  { value: 'free_text', label: 'Text' },
];
export const LEVEL_LABELS: Readonly<Record<Level, string>> = {
  trajectory: 'Whole episode',
  step: 'Step',
  call: 'Call',
  range: 'Marked words',
};

type QuestionsFormProps = {
  drafts: readonly DimensionDraft[];
  /** Ids that are in the data: they stay. */
  saved: ReadonlySet<string>;
  onChange: (drafts: readonly DimensionDraft[]) => void;
};

function QuestionsForm({ drafts, saved, onChange }: QuestionsFormProps): ReactNode {
  const change = (index: number, draft: DimensionDraft): void => onChange(drafts.with(index, draft));
  const move = (index: number, by: 1 | -1): void => {
    const [one, other] = [drafts[index], drafts[index + by]];
    if (one !== undefined && other !== undefined) onChange(drafts.with(index, other).with(index + by, one));
  };
  const ids = drafts.map(({ id }) => id);
  return (
    <div className="stack-3">
      {drafts.map((draft, index) => (
        <fieldset key={index} className={styles.dimension}>
          <legend>{`Question ${String(index + 1)}`}</legend>
          <div className={styles.row}>
            <Field label="Name" className="grows">
              <Input
                value={draft.name}
                maxLength={120}
                onChange={({ target }) => {
                  const others = ids.filter((_, other) => other !== index);
                  change(index, renamed(draft, target.value, !saved.has(draft.id), others));
                }}
              />
            </Field>
            <Field label="Answer">
              <Select
                value={draft.type}
                options={DIMENSION_TYPES}
                onChoose={(type) => change(index, { ...draft, type })}
              />
            </Field>
            <span className="wrap-2">
              <IconButton
                label="Up"
                icon={<ArrowUp />}
                isDisabled={index === 0}
                onClick={() => move(index, -1)}
              />
              <IconButton
                label="Down"
                icon={<ArrowDown />}
                isDisabled={index === drafts.length - 1}
                onClick={() => move(index, 1)}
              />
              <IconButton
                label={`Remove ${draft.name}`}
                icon={<Trash2 />}
                onClick={() => onChange(drafts.filter((_, other) => other !== index))}
              />
            </span>
          </div>
          <AskedAbout draft={draft} onChange={(next) => change(index, next)} />
          <AnswerFields draft={draft} onChange={(next) => change(index, next)} />
          <Field label="How reviewers should judge">
            <Textarea
              rows={2}
              value={draft.description}
              maxLength={4000}
              onChange={({ target }) => change(index, { ...draft, description: target.value })}
            />
          </Field>
        </fieldset>
      ))}
      <Button icon={<Plus />} onClick={() => onChange([...drafts, newDraft([...ids, ...saved])])}>
        Add a question
      </Button>
    </div>
  );
}

type DimensionPartProps = { draft: DimensionDraft; onChange: (draft: DimensionDraft) => void };

function AskedAbout({ draft, onChange }: DimensionPartProps): ReactNode {
  return (
    <div className="wrap-3" role="group" aria-label="Asked about">
      {Level.options.map((level) => (
        <label key={level} className="row-2">
          <input
            type="checkbox"
            checked={draft.on.includes(level)}
            onChange={({ target }) =>
              onChange({
                ...draft,
                on: target.checked ? [...draft.on, level] : draft.on.filter((one) => one !== level),
              })
            }
          />
          {LEVEL_LABELS[level]}
        </label>
      ))}
      {draft.on.includes('trajectory') ? (
        <label className="row-2">
          <input
            type="checkbox"
            checked={draft.is_required}
            onChange={({ target }) => onChange({ ...draft, is_required: target.checked })}
          />
          Required for the whole episode
        </label>
      ) : null}
    </div>
  );
}

function AnswerFields({ draft, onChange }: DimensionPartProps): ReactNode {
  if (draft.type === 'free_text') return null;
  if (draft.type === 'scale') {
    return (
      <div className={styles.row}>
        {(['min', 'max', 'step'] as const).map((name) => (
          <Field key={name} label={{ min: 'From', max: 'To', step: 'Step' }[name]}>
            <Input
              inputMode="decimal"
              value={draft[name]}
              onChange={({ target }) => onChange({ ...draft, [name]: target.value })}
            />
          </Field>
        ))}
        {(['min_label', 'max_label'] as const).map((name) => (
          <Field key={name} label={name === 'min_label' ? 'The low end means' : 'The high end means'}>
            <Input
              value={draft[name]}
              onChange={({ target }) => onChange({ ...draft, [name]: target.value })}
            />
          </Field>
        ))}
      </div>
    );
  }
  return (
    <>
      <Field
        label={draft.type === 'label' ? 'Labels' : 'Options'}
        hint="One per line, as “Label: meaning”. The first nine get the keys 1 to 9."
      >
        <Textarea
          rows={Math.min(12, Math.max(3, draft.options.split('\n').length))}
          value={draft.options}
          onChange={({ target }) => onChange({ ...draft, options: target.value })}
        />
      </Field>
      {draft.type === 'category' ? (
        <label className="row-2">
          <input
            type="checkbox"
            checked={draft.is_ordered}
            onChange={({ target }) => onChange({ ...draft, is_ordered: target.checked })}
          />
          Ordered from low to high
        </label>
      ) : null}
    </>
  );
}
