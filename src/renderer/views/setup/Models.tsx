// The models: the agent's, the advisor's and named profiles, each on a line, and the one form that changes or adds one.
import { useState, type ReactNode } from 'react';
import { useToast } from '../../state/hooks.ts';
import { useAct } from '../../state/queries.ts';
import { Button } from '../../ui/Button.tsx';
import {
  NamedLine,
  RemoveButton,
  SaveForm,
  SettingsSection,
  SureButton,
  type ChangeSettings,
  type FormField,
  type Settings,
} from './form.tsx';
import {
  EMPTY_MODEL,
  isProfileName,
  keyText,
  modelDraft,
  overruled,
  patchOf,
  profileOf,
  PROVIDERS,
  REASONING,
  type ModelDraft,
  type ModelSettings,
} from './model.ts';
import { ModelAbilities } from './ModelAbilities.tsx';
import * as styles from './Setup.module.css';

/** Without a model of theirs, these still do something. */
const ROLES = {
  agent: { title: 'Agent', without: 'No model: the rehearsal agent acts, by a script.' },
  expert: {
    title: 'Advisor',
    without: 'No model: drafts come from the task’s reference plan, and are marked.',
  },
} as const;
type Role = keyof typeof ROLES;
const ROLE_NAMES = Object.keys(ROLES) as Role[];

/** The model in the open form. */
type Edited = { role: Role } | { profile: string } | null;

export const Models = (): ReactNode => (
  <SettingsSection
    id="models"
    title="Agent, advisor, profiles"
    about={
      <p>
        The agent acts; the advisor drafts answers for you, or answers on its own under the condition Model. A
        profile is a further model: choose it when you start an episode, for an expert, or with{' '}
        <code>--agent-profile</code>.
      </p>
    }
  >
    {(settings, change) => <ModelList settings={settings} change={change} />}
  </SettingsSection>
);

type ModelListProps = { settings: Settings; change: ChangeSettings };

function ModelList({ settings, change }: ModelListProps): ReactNode {
  const [edited, setEdited] = useState<Edited>(null);
  const { run: remove } = useAct(
    (name: string) => change({ profiles: { remove: name } }),
    'Could not remove the profile',
  );
  const changeButton = (name: string, one: Edited): ReactNode => (
    <Button size="small" tone="quiet" aria-label={`Change ${name}`} onClick={() => setEdited(one)}>
      Change
    </Button>
  );
  return (
    <>
      <ul className={styles.list} aria-label="Models">
        {ROLE_NAMES.map((role) => {
          const { title, without } = ROLES[role];
          const { model, key } = settings[role];
          return (
            <NamedLine key={role} name={title} acts={changeButton(title, { role })}>
              <p className="quiet breaks">
                {model === null && key === 'none' ? without : modelText(settings[role], settings)}
              </p>
              {model === null ? null : <ModelAbilities role={role} />}
            </NamedLine>
          );
        })}
        {settings.profiles.map((profile) => (
          <NamedLine
            key={profile.name}
            name={profile.name}
            acts={
              <>
                {changeButton(profile.name, { profile: profile.name })}
                <RemoveButton
                  label={`Remove the profile ${profile.name}`}
                  onRemove={() => void remove(profile.name)}
                />
              </>
            }
          >
            <p className="quiet breaks">{modelText(profile, settings)}</p>
            <ModelAbilities role="agent" profile={profile.name} />
          </NamedLine>
        ))}
      </ul>
      <ModelForm
        key={JSON.stringify(edited)}
        edited={edited}
        settings={settings}
        change={change}
        onLeave={() => setEdited(null)}
      />
    </>
  );
}

/** `gpt-5 · OpenAI · key from OPENAI_API_KEY`, and which values something else than the settings says. */
function modelText(of: ModelSettings | Settings['profiles'][number], { key_store: store }: Settings): string {
  const { provider, base_url: baseUrl, model, reasoning } = of;
  const from = 'from' in of ? of.from : undefined;
  const sources = [from?.provider, from?.base_url, from?.model, from?.api_version].filter(
    (source) => typeof source === 'string' && source !== 'settings',
  );
  return [
    model ?? 'No model',
    baseUrl ?? (provider === 'azure' ? 'no endpoint' : 'OpenAI'),
    keyText(of, store),
    ...(reasoning === 'off' ? ['reasoning never sent back'] : []),
    ...(sources.length === 0 ? [] : [`from ${[...new Set(sources)].join(', ')}`]),
  ].join(' · ');
}

