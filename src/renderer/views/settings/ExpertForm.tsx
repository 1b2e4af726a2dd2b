// Adding an expert to the roster, or changing one: a model by its profile, or a person by their invite.
import { useState, type FormEvent, type ReactNode } from 'react';
import { plainName, SKILLS, type Expert } from '../../../shared/experts/roster.ts';
import { useAct, useAsk } from '../../state/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Input, Select, Textarea } from '../../ui/Field.tsx';
import { draftOf, EMPTY_EXPERT, expertOf, type ExpertDraft } from './expertText.ts';
import * as styles from './SettingsView.module.css';

type ExpertFormProps = {
  /** The expert that is changed; null for a new one. */
  changed: Expert | null;
  /** Of the experts there are. */
  names: readonly string[];
  onSave: (expert: Expert) => Promise<void>;
  onLeave: () => void;
};

export function ExpertForm({ changed, names, onSave, onLeave }: ExpertFormProps): ReactNode {
  const [draft, setDraft] = useState(() => (changed === null ? EMPTY_EXPERT : draftOf(changed)));
  const change = (by: Partial<ExpertDraft>): void => setDraft((old) => ({ ...old, ...by }));
  const expert = expertOf(draft);
  const replaced =
    changed === null ? names.find((name) => plainName(name) === plainName(draft.name)) : undefined;
  const save = useAct(async () => {
    if (expert === null) return;
    await onSave(expert);
    setDraft(EMPTY_EXPERT);
  });
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void save.run();
  };
  return (
    <form
      className={styles.profile}
      onSubmit={onSubmit}
      aria-label={changed === null ? 'Add an expert' : 'Change an expert'}
    >
      <Field
        label="Expert name"
        hint={
          replaced === undefined
            ? 'The agent may ask by it. A role says more than a person’s name.'
            : `${replaced} is in the roster already: saving replaces it.`
        }
      >
        <Input value={draft.name} maxLength={40} onChange={({ target }) => change({ name: target.value })} />
      </Field>
      <Field label="Who it is">
        <Select
          value={draft.kind}
          options={[
            { value: 'model', label: 'A model' },
            { value: 'person', label: 'A person' },
          ]}
          onChoose={(kind) => change({ kind })}
        />
      </Field>
      <WhichOne draft={draft} change={change} />
      <Field label="Skills" help={`With commas between: ${SKILLS.join(', ')}, or words of your own.`}>
        <Input value={draft.skills} onChange={({ target }) => change({ skills: target.value })} />
      </Field>
      <Field label="What to ask it for" help="One line that the agent reads.">
        <Input
          value={draft.askFor}
          maxLength={200}
          onChange={({ target }) => change({ askFor: target.value })}
        />
      </Field>
      {draft.kind === 'model' ? (
        <Field label="Instructions" help="Empty: those of the advisor.">
          <Textarea
            isGrowing
            value={draft.prompt}
            maxLength={8000}
            onChange={({ target }) => change({ prompt: target.value })}
          />
        </Field>
      ) : null}
      <div className={styles.actions}>
        <Button type="submit" isDisabled={expert === null} isBusy={save.isBusy}>
          {replaced === undefined ? 'Save expert' : 'Replace expert'}
        </Button>
        {changed === null ? null : (
          <Button tone="quiet" onClick={onLeave}>
            Leave as it was
          </Button>
        )}
      </div>
      {save.failure === null ? null : <ErrorNote title="Could not save the expert" failure={save.failure} />}
    </form>
  );
}

type WhichOneProps = { draft: ExpertDraft; change: (by: Partial<ExpertDraft>) => void };

/** The model's profile, or the person's invite. */
function WhichOne({ draft, change }: WhichOneProps): ReactNode {
  const profiles = useAsk('settings.read', {}).value?.profiles ?? [];
  const invites = useAsk('access.list', {}).value?.invites ?? [];
  if (draft.kind === 'model') {
    return (
      <Field
        label="Its model profile"
        hint={profiles.length === 0 ? 'Save a model profile first, above.' : undefined}
      >
        <Select
          value={draft.profile}
          options={[
            { value: '', label: 'Choose a profile' },
            ...profiles.map(({ name, model }) => ({ value: name, label: `${name} (${model})` })),
          ]}
          onChoose={(profile) => change({ profile })}
        />
      </Field>
    );
  }
  return (
    <Field label="Their invite" hint={invites.length === 0 ? 'Make an invite first, below.' : undefined}>
      <Select
        value={draft.seat}
        options={[
          { value: '', label: 'Choose an invite' },
          ...invites.map(({ seat, label }) => ({ value: seat, label })),
        ]}
        onChoose={(seat) => change({ seat })}
      />
    </Field>
  );
}
