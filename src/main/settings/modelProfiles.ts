// The named model profiles in the settings file: each an endpoint of its own, chosen per run. Their keys are in the
// secrets alone: a profile that names a variable of this process could send any of them to its own address.
import { ModelProfile, type ProfileDescription } from '../../shared/contract/models.ts';
import { Failure } from '../../shared/failure.ts';
import { hasCredentials, isShownOnly, shownAddress } from '../../shared/redact/address.ts';
import type { Secrets } from './fileSecrets.ts';
import { rawList, type JsonFile } from './jsonFile.ts';
import { resolve, sourceOf, type ModelSource, type ResolvedModel } from './modelSources.ts';

export type ModelProfiles = {
  profiles(): ProfileDescription[];
  /** `api_key`: a new key to keep, null to forget it; left out, the kept one stays. */
  saveProfile(profile: ModelProfile, api_key?: string | null): void;
  removeProfile(name: string): void;
};

const keyName = (name: string): string => `profile.${name}.api_key`;
const addressName = (name: string): string => `profile.${name}.base_url`;

type RawSettings = Readonly<Record<string, unknown>>;

const rawProfiles = (raw: RawSettings): unknown[] => rawList(raw, 'profiles');

/** The profiles of the file, and what a person should know about the rest of them. */
export function profilesIn(raw: RawSettings): { good: ModelProfile[]; problems: string[] } {
  const all = rawProfiles(raw);
  const good = all.flatMap((one) => ModelProfile.safeParse(one).data ?? []);
  const isWhole =
    good.length === all.length && (raw['profiles'] === undefined || Array.isArray(raw['profiles']));
  return {
    good,
    problems: isWhole ? [] : ['settings.json: a model profile in the file cannot be read and is left out.'],
  };
}

type Parts = { file: JsonFile; secrets: Secrets };

export function modelProfiles({ file, secrets }: Parts): ModelProfiles {
  const without = (name: string): unknown[] =>
    rawProfiles(file.read()).filter((one) => ModelProfile.safeParse(one).data?.name !== name);
  return {
    profiles: () =>
      profilesIn(file.read()).good.map((profile) => ({
        ...profile,
        key: secrets.read(keyName(profile.name)) === null ? ('none' as const) : ('stored' as const),
      })),
    saveProfile: (profile, api_key) => {
      const given = profile.base_url;
      const before = profilesIn(file.read()).good.find(({ name }) => name === profile.name);
      const isSameAddress =
        before !== undefined && before.provider === profile.provider && before.base_url === given;
      if (api_key !== undefined || !isSameAddress) secrets.write(keyName(profile.name), api_key ?? null);
      if (given === null || !isShownOnly(given)) {
        secrets.write(addressName(profile.name), given !== null && hasCredentials(given) ? given : null);
      }
      const shown = { ...profile, base_url: given === null ? null : shownAddress(given) };
      file.write({ ...file.read(), profiles: [...without(profile.name), shown] });
    },
    removeProfile: (name) => {
      findProfile(file.read(), name);
      file.write({ ...file.read(), profiles: without(name) });
      secrets.write(keyName(name), null);
      secrets.write(addressName(name), null);
    },
  };
}

/** Throws `not_found`. */
function findProfile(raw: RawSettings, name: string): ModelProfile {
  const { good } = profilesIn(raw);
  const found = good.find((one) => one.name === name);
  if (found !== undefined) return found;
  throw new Failure('not_found', `there is no model profile ${name}`, {
    next:
      good.length === 0 ? 'Save one under Setup.' : `There are: ${good.map((one) => one.name).join(', ')}.`,
  });
}

/** Resolves a profile, under what the command line said. Throws `not_found`. */
export function resolveProfile({ file, secrets }: Parts, name: string, flags: ModelSource): ResolvedModel {
  const profile = findProfile(file.read(), name);
  const { provider, base_url, model, api_version, reasoning } = profile;
  const address = base_url !== null && isShownOnly(base_url) ? secrets.read(addressName(name)) : base_url;
  const resolved = resolve({
    flags,
    reasoning,
    own: sourceOf(
      {
        provider,
        baseUrl: address,
        model,
        apiVersion: api_version,
        apiKey: secrets.read(keyName(name)),
      },
      () => `profile ${name}`,
    ),
  });
  const isKept = resolved.key === 'environment' && resolved.from.apiKey === `profile ${name}`;
  return isKept ? { ...resolved, key: 'stored' } : resolved;
}
