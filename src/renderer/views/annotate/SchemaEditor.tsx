// The questions of a project as a form.
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Dimension, Level } from '../../../shared/events/annotations.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Field, Input, Select, Textarea } from '../../ui/Field.tsx';
import * as styles from './Annotate.module.css';
import { newDraft, renamed, type DimensionDraft } from './schemaDraft.ts';

const DIMENSION_TYPES: readonly { value: Dimension['type']; label: string }[] = [
  { value: 'label', label: 'Labels: any that apply' },
  { value: 'category', label: 'Category: one of several' },
  { value: 'scale', label: 'Scale: a number' },
  { value: 'free_text', label: 'Text' },
];
const LEVEL_CHOICES: readonly { level: Level; label: string }[] = [
  { level: 'trajectory', label: 'Whole episode' },
  { level: 'step', label: 'Step' },
  { level: 'call', label: 'Call' },
  { level: 'range', label: 'Marked words' },
];

type Props = {
  drafts: readonly DimensionDraft[];
  /** Ids that are in the data: they stay. */
  saved: ReadonlySet<string>;
  onChange: (drafts: readonly DimensionDraft[]) => void;
};

export function SchemaEditor({ drafts, saved, onChange }: Props): ReactNode {
  const change = (index: number, draft: DimensionDraft): void => onChange(drafts.with(index, draft));
  const move = (index: number, by: 1 | -1): void => {
    const [one, other] = [drafts[index], drafts[index + by]];
    if (one !== undefined && other !== undefined) onChange(drafts.with(index, other).with(index + by, one));
  };
  const ids = drafts.map(({ id }) => id);
  return (
    <div className={styles.schema}>
      {drafts.map((draft, index) => (
        <fieldset key={index} className={styles.dimension}>
          <legend>{`Question ${String(index + 1)}`}</legend>
          <div className={styles.row}>
            <Field label="Name" className={styles.grow}>
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
            <span className={styles.acts}>
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
    <div className={styles.checks} role="group" aria-label="Asked about">
      {LEVEL_CHOICES.map(({ level, label }) => (
        <label key={level}>
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
          {label}
        </label>
      ))}
      {draft.on.includes('trajectory') ? (
        <label>
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
        <label className={styles.check}>
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
