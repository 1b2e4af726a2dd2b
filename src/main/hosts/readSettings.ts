// The settings of a data folder for commands that look at them and build nothing.
import { join } from 'node:path';
import { isOwnFolder } from '../settings/cameWith.ts';
import { createFileSecrets } from '../settings/fileSecrets.ts';
import { createSettings, type SettingsStore } from '../settings/settings.ts';
import { modelFlags, type ModelOptions } from './commandFlags.ts';
import { dataFolderPath } from './paths.ts';
import { awmFlags } from './serve.ts';
import { readUserKey } from './userKey.ts';

/** A folder in it that is never there. */
const NOTHING = 'nothing';

type SettingsOptions = ModelOptions & { data?: string; awmData?: string };

/** Of a folder that was made elsewhere they hold nothing until the owner says so. */
export async function readSettings({ data, awmData, ...models }: SettingsOptions): Promise<SettingsStore> {
  const given = dataFolderPath(data);
  const folder = isOwnFolder(given, await readUserKey()) ? given : join(given, NOTHING);
  return createSettings({
    folder,
    environment: process.env,
    secrets: createFileSecrets(folder, () => undefined),
    flags: modelFlags(models),
    awm: awmFlags(awmData === undefined ? {} : { awmData }),
  });
}
