// What a person edits about a model, and the change it makes. Pure.
import type { Inputs, Outputs } from '../../../shared/contract/contract.ts';
import { orNull } from './SettingsForm.tsx';

export type SettingsRole = 'agent' | 'expert';
export type ModelSettings = Outputs['settings.read']['agent'];
type ModelPatch = NonNullable<Inputs['settings.change']['agent']>;

export const PROVIDERS = [
  { value: 'openai', label: 'OpenAI or compatible' },
  { value: 'azure', label: 'Azure OpenAI' },
] as const;

/** Whether a model reads again what it thought since somebody last spoke to it. */
export const REASONING = [
  { value: 'auto', label: 'Sent back where the server takes it' },
  { value: 'off', label: 'Never sent back' },
] as const;

export type ModelDraft = ReturnType<typeof modelDraft>;

export const modelDraft = (settings: ModelSettings) => ({
  provider: settings.provider as string,
  baseUrl: settings.base_url ?? '',
  model: settings.model ?? '',
  apiVersion: settings.api_version ?? '',
  reasoning: settings.reasoning as string,
  newKey: '',
});

/** Only what differs from what is set; empty when nothing does. */
export function patchOf(settings: ModelSettings, draft: ModelDraft, forgetsKey: boolean): ModelPatch {
  const [baseUrl, model, apiVersion] = [draft.baseUrl, draft.model, draft.apiVersion].map(orNull);
  const wanted = {
    provider: draft.provider === 'azure' ? 'azure' : 'openai',
    base_url: baseUrl,
    model,
    api_version: apiVersion,
    reasoning: draft.reasoning === 'off' ? 'off' : 'auto',
  } as const;
  const changed = Object.entries(wanted).filter(([field, value]) => settings[field as Saved] !== value);
  const key = draft.newKey !== '' ? { api_key: draft.newKey } : forgetsKey ? { api_key: null } : {};
  return { ...Object.fromEntries(changed), ...key };
}

const FIELD_NAMES = {
  provider: 'provider',
  base_url: 'base URL',
  model: 'model',
  api_version: 'API version',
  reasoning: 'reasoning',
} as const;
type Saved = keyof typeof FIELD_NAMES;

/** Names of fields whose saved value is not in force afterwards: an environment variable or a flag decides them. */
export const overruled = (patch: ModelPatch, settings: ModelSettings): string[] =>
  Object.entries(FIELD_NAMES).flatMap(([field, name]) =>
    Object.hasOwn(patch, field) && patch[field as Saved] !== settings[field as Saved] ? [name] : [],
  );

/** What a value was read from, where a person would look for it elsewhere than here. */
export function fromText(
  { from }: ModelSettings,
  field: keyof NonNullable<ModelSettings['from']>,
): string | undefined {
  const source = from?.[field] ?? null;
  return source === null || source === 'settings' ? undefined : `From ${source}.`;
}

/** Where the key comes from, in words. */
export function keyText(settings: ModelSettings, store: 'keychain' | 'file'): string {
  const { key, from, has_token_command: hasCommand } = settings;
  if (hasCommand === true) return `A command prints an access token (from ${from?.key ?? 'settings'}).`;
  switch (key) {
    case 'none':
      return 'No key set. Your own server may not need one.';
    case 'environment':
      return `The key comes from ${from?.key ?? 'an environment variable'}.`;
    case 'stored':
      return store === 'keychain'
        ? 'A key is stored in the keychain of this computer.'
        : 'A key is stored in the data folder, in a file only you can read.';
  }
}
