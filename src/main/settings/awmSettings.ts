// The Agent World Model's section of the settings: its data folder, how it verifies, its judge. The judge's key is in
// the secrets, and goes only to the address it was given for.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { AwmPatch, AwmSettings } from '../../shared/contract/settings.ts';
import { VerifierMode } from '../../shared/events/lifecycle.ts';
import { Failure } from '../../shared/failure.ts';
import { hasCredentials } from '../../shared/redact/address.ts';
import type { Secrets } from './fileSecrets.ts';
import type { JsonFile } from './jsonFile.ts';

/** Flags of the command line. */
export type AwmFlags = {
  dataFolder?: string | undefined;
  judgeBaseUrl?: string | undefined;
  judgeModel?: string | undefined;
};
export type Judge = { baseUrl: string; model: string; apiKey: string | null };
export type AwmSettingsStore = {
  awmData: () => { folder: string; from: AwmSettings['data_from'] };
  /** The judge that the server is told of; null where none is set, and the server's own is left to it. */
  judge(): Judge | null;
  verifierMode(): VerifierMode;
  describeAwm(): Omit<AwmSettings, 'data_problem'>;
  /** Throws `bad_input` for an address with credentials in it. */
  writeAwm(patch: AwmPatch): void;
};

const Section = z.looseObject({
  data_folder: z.string().nullish().catch(null),
  verifier_mode: VerifierMode.catch('code').default('code'),
  judge_base_url: z.string().nullish().catch(null),
  judge_model: z.string().nullish().catch(null),
});

const KEY_NAME = 'judge.api_key';

type Source = { baseUrl: string | null; model: string | null; apiKey: string | null };

export function awmSection(
  file: JsonFile,
  secrets: Secrets,
  environment: Readonly<Record<string, string | undefined>>,
  flags: AwmFlags,
): AwmSettingsStore {
  const section = () => Section.parse(file.read()['awm'] ?? {});
  const { given, shared, dataVariable } = namedSources(environment, flags);
  const stored = (): Source => {
    const { judge_base_url: baseUrl, judge_model: model } = section();
    return { baseUrl: trimmed(baseUrl), model: trimmed(model), apiKey: secrets.read(KEY_NAME) };
  };
  const over = [given, shared].find(({ baseUrl }) => baseUrl !== null) ?? null;
  const inForce = (): Source => {
    const base = over ?? stored();
    return { ...base, model: given.model ?? base.model };
  };
  const awmData: AwmSettingsStore['awmData'] = () => {
    const flag = trimmed(flags.dataFolder);
    if (flag !== null) return { folder: flag, from: 'flag' };
    if (dataVariable !== null) return { folder: dataVariable, from: 'environment' };
    const kept = trimmed(section().data_folder);
    if (kept !== null) return { folder: kept, from: 'settings' };
    return { folder: join(homedir(), '.cache', 'openenv', 'awm'), from: 'default' };
  };
  return {
    awmData,
    judge: () => {
      const { baseUrl, model, apiKey } = inForce();
      return baseUrl === null || model === null ? null : { baseUrl, model, apiKey };
    },
    verifierMode: () => section().verifier_mode,
    describeAwm: () => {
      const { folder, from } = awmData();
      const { baseUrl, model, apiKey } = inForce();
      const key = apiKey === null ? 'none' : over === null ? 'stored' : 'environment';
      return {
        data_folder: folder,
        data_from: from,
        data_setting: trimmed(section().data_folder),
        verifier_mode: section().verifier_mode,
        judge: { base_url: baseUrl, model, key, is_overridden: over !== null || given.model !== null },
      };
    },
    writeAwm: ({ judge_key: key, ...patch }) => {
      const url = patch.judge_base_url ?? null;
      if (url !== null && hasCredentials(url)) {
        throw new Failure('bad_input', 'the judge’s base URL holds credentials', {
          next: 'Put the key into its own field.',
        });
      }
      if (key !== undefined) secrets.write(KEY_NAME, trimmed(key));
      file.write({ ...file.read(), awm: { ...section(), ...patch } });
    },
  };
}

/** The sources in flags and variables: for this product alone, and under the names of the environment's own server. */
function namedSources(
  environment: Readonly<Record<string, string | undefined>>,
  { judgeBaseUrl, judgeModel }: AwmFlags,
): { given: Source; shared: Source; dataVariable: string | null } {
  const variable = (name: string): string | null => trimmed(environment[name]);
  return {
    given: {
      baseUrl: trimmed(judgeBaseUrl) ?? variable('INTERJECT_JUDGE_BASE_URL'),
      model: trimmed(judgeModel) ?? variable('INTERJECT_JUDGE_MODEL'),
      apiKey: variable('INTERJECT_JUDGE_API_KEY'),
    },
    shared: {
      baseUrl: variable('OPENENV_AWM_LLM_BASE_URL'),
      model: variable('OPENENV_AWM_LLM_MODEL'),
      apiKey: variable('OPENENV_AWM_LLM_API_KEY'),
    },
    dataVariable: variable('AWM_DATA_DIR'),
  };
}

function trimmed(text: string | null | undefined): string | null {
  const bare = text?.trim() ?? '';
  return bare === '' ? null : bare;
}
