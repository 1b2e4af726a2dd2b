// The keys that are there without anybody making them: one for each environment, which opens every door.
import type { EnvironmentSpec } from '../../shared/events/lifecycle.ts';
import { defaultKey, type NewKey, type StoredKey } from './keyShapes.ts';
import type { Secrets } from './fileSecrets.ts';

/** Where the words of a default key lie among the secrets. */
export const keySecretName = (id: string): string => `key.${id}`;

export type DefaultKey = { environment: string; secret: string };
type DefaultKeysDependencies = { secrets: Secrets; live: () => StoredKey[]; add: (keys: NewKey[]) => void };

export function createDefaultKeys({ secrets, live, add }: DefaultKeysDependencies) {
  const known = () =>
    live().flatMap((one) => {
      const secret = one.is_default ? secrets.read(keySecretName(one.id)) : null;
      return secret === null || one.environment === null
        ? []
        : [{ ...one, environment: one.environment, secret }];
    });
  return {
    ensureDefaults: (environments: readonly EnvironmentSpec[]): void => {
      // A secret that a keychain has lost cannot be printed any more: such a key gets a companion that can.
      const there = known();
      const isThere = ({ environment, scopes }: NewKey): boolean =>
        there.some((one) => one.environment === environment && scopes.every((s) => one.scopes.includes(s)));
      const missing = environments.map(defaultKey).filter((key) => !isThere(key));
      if (missing.length > 0) add(missing);
    },
    /** Each opens its environment's tap, the expert, MCP and the agent's model. */
    defaults: (): DefaultKey[] => known().map(({ environment, secret }) => ({ environment, secret })),
  };
}
