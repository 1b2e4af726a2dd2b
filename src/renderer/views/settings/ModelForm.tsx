// One endpoint: where it is, which model, its key; saved, then tried.
import { CircleCheck } from 'lucide-react';
import { useState, type FormEvent, type ReactNode } from 'react';
import type { Outputs } from '../../../shared/contract/contract.ts';
import { useSession, useToast } from '../../state/hooks.ts';
import { useAct } from '../../state/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { formatDuration } from '../../ui/time.ts';
import { ModelAbilities } from './ModelAbilities.tsx';
import {
  fromText,
  keyText,
  modelDraft,
  overruled,
  patchOf,
  PROVIDERS,
  REASONING,
  type ModelDraft,
  type SettingsRole,
} from './model.ts';
import {
  Fields,
  SettingsSection,
  type ChangeSettings,
  type FormField,
  type Settings,
} from './SettingsForm.tsx';
import * as styles from './SettingsView.module.css';

type ModelSectionProps = { role: SettingsRole; title: string; purpose: string };

export const ModelSection = ({ role, title, purpose }: ModelSectionProps): ReactNode => (
  <SettingsSection id={role} title={title} about={purpose}>
    {(settings, change) => <ModelForm role={role} title={title} all={settings} change={change} />}
  </SettingsSection>
);

type ModelFormProps = { role: SettingsRole; title: string; all: Settings; change: ChangeSettings };

function fieldsOf(settings: Settings['agent'], draft: ModelDraft, keyHint: string): FormField<ModelDraft>[] {
  const isAzure = draft.provider === 'azure';
  return [
    { name: 'provider', label: 'Provider', hint: fromText(settings, 'provider'), options: PROVIDERS },
    {
      name: 'baseUrl',
      label: isAzure ? 'Endpoint' : 'Base URL',
      hint: fromText(settings, 'base_url'),
      help: isAzure ? undefined : 'Any server with a chat completions API; empty for OpenAI.',
      kind: 'url',
      placeholder: isAzure ? 'https://name.openai.azure.com' : 'https://api.openai.com/v1',
    },
    {
      name: 'model',
      label: isAzure ? 'Deployment' : 'Model',
      hint: fromText(settings, 'model'),
      kind: 'mono',
    },
    ...(isAzure
      ? [
          {
            name: 'apiVersion',
            label: 'API version',
            hint: fromText(settings, 'api_version'),
            kind: 'mono',
          } satisfies FormField<ModelDraft>,
        ]
      : []),
    { name: 'reasoning', label: 'Its reasoning', options: REASONING },
    { name: 'newKey', label: 'New key', hint: keyHint, kind: 'secret' },
  ];
}

function ModelForm({ role, title, all, change }: ModelFormProps): ReactNode {
  const { call } = useSession();
  const toast = useToast();
  const settings = all[role];
  const [draft, setDraft] = useState(() => modelDraft(settings));
  const [forgetsKey, setForgetsKey] = useState(false);
  const [tried, setTried] = useState<Outputs['models.probe'] | null>(null);
  const patch = patchOf(settings, draft, forgetsKey);
  const isChanged = Object.keys(patch).length > 0;

  const store = async (): Promise<void> => {
    const now = (await change({ [role]: patch }))[role];
    setDraft(modelDraft(now));
    setForgetsKey(false);
    const kept = overruled(patch, now);
    toast(
      kept.length === 0
        ? { tone: 'ok', title: 'Saved' }
        : {
            tone: 'waiting',
            title: 'Saved, but overridden',
            text: `A flag or an environment variable sets the ${kept.join(' and the ')}.`,
          },
    );
  };
  const { run, busyWith, failure } = useAct(async (act: 'save' | 'try') => {
    setTried(null);
    if (isChanged) await store();
    if (act === 'try')
      setTried(await call('models.probe', { role, probe: 'answer', id: crypto.randomUUID() }));
  });
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (isChanged) void run('save');
  };
  const busy = busyWith?.[0] ?? null;
  const keyHint = forgetsKey ? 'The stored key is deleted when you save.' : keyText(settings, all.key_store);
  const fields = fieldsOf(settings, draft, keyHint);
  return (
    <form className={styles.fields} onSubmit={onSubmit} aria-label={title}>
      <Fields
        // An advisor is asked once a question: there is no earlier reply of it.
        fields={fields.filter(({ name }) => role === 'agent' || name !== 'reasoning')}
        draft={draft}
        onDraft={(next) => {
          setDraft(next);
          if (next.newKey !== draft.newKey) setForgetsKey(false);
        }}
      />
      <div className={styles.actions}>
        <Button
          type="submit"
          tone={isChanged ? 'primary' : 'plain'}
          isDisabled={!isChanged}
          isBusy={busy === 'save'}
        >
          Save
        </Button>
        <Button
          isBusy={busy === 'try'}
          isDisabled={draft.model.trim() === ''}
          onClick={() => void run('try')}
        >
          {isChanged ? 'Save and test' : 'Test'}
        </Button>
        {settings.key === 'stored' && !forgetsKey ? (
          <Button
            tone="quiet"
            onClick={() => {
              setForgetsKey(true);
              setDraft({ ...draft, newKey: '' });
            }}
          >
            Forget the key
          </Button>
        ) : null}
      </div>
      {failure === null ? null : <ErrorNote title="Could not save or test it" failure={failure} />}
      {tried === null || failure !== null ? null : tried.failure === null ? (
        <p className="row-2 good" role="status">
          <CircleCheck aria-hidden="true" /> {settings.model ?? 'The model'} answered in{' '}
          {formatDuration(tried.latency_ms)}
        </p>
      ) : (
        <ErrorNote title="The model did not answer" failure={tried.failure} />
      )}
      <ModelAbilities role={role} isDisabled={isChanged || settings.model === null} />
    </form>
  );
}
