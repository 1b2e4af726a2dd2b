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

export type ModelDraft = Readonly<Record<'provider' | 'baseUrl' | 'model' | 'apiVersion' | 'newKey', string>>;

export const modelDraft = (settings: ModelSettings): ModelDraft => ({
  provider: settings.provider,
  baseUrl: settings.base_url ?? '',
  model: settings.model ?? '',
  apiVersion: settings.api_version ?? '',
  newKey: '',
});

/** Only what differs from what is set; empty when nothing does. */
export function patchOf(settings: ModelSettings, draft: ModelDraft, forgetsKey: boolean): ModelPatch {
  const provider = draft.provider === 'azure' ? 'azure' : 'openai';
  const [baseUrl, model, apiVersion] = [draft.baseUrl, draft.model, draft.apiVersion].map(orNull);
  return {
    ...(provider === settings.provider ? {} : { provider }),
    ...(baseUrl === settings.base_url ? {} : { base_url: baseUrl }),
    ...(model === settings.model ? {} : { model }),
    ...(apiVersion === settings.api_version ? {} : { api_version: apiVersion }),
    ...(draft.newKey !== '' ? { api_key: draft.newKey } : forgetsKey ? { api_key: null } : {}),
  };
}

/** Fields whose saved value is not in force afterwards: an environment variable or a flag decides them. */
export function overruled(patch: ModelPatch, settings: ModelSettings): string[] {
  const fields = ['provider', 'base_url', 'model', 'api_version'] as const;
  return fields.filter((field) => Object.hasOwn(patch, field) && patch[field] !== settings[field]);
}

export const FIELD_NAMES: Readonly<Record<string, string>> = {
  provider: 'provider',
  base_url: 'base URL',
  model: 'model',
  api_version: 'API version',
};

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
