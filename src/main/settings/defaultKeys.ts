// The keys that are there without anybody making them: one to each environment's tap, one to the expert.
import type { EnvironmentSpec } from '../../shared/events/lifecycle.ts';
import { defaultTapKey, expertKey, type NewKey, type StoredKey } from './keyShapes.ts';
import type { Secrets } from './fileSecrets.ts';

/** Where the words of a default key lie among the secrets. */
export const keySecretName = (id: string): string => `key.${id}`;

type DefaultKeysDependencies = { secrets: Secrets; live: () => StoredKey[]; add: (keys: NewKey[]) => void };

export function createDefaultKeys({ secrets, live, add }: DefaultKeysDependencies) {
  const known = () =>
    live().flatMap((one) => {
      const secret = one.is_default ? secrets.read(keySecretName(one.id)) : null;
      return secret === null ? [] : [{ ...one, secret }];
    });
  return {
    ensureDefaults: (environments: readonly EnvironmentSpec[]): void => {
      // A secret that a keychain has lost cannot be printed any more: such a key gets a companion that can.
      const there = known();
      const isThere = ({ environment, scopes }: NewKey): boolean =>
        there.some((one) => one.environment === environment && scopes.every((s) => one.scopes.includes(s)));
      const missing = [expertKey(), ...environments.map(defaultTapKey)].filter((key) => !isThere(key));
      if (missing.length > 0) add(missing);
    },
    defaults: (): { expert: string; taps: { environment: string; token: string }[] } => {
      const there = known();
      return {
        expert: there.find(({ scopes }) => scopes.includes('expert'))?.secret ?? '',
        taps: there.flatMap(({ environment, secret }) =>
          environment === null ? [] : [{ environment, token: secret }],
        ),
      };
    },
  };
}
