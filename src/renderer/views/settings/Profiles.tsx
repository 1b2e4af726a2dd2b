// The named model profiles: which there are, adding one, taking one away. One is chosen when an episode is started.
import { Trash2 } from 'lucide-react';
import { useState, type FormEvent, type ReactNode } from 'react';
import type { Outputs } from '../../../shared/contract/contract.ts';
import { useSession } from '../../state/hooks.ts';
import { useAct, useAsk } from '../../state/queries.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Input, Select } from '../../ui/Field.tsx';
import { ModelAbilities } from './ModelAbilities.tsx';
import * as styles from './SettingsView.module.css';

type Profile = Outputs['settings.read']['profiles'][number];

const KEY_LABELS: Readonly<Record<Profile['key'], string>> = {
  none: 'no key',
  stored: 'key stored',
};

const EMPTY = {
  name: '',
  provider: 'openai' as Profile['provider'],
  base_url: '',
  model: '',
  api_version: '',
  api_key: '',
};

export function Profiles(): ReactNode {
  const { call } = useSession();
  const { value, failure, again } = useAsk('settings.read', {});
  const remove = useAct(async (name: string) => {
    await call('settings.change', { profiles: { remove: name } }).finally(again);
  }, 'Could not remove the profile');
  return (
    <section className={styles.section} aria-labelledby="profiles-title">
      <div className={styles.about}>
        <h2 id="profiles-title" className={styles.title}>
          Model profiles
        </h2>
        <p>
          Further models for the agent, each with its own address and key. Choose one when you start an
          episode, or with <code>--agent-profile</code>.
        </p>
      </div>
      <div className={styles.fields}>
        {failure === null ? null : <ErrorNote title="Could not read the profiles" failure={failure} />}
        <ul className={styles.environments}>
          {(value?.profiles ?? []).map((profile) => (
            <li key={profile.name} className={styles.environment}>
              <div className={styles.environmentLine}>
                <span className={styles.environmentName}>{profile.name}</span>
                <code className={styles.url}>{profileText(profile)}</code>
                <span className={styles.gap} />
                <IconButton
                  label={`Remove the profile ${profile.name}`}
                  icon={<Trash2 />}
                  onClick={() => void remove.run(profile.name)}
                />
              </div>
              <ModelAbilities role="agent" profile={profile.name} />
            </li>
          ))}
        </ul>
        <AddProfile onAdded={again} />
      </div>
    </section>
  );
}

const profileText = ({ model, base_url, provider, key }: Profile): string =>
  [model, base_url ?? (provider === 'azure' ? 'no endpoint' : 'OpenAI'), KEY_LABELS[key]].join(' · ');

function AddProfile({ onAdded }: { onAdded: () => void }): ReactNode {
  const { call } = useSession();
  const [draft, setDraft] = useState(EMPTY);
  const change = (by: Partial<typeof draft>): void => setDraft((old) => ({ ...old, ...by }));
  const { name, provider, base_url, model, api_version, api_key } = draft;
  const save = useAct(async () => {
    const profile = {
      name: name.trim(),
      provider,
      base_url: orNull(base_url),
      model: model.trim(),
      api_version: orNull(api_version),
      ...(api_key === '' ? {} : { api_key }),
    };
    await call('settings.change', { profiles: { save: profile } });
    setDraft(EMPTY);
    onAdded();
  });
  const isNamed = /^[\w.-]*$/.test(name.trim());
  const isReady = isNamed && name.trim() !== '' && model.trim() !== '';
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (isReady) void save.run();
  };
  const isAzure = provider === 'azure';
  return (
    <form className={styles.profile} onSubmit={onSubmit} aria-label="Add a model profile">
      <Field
        label="Profile name"
        hint="A name that is there is replaced."
        error={isNamed ? null : 'Use letters, digits, dots, dashes and underscores.'}
      >
        <Input isMono value={name} maxLength={60} onChange={({ target }) => change({ name: target.value })} />
      </Field>
      <Field label="Profile provider">
        <Select
          value={provider}
          options={[
            { value: 'openai', label: 'OpenAI or compatible' },
            { value: 'azure', label: 'Azure OpenAI' },
          ]}
          onChoose={(chosen) => change({ provider: chosen })}
        />
      </Field>
      <Field label="Profile address">
        <Input
          isMono
          inputMode="url"
          value={base_url}
          placeholder={isAzure ? 'https://name.openai.azure.com' : 'https://api.openai.com/v1'}
          onChange={({ target }) => change({ base_url: target.value })}
        />
      </Field>
      <Field label={isAzure ? 'Profile deployment' : 'Profile model'}>
        <Input isMono value={model} onChange={({ target }) => change({ model: target.value })} />
      </Field>
      {isAzure ? (
        <Field label="Profile API version">
          <Input
            isMono
            value={api_version}
            onChange={({ target }) => change({ api_version: target.value })}
          />
        </Field>
      ) : null}
      <Field label="Profile key">
        <Input
          isMono
          type="password"
          autoComplete="new-password"
          value={api_key}
          onChange={({ target }) => change({ api_key: target.value })}
        />
      </Field>
      <div className={styles.actions}>
        <Button type="submit" isDisabled={!isReady} isBusy={save.isBusy}>
          Save profile
        </Button>
      </div>
      {save.failure === null ? null : <ErrorNote title="Could not save the profile" failure={save.failure} />}
    </form>
  );
}

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());
