// The settings of a data folder for commands that look at them and build nothing.
import { createFileSecrets } from '../settings/fileSecrets.ts';
import { createSettings, type SettingsStore } from '../settings/settings.ts';
import { modelFlags, type ModelOptions } from './modelFlags.ts';
import { dataFolderPath } from './paths.ts';
import { awmFlags } from './serve.ts';

export type SettingsOptions = ModelOptions & { data?: string; awmData?: string };

export function readSettings({ data, awmData, ...models }: SettingsOptions): SettingsStore {
  const folder = dataFolderPath(data);
  return createSettings({
    folder,
    environment: process.env,
    secrets: createFileSecrets(folder, () => undefined),
    flags: modelFlags(models),
    awm: awmFlags(awmData === undefined ? {} : { awmData }),
  });
}
