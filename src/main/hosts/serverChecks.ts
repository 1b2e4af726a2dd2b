// What `interject doctor` finds of the servers that this data folder's environments were started with.
import { join } from 'node:path';
import { createManagedServers } from '../environments/managedServers.ts';
import { readAddress } from '../openenv/address.ts';
import type { SettingsStore } from '../settings/settings.ts';

export const SERVERS = 'started servers';

/** Those that run, and what servers that have ended left running. */
export function serversCheck(
  settings: Pick<SettingsStore, 'environments' | 'environmentServer'>,
  folder: string,
): { status: 'pass' | 'warn'; evidence: string } {
  const servers = createManagedServers({
    serverOf: (id) => settings.environmentServer(id),
    addressOf: ({ url }) => readAddress(url),
    folder: join(folder, 'servers'),
    tell: () => undefined,
  });
  const found = settings.environments().map(({ id, name }) => ({ name, ...servers.status(id) }));
  const left = found.flatMap((one) => one.left.map(({ pid }) => `${one.name}: process ${String(pid)}`));
  if (left.length > 0) {
    return {
      status: 'warn',
      evidence: `have ended, but what they started still runs (${left.join(', ')}): Stop under Settings → Environments ends it`,
    };
  }
  const running = found.flatMap(({ name, pid }) => (pid === null ? [] : `${name} (process ${String(pid)})`));
  return { status: 'pass', evidence: running.length === 0 ? 'none runs' : `run: ${running.join(', ')}` };
}
