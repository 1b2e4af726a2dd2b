// @ts-check
// Making a clean copy ready to run: packages, then out/. Does nothing when nothing is missing. Needs only the
// system's Node (20 or newer); everything else is what it sets up.
import { accessSync, constants } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { alone } from './parts/lock.mjs';
import { NODE_ADVICE, canRunProduct, isNodeBrought, pinnedNode } from './parts/node.mjs';
import { buildOutput, isBuilt } from './parts/output.mjs';
import { havePackages, installPackages } from './parts/packages.mjs';
import { ScriptFailure, runMain, say } from './parts/say.mjs';

const OLDEST_NODE = 20;

/** The project's own folder. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

function checkNode() {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < OLDEST_NODE) {
    throw new ScriptFailure(
      `Node ${process.versions.node} is too old: Interject needs Node ${OLDEST_NODE} or newer to set itself up.`,
      'install Node 24 from nodejs.org, then run the command again.',
    );
  }
  // Said before the packages are fetched, where none of them would change it.
  if (!isNodeBrought()) checkProductNode();
}

/**
 * Throws what to tell a person whose copy cannot be written.
 * @param {string} folder
 */
export function checkWritable(folder) {
  try {
    accessSync(folder, constants.W_OK);
  } catch (thrown) {
    throw new ScriptFailure(
      `${folder} cannot be written, and something is still to be set up in it (${/** @type {Error} */ (thrown).message}).`,
      'run it from a folder you own, or change the owner of this one.',
    );
  }
}

/** The pinned Node is optional for npm, not for a machine whose own Node is too old. */
function checkProductNode() {
  if (canRunProduct() || pinnedNode(root) !== null) return;
  throw new ScriptFailure(`Node ${process.versions.node} cannot run Interject.`, `${NODE_ADVICE}.`);
}

/**
 * Sets up what is missing, saying so; resolves at once when nothing is.
 * @param {{ build?: boolean }} [options] `build: false` leaves out/ alone
 */
export async function setUp({ build = true } = {}) {
  checkNode();
  const isReady = () => havePackages(root) && (!build || isBuilt(root));
  if (!isReady()) {
    checkWritable(root);
    const waiting = () => say('Another set-up is running in this folder; waiting for it …');
    await alone(join(root, '.cache/setup.lock'), waiting, async () => {
      if (!havePackages(root)) await installPackages(root);
      checkProductNode();
      if (build && !isBuilt(root)) await buildOutput(root);
    });
  }
  checkProductNode();
}

await runMain(import.meta.url, () => setUp());
