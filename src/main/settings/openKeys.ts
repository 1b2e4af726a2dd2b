// Where keys lie: their digests in one file, how they were used in another, the default ones' words in the secrets.
import { createJsonFile } from './jsonFile.ts';
import { createKeys, type GatewayKeys } from './keys.ts';
import { createKeyUse } from './keyUse.ts';
import type { Secrets } from './fileSecrets.ts';

type OpenKeysDependencies = {
  /** The path of a file in the data folder. */
  file: (name: string) => string;
  secrets: Secrets;
  clock: () => number;
  monotonic: () => number;
  schedule: (delayMs: number, run: () => void) => () => void;
  tell?: (notice: string) => void;
};

/** The keys of a data folder. Throws `data_corrupt` for a `keys.json` that cannot be read, and leaves it as it is. */
export function openKeys({
  file,
  secrets,
  clock,
  monotonic,
  schedule,
  tell = () => undefined,
}: OpenKeysDependencies): GatewayKeys {
  const open = (name: string, whenBroken: 'move_aside' | 'refuse') =>
    createJsonFile(file(name), { isSecret: true, whenBroken, tell });
  const use = createKeyUse({ file: open('key-use.json', 'move_aside'), clock, schedule });
  return createKeys({ file: open('keys.json', 'refuse'), secrets, use, clock, monotonic });
}
