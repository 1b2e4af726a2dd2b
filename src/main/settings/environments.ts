// Owns: the environments a person added, as they stand in the settings file.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { EnvironmentSpec } from '../../shared/events/lifecycle.ts';
import { Failure } from '../../shared/failure.ts';
import type { JsonFile } from './jsonFile.ts';

export type EnvironmentList = {
  /** The environments a person added; built-in worlds are not among them. */
  environments(): EnvironmentSpec[];
  /** An address that is there already keeps its id and takes the new name. */
  addEnvironment(name: string, url: string): EnvironmentSpec;
  removeEnvironment(id: string): void;
};

type Raw = Readonly<Record<string, unknown>>;

/** What the file holds, and what a person should know about the rest of it. */
export function environmentsIn(raw: Raw): { good: EnvironmentSpec[]; problems: string[] } {
  const list = raw['environments'] ?? [];
  const all = z.array(z.unknown()).safeParse(list).data;
  const good = (all ?? []).flatMap((one) => EnvironmentSpec.safeParse(one).data ?? []);
  const isWhole = all !== undefined && good.length === all.length;
  return {
    good: good.map((one) => ({ ...one, builtin: false })),
    problems: isWhole ? [] : ['settings.json: an environment in the file cannot be read and is left out.'],
  };
}

/** An address has one id, however often it is added. */
function environmentOf(name: string, url: string): EnvironmentSpec {
  const address = url.trim().replace(/\/+$/, '');
  const id = `env-${createHash('sha256').update(address).digest('hex').slice(0, 10)}`;
  return { id, name: name.trim(), url: address, builtin: false };
}

/** The list without one address, everything else in it as it was, readable or not. */
const withoutEnvironment = (raw: Raw, id: string): unknown[] =>
  (z.array(z.unknown()).safeParse(raw['environments']).data ?? []).filter(
    (one) => EnvironmentSpec.safeParse(one).data?.id !== id,
  );

export function environmentList(file: JsonFile): EnvironmentList {
  const save = (without: string, added: readonly EnvironmentSpec[]): void => {
    const raw = file.read();
    file.write({ ...raw, environments: [...withoutEnvironment(raw, without), ...added] });
  };
  const environments = (): EnvironmentSpec[] => environmentsIn(file.read()).good;
  return {
    environments,
    addEnvironment: (name, url) => {
      const added = environmentOf(name, url);
      save(added.id, [added]);
      return added;
    },
    removeEnvironment: (id) => {
      if (!environments().some((one) => one.id === id)) {
        throw new Failure('not_found', `there is no added environment ${id}`, {
          next: 'It may be removed already.',
        });
      }
      save(id, []);
    },
  };
}
