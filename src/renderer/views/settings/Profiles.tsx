// The named model profiles: which there are, adding one, taking one away. One is chosen when an episode is started.
import { useState, type ReactNode } from 'react';
import { useAct } from '../../state/queries.ts';
import { ModelAbilities } from './ModelAbilities.tsx';
import { PROVIDERS, REASONING } from './model.ts';
import {
  NamedLine,
  orNull,
  RemoveButton,
  SaveForm,
  SettingsSection,
  type ChangeSettings,
  type FormField,
  type Settings,
} from './SettingsForm.tsx';
import * as styles from './SettingsView.module.css';

export const Profiles = (): ReactNode => (
  <SettingsSection
    id="profiles"
    title="Model profiles"
    about={
      <p>
        Further models for the agent, each with its own address and key. Choose one when you start an episode,
        or with <code>--agent-profile</code>.
      </p>
    }
  >
    {({ profiles }, change) => (
      <>
        <ProfileList profiles={profiles} change={change} />
        <AddProfile change={change} />
      </>
    )}
  </SettingsSection>
);

type ProfileListProps = { profiles: Settings['profiles']; change: ChangeSettings };

function ProfileList({ profiles, change }: ProfileListProps): ReactNode {
  const { run: remove } = useAct(
    (name: string) => change({ profiles: { remove: name } }),
    'Could not remove the profile',
  );
  return (
    <ul className={styles.environments}>
      {profiles.map(({ name, model, base_url: baseUrl, provider, key, reasoning }) => (
        <NamedLine
          key={name}
          name={name}
          detail={
            <code className="one-line shrinks quiet">
              {[
                model,
                baseUrl ?? (provider === 'azure' ? 'no endpoint' : 'OpenAI'),
                key === 'none' ? 'no key' : 'key stored',
                ...(reasoning === 'off' ? ['reasoning never sent back'] : []),
              ].join(' · ')}
            </code>
          }
          acts={<RemoveButton label={`Remove the profile ${name}`} onRemove={() => void remove(name)} />}
        >
          <ModelAbilities role="agent" profile={name} />
        </NamedLine>
      ))}
    </ul>
  );
}

const NO_MODEL = { provider: 'openai', baseUrl: '', model: '', apiVersion: '', reasoning: 'auto' };
const EMPTY = { name: '', apiKey: '', ...NO_MODEL };

function AddProfile({ change }: { change: ChangeSettings }): ReactNode {
  const [draft, setDraft] = useState(EMPTY);
  const { name, provider, baseUrl, model, apiVersion, apiKey, reasoning } = draft;
  const isAzure = provider === 'azure';
  const isNamed = /^[\w.-]*$/.test(name.trim());
  const fields: FormField<typeof EMPTY>[] = [
    {
      name: 'name',
      label: 'Profile name',
      kind: 'mono',
      maxLength: 60,
      hint: 'A name that is there is replaced.',
      error: isNamed ? null : 'Use letters, digits, dots, dashes and underscores.',
    },
    { name: 'provider', label: 'Profile provider', options: PROVIDERS },
    {
      name: 'baseUrl',
      label: 'Profile address',
      kind: 'url',
      placeholder: isAzure ? 'https://name.openai.azure.com' : 'https://api.openai.com/v1',
    },
    { name: 'model', label: isAzure ? 'Profile deployment' : 'Profile model', kind: 'mono' },
    ...(isAzure
      ? [{ name: 'apiVersion', label: 'Profile API version', kind: 'mono' } satisfies FormField<typeof EMPTY>]
      : []),
    { name: 'reasoning', label: 'Profile reasoning', options: REASONING },
    { name: 'apiKey', label: 'Profile key', kind: 'secret' },
  ];
  const save = async (): Promise<void> => {
    const profile = {
      name: name.trim(),
      provider: isAzure ? ('azure' as const) : ('openai' as const),
      base_url: orNull(baseUrl),
      model: model.trim(),
      api_version: orNull(apiVersion),
      ...(reasoning === 'off' ? { reasoning: 'off' as const } : {}),
      ...(apiKey === '' ? {} : { api_key: apiKey }),
    };
    await change({ profiles: { save: profile } });
    setDraft(EMPTY);
  };
  return (
    <SaveForm
      label="Add a model profile"
      fields={fields}
      draft={draft}
      onDraft={setDraft}
      isReady={isNamed && name.trim() !== '' && model.trim() !== ''}
      onSave={save}
      saveLabel="Save profile"
      problem="Could not save the profile"
    />
  );
}
