// Builds the product for the desktop app, and closes it.
import { shell } from 'electron';
import { join } from 'node:path';
import { createApp } from '../app/app.ts';
import type { App } from '../app/types.ts';
import type { CommandDoor } from '../hosts/commandDoor.ts';
import { collectAlone, collectInShortPauses } from '../hosts/collecting.ts';
import { nodeEdges } from '../hosts/edges.ts';
import { productFolder, worldFolderPath } from '../hosts/paths.ts';
import { awmFlags, type Serving } from '../hosts/serve.ts';
import type { Secrets } from '../settings/fileSecrets.ts';
import { VERSION } from '../hosts/version.ts';
import type { DesktopFlags } from './flags.ts';

const PLACES = 64;

type HostWords = { secrets: Secrets | null; say: (text: string) => void };

/** Throws what `createApp` throws. `secrets` is null where only a file protects keys. */
export function openProduct(
  { awmData }: DesktopFlags,
  dataFolder: string,
  { secrets, say }: HostWords,
): Promise<App> {
  const edges = nodeEdges(say);
  collectAlone();
  collectInShortPauses();
  return createApp(
    {
      version: VERSION,
      host: 'desktop',
      dataFolder,
      resources: join(productFolder(), 'resources'),
      environment: process.env,
      worldDir: worldFolderPath(),
      places: PLACES,
      afterCrash: 'go_on',
      awm: awmFlags(awmData === undefined ? {} : { awmData }),
    },
    {
      ...edges,
      // Shown, never opened: a log that came from elsewhere may name a program.
      openFolder: (path) => {
        shell.showItemInFolder(path);
        return Promise.resolve('');
      },
      secrets: (folder) => secrets ?? edges.secrets(folder),
    },
  );
}

/** The doors first, so that nothing new comes in; the product closes even where that fails, and what failed is thrown then. */
export async function closeProduct(
  app: App,
  { door, serving }: { door: CommandDoor; serving: Serving | null },
): Promise<void> {
  try {
    await door.close();
    await serving?.listening.close();
  } finally {
    await app.close();
  }
}