function fieldsOf(draft: ModelDraft, edited: Edited, isKept: boolean): FormField<ModelDraft>[] {
  const isAzure = draft.provider === 'azure';
  const role = edited !== null && 'role' in edited ? edited.role : null;
  const fields: (FormField<ModelDraft> | null)[] = [
    edited === null
      ? {
          name: 'name',
          label: 'Name',
          kind: 'mono',
          maxLength: 60,
          hint: 'Needed. A profile that has the name is replaced.',
          error: isProfileName(draft.name) ? null : 'Use letters, digits, dots, dashes and underscores.',
        }
      : null,
    { name: 'provider', label: 'Provider', hint: 'OpenAI or compatible unless set.', options: PROVIDERS },
    {
      name: 'baseUrl',
      label: isAzure ? 'Endpoint' : 'Base URL',
      hint: isAzure
        ? 'Needed, such as https://name.openai.azure.com.'
        : 'OpenAI’s own unless set. Any server with a chat completions API.',
      kind: 'url',
    },
    {
      name: 'model',
      label: isAzure ? 'Deployment' : 'Model',
      hint: role === null ? 'Needed.' : 'None unless set.',
      kind: 'mono',
    },
    isAzure ? { name: 'apiVersion', label: 'API version', hint: 'None unless set.', kind: 'mono' } : null,
    // An advisor is asked once a question: there is no earlier reply of it.
    role === 'expert'
      ? null
      : {
          name: 'reasoning',
          label: 'Its reasoning',
          hint: 'Sent back where the server takes it, unless set.',
          options: REASONING,
        },
    {
      name: 'newKey',
      label: 'New key',
      hint: isKept ? 'The stored one unless set.' : 'None unless set. Your own server may not need one.',
      kind: 'secret',
    },
  ];
  return fields.filter((field) => field !== null);
}

type ModelFormProps = ModelListProps & { edited: Edited; onLeave: () => void };

/** Adds a profile, or changes the model it is opened for. */
function ModelForm({ edited, settings, change, onLeave }: ModelFormProps): ReactNode {
  const toast = useToast();
  const role = edited !== null && 'role' in edited ? edited.role : null;
  const now =
    role === null
      ? settings.profiles.find(
          ({ name }) => edited !== null && 'profile' in edited && name === edited.profile,
        )
      : settings[role];
  const [draft, setDraft] = useState(() => (now === undefined ? EMPTY_MODEL : modelDraft(now)));
  const profile = role === null ? profileOf(draft) : null;
  const patch = role === null ? {} : patchOf(settings[role], draft);
  const save = async (): Promise<void> => {
    if (profile !== null) await change({ profiles: { save: profile } });
    else if (role !== null) {
      const kept = overruled(patch, (await change({ [role]: patch }))[role]);
      if (kept.length > 0)
        toast({
          tone: 'waiting',
          title: 'Saved, but overridden',
          text: `A flag or an environment variable sets the ${kept.join(' and the ')}.`,
        });
    }
    setDraft(EMPTY_MODEL);
    onLeave();
  };
  const { run: forgetKey } = useAct(async () => {
    if (role !== null) await change({ [role]: { api_key: null } });
    else if (profile !== null) await change({ profiles: { save: { ...profile, api_key: null } } });
    onLeave();
  }, 'Could not forget the key');
  const name = role === null ? (now === undefined ? null : draft.name) : ROLES[role].title;
  return (
    <SaveForm
      label={name === null ? 'Add a model profile' : `Change ${name}`}
      fields={fieldsOf(draft, edited, now?.key === 'stored')}
      draft={draft}
      onDraft={setDraft}
      isReady={profile !== null || Object.keys(patch).length > 0}
      onSave={save}
      saveLabel={name === null ? 'Save profile' : 'Save'}
      problem="Could not save it"
      takesFocus={edited !== null}
      acts={
        edited === null ? null : (
          <>
            <Button tone="quiet" onClick={onLeave}>
              Leave as it was
            </Button>
            {now?.key === 'stored' ? (
              <SureButton
                verb="Forget the key"
                name={null}
                sureLabel="Forget now"
                onSure={() => void forgetKey()}
              />
            ) : null}
          </>
        )
      }
    />
  );
}
