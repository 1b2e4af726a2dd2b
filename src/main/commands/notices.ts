// What a person should know when the console opens: of the data folder, settings that could not be read, packs that are
// broken, servers that were left running.
import type { ManagedServers } from '../environments/managedServers.ts';
import type { SettingsStore } from '../settings/settings.ts';
import type { Worlds } from '../worlds/worlds.ts';

type NoticeSources = {
  settings: SettingsStore;
  worlds: Worlds;
  servers: ManagedServers;
  folderNotices: readonly string[];
};

export const noticesOf = ({ settings, worlds, servers, folderNotices }: NoticeSources): string[] => [
  ...folderNotices,
  ...settings.notices(),
  ...worlds.problems().map(({ message }) => message),
  ...leftOverServers(settings, servers),
];

/** Servers that a killed Interject started and that still run. */
export const leftOverServers = (
  { environments }: { environments: () => readonly { id: string; name: string }[] },
  servers: Pick<ManagedServers, 'status'>,
): string[] =>
  environments().flatMap(({ id, name }) => {
    const { state, pid, left } = servers.status(id);
    if (state === 'left_over')
      return `The server of ${name} still runs (process ${String(pid)}): an Interject that was killed left it. It is used; stop it under Settings → Environments.`;
    if (left.length === 0) return [];
    const pids = left.map((one) => String(one.pid)).join(', ');
    return `The server of ${name} has ended, but what it started still runs (processes ${pids}): stop it under Settings → Environments.`;
  });
