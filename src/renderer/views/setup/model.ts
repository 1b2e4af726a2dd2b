// A person's edits of a model, of the agent, the advisor or a profile, and the change they make. Pure.
import type { Inputs, Outputs } from '../../../shared/contract/contract.ts';
import { orNull } from './form.tsx';

export type ModelSettings = Outputs['settings.read']['agent'];
type Profile = Outputs['settings.read']['profiles'][number];
type ModelPatch = NonNullable<Inputs['settings.change']['agent']>;
type ProfilePatch = Extract<NonNullable<Inputs['settings.change']['profiles']>, { save: unknown }>['save'];

export const PROVIDERS = [
  { value: 'openai', label: 'OpenAI or compatible' },
  { value: 'azure', label: 'Azure OpenAI' },
] as const;

/** Choices for sending a model what it thought since somebody last spoke to it. */
export const REASONING = [
  { value: 'auto', label: 'Sent back where the server takes it' },
  { value: 'off', label: 'Never sent back' },
] as const;

export type ModelDraft = Readonly<
  Record<'name' | 'provider' | 'baseUrl' | 'model' | 'apiVersion' | 'reasoning' | 'newKey', string>
>;
export const EMPTY_MODEL: ModelDraft = {
  name: '',
  provider: 'openai',
  baseUrl: '',
  model: '',
  apiVersion: '',
  reasoning: 'auto',
  newKey: '',
};

/** A key is never shown: a new one is typed. */
export const modelDraft = (of: ModelSettings | Profile): ModelDraft => ({
  name: 'name' in of ? of.name : '',
  provider: of.provider,
  baseUrl: of.base_url ?? '',
  model: of.model ?? '',
  apiVersion: of.api_version ?? '',
  reasoning: of.reasoning ?? 'auto',
  newKey: '',
});

const wanted = ({ provider, baseUrl, model, apiVersion, reasoning }: ModelDraft) =>
  ({
    provider: provider === 'azure' ? 'azure' : 'openai',
    base_url: orNull(baseUrl),
    model: orNull(model),
    api_version: orNull(apiVersion),
    reasoning: reasoning === 'off' ? 'off' : 'auto',
  }) as const;

/** Only what differs from what is set; empty when nothing does. */
export function patchOf(settings: ModelSettings, draft: ModelDraft): ModelPatch {
  const changed = Object.entries(wanted(draft)).filter(
    ([field, value]) => settings[field as keyof typeof FIELD_NAMES] !== value,
  );
  return { ...Object.fromEntries(changed), ...(draft.newKey === '' ? {} : { api_key: draft.newKey }) };
}

/** Null while a profile has no name that can be typed on a command line, or no model. */
export function profileOf(draft: ModelDraft): ProfilePatch | null {
  const { model, reasoning, ...fields } = wanted(draft);
  const name = draft.name.trim();
  if (model === null || name === '' || !isProfileName(name)) return null;
  return {
    name,
    model,
    ...fields,
    ...(reasoning === 'off' ? { reasoning } : {}),
    ...(draft.newKey === '' ? {} : { api_key: draft.newKey }),
  };
}

export const isProfileName = (name: string): boolean => /^[\w.-]*$/.test(name.trim());

const FIELD_NAMES = {
  provider: 'provider',
  base_url: 'base URL',
  model: 'model',
  api_version: 'API version',
  reasoning: 'reasoning',
} as const;

/** Names of fields whose saved value is not in force afterwards: an environment variable or a flag decides them. */
export const overruled = (patch: ModelPatch, settings: ModelSettings): string[] =>
  Object.entries(FIELD_NAMES).flatMap(([name, label]) => {
    const field = name as keyof typeof FIELD_NAMES;
    return Object.hasOwn(patch, field) && patch[field] !== settings[field] ? [label] : [];
  });

/** The source of the key, in words. */
export function keyText(of: ModelSettings | Profile, store: 'keychain' | 'file'): string {
  const from = 'from' in of ? (of.from?.key ?? null) : null;
  if ('has_token_command' in of && of.has_token_command === true)
    return `a command prints an access token (from ${from ?? 'settings'})`;
  switch (of.key) {
    case 'none':
      return 'no key';
    case 'environment':
      return `key from ${from ?? 'an environment variable'}`;
    case 'stored':
      return store === 'keychain'
        ? 'key stored in the keychain of this computer'
        : 'key stored in the data folder, in a file only you can read';
  }
}
