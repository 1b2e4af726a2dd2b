// Keys in a file that only its owner can read, for hosts without a keychain.
import { join } from 'node:path';
import { createJsonFile } from './jsonFile.ts';

/** `keychain` is the operating system's; `file` is a file only its owner can read. */
export type Secrets = {
  kind: 'keychain' | 'file';
  read(name: string): string | null;
  /** Stores a value, or forgets it with null. */
  write(name: string, value: string | null): void;
};

/**
 * Keys in `secrets.json` of the folder, apart from the settings. `tell` hears what a person should know. A file that cannot
 * be read throws `data_corrupt` and is left as it is.
 */
export function createFileSecrets(folder: string, tell: (notice: string) => void = () => {}): Secrets {
  const file = createJsonFile(join(folder, 'secrets.json'), {
    isSecret: true,
    whenBroken: 'refuse',
    tell,
  });
  return {
    kind: 'file',
    read: (name) => {
      const all = file.read();
      const value = Object.hasOwn(all, name) ? all[name] : undefined;
      return typeof value === 'string' && value !== '' ? value : null;
    },
    write: (name, value) => {
      const others = Object.entries(file.read()).filter(([key]) => key !== name);
      file.write(Object.fromEntries(value === null ? others : [...others, [name, value]]));
    },
  };
}
