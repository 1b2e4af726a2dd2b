// Owns: where keys lie: their digests in one file, how they were used in another, the default ones' words in the secrets.
import { createJsonFile } from './jsonFile.ts';
import { createKeys, type Keys } from './keys.ts';
import { createKeyUse } from './keyUse.ts';
import type { Secrets } from './secrets.ts';

type Parts = {
  /** The path of a file in the data folder. */
  file: (name: string) => string;
  secrets: Secrets;
  clock: () => number;
  schedule: (delayMs: number, run: () => void) => () => void;
  tell?: (notice: string) => void;
};

/** The keys of a data folder. */
export function openKeys({ file, secrets, clock, schedule, tell = () => undefined }: Parts): Keys {
  const open = (name: string) => createJsonFile(file(name), { isSecret: true, tell });
  const use = createKeyUse({ file: open('key-use.json'), clock, schedule });
  return createKeys({ file: open('keys.json'), secrets, use, clock });
}
