// The kinds of environments, and what the whole product has to know of each. A kind that is driven also has an
// adapter in src/main/environments.
import type { EnvironmentSpec } from './events/lifecycle.ts';

type EnvironmentKind = {
  /** Served by this process: no address to show, nothing to remove, and its episodes end when the product does. */
  isPartOfProduct: boolean;
  /** Shown beside the name in place of an address. */
  badge: string | null;
  /** What a person may point to where no verifier is found; null where there is no such folder. */
  verifierData: string | null;
};

const KINDS = {
  builtin: { isPartOfProduct: true, badge: 'built in', verifierData: null },
  openenv: { isPartOfProduct: false, badge: null, verifierData: 'Agent World Model data' },
} satisfies Record<string, EnvironmentKind>;

export type EnvironmentKindName = keyof typeof KINDS;

export const kindNameOf = ({ builtin }: EnvironmentSpec): EnvironmentKindName =>
  builtin ? 'builtin' : 'openenv';

export const kindOf = (spec: EnvironmentSpec): EnvironmentKind => KINDS[kindNameOf(spec)];

/**
 * Tells scenarios of one name apart: the environment by its name, so that it may move to another address. Files that
 * are imported share one for each format: what they call their environment is often no more than their own name.
 */
export const environmentKey = ({ id, name }: Pick<EnvironmentSpec, 'id' | 'name'>): string =>
  id.startsWith('import:') ? id : name;

/** A key as keys are compared: a server of this machine without a name is one by whichever loopback name it was called. */
export const comparedKey = (key: string): string =>
  key.replace(/^(?:127\.0\.0\.1|\[::1\]|localhost)(?=$|:\d+$)/i, 'localhost');

/** An OpenEnv server at an address, or with an empty one an environment that is known by name only. */
export const serverSpec = (id: string, name: string, url: string): EnvironmentSpec => ({
  id,
  name,
  url,
  builtin: false,
});

export const BUILT_IN = 'builtin';
export const BUILT_IN_NAME = 'Built-in worlds';

export const builtInSpec = (url: string): EnvironmentSpec => ({
  id: BUILT_IN,
  name: BUILT_IN_NAME,
  url,
  builtin: true,
});
