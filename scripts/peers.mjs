// @ts-check
// `npm run test:peers`: the real Python OpenEnv releases in a virtual environment, then the tests against them. Where
// Python packages cannot be installed it says so in one line and ends well: nothing of the product is at fault. What
// needs large packages is run by `npm run test:outside`. With `--install` the packages are installed and no test runs.
import { join } from 'node:path';
import { pinnedNode } from './parts/node.mjs';
import { ensure, PEERS } from './parts/python.mjs';
import { ScriptFailure, runMain } from './parts/say.mjs';
import { vitestRun } from './parts/vitestRun.mjs';
import { root, setUp } from './setup.mjs';

const peers = join(root, 'test/peers');

/**
 * Says in one line what is skipped and why; fails where that is asked for.
 * @param {string} what
 * @param {string} missing
 */
function skip(what, missing) {
  if (process.env['INTERJECT_REQUIRE_PEERS'] === '1') {
    throw new ScriptFailure(
      `The Python packages are not there: ${missing}.`,
      'install Python 3.10 or newer with venv, and let pip reach its package index.',
    );
  }
  process.stdout.write(`${what} were skipped: ${missing}\n`);
}

async function main() {
  const isInstall = process.argv[2] === '--install';
  if (!isInstall) await setUp();
  const missing = await ensure(PEERS);
  if (isInstall) return;
  if (missing !== null) return skip('Tests against the real Python packages', missing);
  const node = pinnedNode(root) ?? process.execPath;
  const config = join(peers, 'vitest.config.ts');
  const counts = await vitestRun({
    root,
    node,
    name: 'peers',
    args: ['--config', config, ...process.argv.slice(2)],
  });
  counts.told.forEach((line) => process.stdout.write(`\n${line}\n`));
  process.stdout.write(`\npeers: ${counts.passed} passed, ${counts.failed} failed\n`);
  if (!counts.ok) process.exitCode = 1;
}

await runMain(import.meta.url, main);
