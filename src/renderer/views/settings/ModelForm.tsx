// One endpoint: where it is, which model, its key; saved, then tried.
import { CircleCheck } from 'lucide-react';
import { useState, type FormEvent, type ReactNode } from 'react';
import type { Outputs } from '../../../shared/contract/contract.ts';
import type { FailureShape } from '../../../shared/failure.ts';
import { useSession, useToast } from '../../state/hooks.ts';
import { useAct } from '../../state/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Input, Select } from '../../ui/Field.tsx';
import { formatDuration } from '../../ui/time.ts';
import { ModelAbilities } from './ModelAbilities.tsx';
import {
  modelDraft,
  FIELD_NAMES,
  fromText,
  keyText,
  overruled,
  patchOf,
  type ModelSettings,
  type SettingsRole,
} from './model.ts';
import * as styles from './SettingsView.module.css';

type ModelFormProps = {
  role: SettingsRole;
  title: string;
  purpose: string;
  settings: ModelSettings;
  keyStore: 'keychain' | 'file';
  /** Called with what is now in force. */
  onSaved: (settings: Outputs['settings.read']) => void;
};

type TriedModel = Outputs['models.probe'];

/** Saving and trying, with what came of it. */
function useModelActions({ role, settings, onSaved }: ModelFormProps) {
  const { call } = useSession();
  const toast = useToast();
  const [draft, setDraft] = useState(() => modelDraft(settings));
  const [tried, setTried] = useState<TriedModel | null>(null);
  const patch = patchOf(settings, draft);
  const isChanged = Object.keys(patch).length > 0;

  const store = async (): Promise<void> => {
    const now = await call('settings.change', { [role]: patch });
    onSaved(now);
    setDraft(modelDraft(now[role]));
    const kept = overruled(patch, now[role]).map((field) => FIELD_NAMES[field] ?? field);
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
  return {
    draft,
    change: (by: Partial<typeof draft>) => setDraft((old) => ({ ...old, ...by })),
    isChanged,
    busy: busyWith?.[0] ?? null,
    failure,
    tried,
    save: () => void run('save'),
    tryIt: () => void run('try'),
  };
}

export function ModelForm(props: ModelFormProps): ReactNode {
  const { role, title, purpose, settings, keyStore } = props;
  const { draft, change, isChanged, busy, failure, tried, save, tryIt } = useModelActions(props);
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (isChanged) save();
  };
  const isAzure = draft.provider === 'azure';
  const hint = (field: Parameters<typeof fromText>[1]): string | undefined =>
    fromText(settings, field) ?? undefined;
  return (
    <form className={styles.section} onSubmit={onSubmit} aria-labelledby={`${role}-title`}>
      <div className={styles.about}>
        <h2 id={`${role}-title`} className={styles.title}>
          {title}
        </h2>
        <p>{purpose}</p>
      </div>
      <div className={styles.fields}>
        <Field label="Provider" hint={hint('provider')}>
          <Select
            value={draft.provider}
            options={[
              { value: 'openai', label: 'OpenAI or compatible' },
              { value: 'azure', label: 'Azure OpenAI' },
            ]}
            onChoose={(provider) => change({ provider })}
          />
        </Field>
        <Field
          label={isAzure ? 'Endpoint' : 'Base URL'}
          hint={hint('base_url')}
          {...(isAzure ? {} : { help: 'Any server with a chat completions API; empty for OpenAI.' })}
        >
          <Input
            isMono
            type="text"
            inputMode="url"
            value={draft.baseUrl}
            placeholder={isAzure ? 'https://name.openai.azure.com' : 'https://api.openai.com/v1'}
            onChange={({ target }) => change({ baseUrl: target.value })}
          />
        </Field>
        <Field label={isAzure ? 'Deployment' : 'Model'} hint={hint('model')}>
          <Input isMono value={draft.model} onChange={({ target }) => change({ model: target.value })} />
        </Field>
        {isAzure ? (
          <Field label="API version" hint={hint('api_version')}>
            <Input
              isMono
              value={draft.apiVersion}
              onChange={({ target }) => change({ apiVersion: target.value })}
            />
          </Field>
        ) : null}
        <Field
          label="New key"
          hint={draft.forgetKey ? 'The stored key is deleted when you save.' : keyText(settings, keyStore)}
        >
          <Input
            isMono
            type="password"
            autoComplete="new-password"
            value={draft.newKey}
            onChange={({ target }) => change({ newKey: target.value, forgetKey: false })}
          />
        </Field>
        <div className={styles.actions}>
          <Button
            type="submit"
            tone={isChanged ? 'primary' : 'plain'}
            isDisabled={!isChanged}
            isBusy={busy === 'save'}
          >
            Save
          </Button>
          <Button isBusy={busy === 'try'} isDisabled={draft.model.trim() === ''} onClick={tryIt}>
            {isChanged ? 'Save and test' : 'Test'}
          </Button>
          {settings.key === 'stored' && !draft.forgetKey ? (
            <Button tone="quiet" onClick={() => change({ forgetKey: true, newKey: '' })}>
              Forget the key
            </Button>
          ) : null}
        </div>
        <TryOutcome failure={failure} tried={tried} model={settings.model} />
        <ModelAbilities role={role} isDisabled={isChanged || settings.model === null} />
      </div>
    </form>
  );
}

function TryOutcome({
  failure,
  tried,
  model,
}: {
  failure: FailureShape | null;
  tried: TriedModel | null;
  model: string | null;
}): ReactNode {
  if (failure !== null) return <ErrorNote title="Could not save or test it" failure={failure} />;
  if (tried === null) return null;
  if (tried.failure !== null) return <ErrorNote title="The model did not answer" failure={tried.failure} />;
  return (
    <p className={styles.works} role="status">
      <CircleCheck aria-hidden="true" /> {model ?? 'The model'} answered in {formatDuration(tried.latency_ms)}
    </p>
  );
}
