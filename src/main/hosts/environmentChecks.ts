// What `doctor --env` finds at an address: each check as it ends, and a word when one takes long.
import { serverSpec } from '../../shared/environmentKinds.ts';
import { shownAddress } from '../../shared/redact/address.ts';
import { auditEnvironment } from '../environments/audit.ts';
import { askServers, openEnvServer } from '../environments/openenv.ts';
import { readAddress } from '../openenv/address.ts';
import { checkPackageFolder } from '../openenv/packageFolder.ts';
import { describeServer } from '../openenv/serverDescription.ts';
import type { BundleCheckLine } from './bundle.ts';

/** Told of a check that is still going on, first after this long and then every time it has passed again. */
const STILL_MS = 5_000;

/** What the folder of an environment says of it; with an address, whether its server says the same. */
export async function packageChecks(folder: string, url: string | undefined): Promise<BundleCheckLine[]> {
  const schema = url === undefined ? null : (await describeServer(readAddress(url))).schema;
  return checkPackageFolder(folder, schema).map(({ name, ...found }) => ({
    name: `environment folder, ${name}`,
    ...found,
  }));
}

type Watcher = { signal: AbortSignal; say: (text: string) => void };

/** What `run` would find at an address; each part a line of its own. Ends early where the signal is aborted. */
export async function* environmentChecks(
  url: string,
  { signal, say }: Watcher,
): AsyncGenerator<BundleCheckLine> {
  const shown = shownAddress(url);
  const environment = openEnvServer(serverSpec('doctor', shown, url), {
    workingAddress: (address) => address,
    ...askServers(),
    verdict: () => Promise.resolve(null),
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
