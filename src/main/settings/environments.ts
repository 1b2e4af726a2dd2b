// Owns: the environments a person added, as they stand in the settings file.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { EnvironmentSpec } from '../../shared/events/lifecycle.ts';

/** What the file holds; `tell` hears that some of it cannot be read. */
export function environmentsIn(
  raw: Readonly<Record<string, unknown>>,
  tell: (notice: string) => void,
): EnvironmentSpec[] {
  const list = raw['environments'];
  if (list === undefined) return [];
  const read = z.array(z.unknown()).safeParse(list).data ?? [];
  const good = read.flatMap((one) => EnvironmentSpec.safeParse(one).data ?? []);
  if (good.length < read.length || !Array.isArray(list))
    tell('settings.json: an environment in the file cannot be read and is left out.');
  return good.map((one) => ({ ...one, builtin: false }));
}

/** An address has one id, however often it is added. */
export function environmentOf(name: string, url: string): EnvironmentSpec {
  const address = url.trim().replace(/\/+$/, '');
  const id = `env-${createHash('sha256').update(address).digest('hex').slice(0, 10)}`;
  return { id, name: name.trim(), url: address, builtin: false };
}

/** The list without one address, everything else in it as it was, readable or not. */
export const withoutEnvironment = (raw: Readonly<Record<string, unknown>>, id: string): unknown[] =>
  (z.array(z.unknown()).safeParse(raw['environments']).data ?? []).filter(
    (one) => EnvironmentSpec.safeParse(one).data?.id !== id,
  );
