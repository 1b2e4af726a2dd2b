// What `doctor --env` finds at an address: each check as it ends, and a word when one takes long.
import { serverSpec } from '../../shared/environmentKinds.ts';
import type { ServerConnection } from '../../shared/serverConnection.ts';
import { auditEnvironment } from '../environments/audit.ts';
import { askServers, openEnvServer } from '../environments/openenv.ts';
import { readAddress, type Address } from '../openenv/address.ts';
import { checkPackageFolder } from '../openenv/packageFolder.ts';
import { describeServer } from '../openenv/serverDescription.ts';
import { typedAddress } from '../settings/environments.ts';
import type { SettingsStore } from '../settings/settings.ts';
import type { BundleCheckLine } from './bundle.ts';
import { connectionText } from './environmentFlags.ts';

/** Told of a check that is still going on, first after this long and then every time it has passed again. */
const STILL_MS = 5_000;

/** Where it is, and how it is reached. */
export type Place = { url: string; settings: SettingsStore; flags: Partial<ServerConnection> };

/** Where it is as it may be shown; from now on the settings know how it is reached. */
function shownPlace({ url, settings, flags }: Place): string {
  const shown = settings.useAddress(typedAddress(url));
  settings.useConnection(shown, flags);
  return shown;
}

function addressOf(place: Place): Address {
  const shown = shownPlace(place);
  return readAddress(place.settings.workingAddress(shown), place.settings.connectionOf(shown));
}

/** What the folder of an environment says of it; with an address, whether its server says the same. */
export async function packageChecks(folder: string, place: Place | null): Promise<BundleCheckLine[]> {
  const schema = place === null ? null : (await describeServer(addressOf(place))).schema;
  return checkPackageFolder(folder, schema).map(({ name, ...found }) => ({
    name: `environment folder, ${name}`,
    ...found,
  }));
}

type Watcher = { signal: AbortSignal; say: (text: string) => void };

/** What `run` would find at an address; each part a line of its own. Ends early where the signal is aborted. */
export async function* environmentChecks(
  place: Place,
  { signal, say }: Watcher,
): AsyncGenerator<BundleCheckLine> {
  const { settings } = place;
  const shown = shownPlace(place);
  const reached = connectionText(settings.connectionOf(shown));
  if (reached !== null)
    yield { name: `environment ${shown}, reached with`, status: 'pass', evidence: reached };
  const environment = openEnvServer(serverSpec('doctor', shown, shown), {
    workingAddress: settings.workingAddress,
    connectionOf: settings.connectionOf,
    ...askServers(),
    seed: () => Promise.resolve(null),
    taskSecrets: () => Promise.resolve({ secrets: null, missing: { message: '', next: null } }),
  });
  let running = { name: '', since: 0 };
  const still = setInterval(() => {
    const seconds = String(Math.round((performance.now() - running.since) / 1000));
    say(`…     environment ${shown}, ${running.name}: going on for ${seconds} s (Ctrl+C cancels)`);
  }, STILL_MS);
  const onBegin = (name: string): void => {
    running = { name, since: performance.now() };
    still.refresh();
  };
  try {
    for await (const { name, ...found } of auditEnvironment(environment, signal, { onBegin })) {
      yield { name: `environment ${shown}, ${name}`, ...found };
    }
  } finally {
    clearInterval(still);
  }
}
