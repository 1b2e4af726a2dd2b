// @ts-check
// `npm run test:outside`: what needs large installations or a long time, and is therefore no part of `.ci/run`. Whatever
// cannot be run here is skipped in one line that says why; a table at the end says what became of each.
import { join } from 'node:path';
import { NODE_ADVICE, productNode } from './parts/node.mjs';
import { hold } from './parts/processes.mjs';
import { ensure, isReady, KIT, LARGE_PEERS } from './parts/python.mjs';
import { ScriptFailure, runMain } from './parts/say.mjs';
import { vitestRun } from './parts/vitestRun.mjs';
import { root, setUp } from './setup.mjs';

const USAGE = `npm run test:outside [-- NAME...]

NAME  only these: large, kit, faults

large   Python packages of 700 MB: datasets, Inspect, scipy and statsmodels
kit     trains with the kit's own packages; INTERJECT_TEST_KIT=1 installs them (6 GB)
faults  kills the product a hundred times, with stops of minutes`;

/** @typedef {{ result: 'passed' | 'failed' | 'skipped', about: string }} Outcome */

/** @type {(packages: import('./parts/python.mjs').Packages, run: { node: string, name: string, files: readonly string[] }) => Promise<Outcome>} */
async function withPackages(packages, { node, name, files }) {
  const missing = (await ensure(LARGE_PEERS)) ?? (await ensure(packages));
  if (missing !== null) return { result: 'skipped', about: missing };
  const counts = await vitestRun({
    root,
    node,
    name: `outside-${name}`,
    args: ['--config', join(root, 'test/outside/vitest.config.ts'), ...files],
    env: { ...process.env, INTERJECT_PEERS_VENV: LARGE_PEERS.venv },
  });
  counts.told.forEach((line) => process.stdout.write(`\n${line}\n`));
  return {
    result: counts.ok ? 'passed' : 'failed',
    about: `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`,
  };
}

/** @type {Record<string, (node: string) => Promise<Outcome>>} */
const PARTS = {
  large: (node) => withPackages(LARGE_PEERS, { node, name: 'large', files: ['test/outside/large/'] }),
  kit: async (node) =>
    process.env['INTERJECT_TEST_KIT'] === '1' || isReady(KIT)
      ? withPackages(KIT, { node, name: 'kit', files: ['test/outside/kit/', 'test/peers/loop.test.ts'] })
      : { result: 'skipped', about: 'INTERJECT_TEST_KIT=1 installs its packages (6 GB)' },
  faults: async (node) => {
    const { code } = await hold(node, [join(root, 'test/faults/faults.ts'), '--kills', '100']);
    return { result: code === 0 ? 'passed' : 'failed', about: '100 kills' };
  },
};

async function main() {
  const names = process.argv.slice(2);
  if (names.includes('--help')) return void process.stdout.write(`${USAGE}\n`);
  const unknown = names.filter((name) => !Object.hasOwn(PARTS, name));
  if (unknown.length > 0) throw new ScriptFailure(`There is no part ${unknown.join(', ')}.`, USAGE);
  await setUp();
  const node = productNode(root);
  if (node === null) throw new ScriptFailure('This Node cannot run the product.', `${NODE_ADVICE}.`);
  /** @type {string[]} */
  const table = [];
  for (const [name, run] of Object.entries(PARTS).filter(
    ([one]) => names.length === 0 || names.includes(one),
  )) {
    const began = Date.now();
    const { result, about } = await run(node);
    if (result === 'skipped') process.stdout.write(`${name} was skipped: ${about}\n`);
    if (result === 'failed') process.exitCode = 1;
    const minutes = ((Date.now() - began) / 60_000).toFixed(1);
    table.push(`${name.padEnd(8)}${result.padEnd(9)}${minutes.padStart(6)} min  ${about}`);
  }
  process.stdout.write(`\n${table.join('\n')}\n`);
}

await runMain(import.meta.url, main);
