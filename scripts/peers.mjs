// @ts-check
// Owns: `npm run test:peers`: the real Python OpenEnv releases in a virtual environment, then the tests against them.
// Where Python packages cannot be installed it says so in one line and ends well: nothing of the product is at fault.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { alone } from './parts/lock.mjs';
import { pinnedNode } from './parts/node.mjs';
import { keep } from './parts/processes.mjs';
import { ScriptFailure, elapsed, runMain, say } from './parts/say.mjs';
import { vitestRun } from './parts/vitestRun.mjs';
import { root, setUp } from './setup.mjs';

const RELEASES = { 'openenv-core-0.3.0': 'openenv-core==0.3.0', 'openenv-0.10.0': 'openenv==0.10.0' };
const peers = join(root, 'test/peers');
const venv = join(peers, '.venv');
const stamp = join(venv, '.ready');
const requirements = join(peers, 'requirements.txt');

const fingerprint = () =>
  createHash('sha256').update(readFileSync(requirements)).update(JSON.stringify(RELEASES)).digest('hex');

const isReady = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint();

/** The first Python that is 3.10 or newer and can make a virtual environment. @returns {string | null} */
function findPython() {
  const test = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))';
  const names = [process.env['INTERJECT_PYTHON'], 'python3', '/usr/bin/python3', 'python'];
  return (
    names.find((name) => name && spawnSync(name, ['-c', test], { stdio: 'ignore' }).status === 0) ?? null
  );
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @returns {Promise<string | null>} why it failed, null when it did not
 */
async function attempt(command, args) {
  const result = await keep(command, args, { cwd: root });
  if (result.code === 0) return null;
  return result.output.trim().split('\n').at(-1) ?? `exit code ${String(result.code)}`;
}

/** @returns {Promise<string | null>} why there is no environment, null when there is */
async function makeEnvironment() {
  const found = findPython();
  if (found === null) return 'no Python 3.10 or newer with venv was found (INTERJECT_PYTHON names another)';
  const began = Date.now();
  say('Installing the Python packages to test against (about 500 MB, once) …');
  rmSync(venv, { recursive: true, force: true });
  const made = await attempt(found, ['-m', 'venv', venv]);
  if (made !== null) return made;
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
  const python = join(venv, 'bin/python');
  const failed = await attempt(python, [...pip, '-r', requirements]);
  if (failed !== null) return failed;
  for (const [folder, release] of Object.entries(RELEASES)) {
    const missing = await attempt(python, [...pip, '--no-deps', '--target', join(venv, folder), release]);
    if (missing !== null) return missing;
  }
  writeFileSync(stamp, fingerprint());
  say(`Python packages installed in ${elapsed(began)}.`);
  return null;
}

async function main() {
  await setUp();
  const waiting = () => say('Another set-up is running in this folder; waiting for it …');
  const missing = isReady()
    ? null
    : await alone(join(root, '.cache/peers.lock'), waiting, async () =>
        isReady() ? null : makeEnvironment(),
      );
  if (missing !== null) {
    if (process.env['INTERJECT_REQUIRE_PEERS'] === '1') {
      throw new ScriptFailure(
        `The Python packages are not there: ${missing}.`,
        'install Python 3.10 or newer with venv, and let pip reach its package index.',
      );
    }
    process.stdout.write(`Tests against the real Python packages were skipped: ${missing}\n`);
    return;
  }
  const node = pinnedNode(root) ?? process.execPath;
  const config = join(peers, 'vitest.config.ts');
  const counts = await vitestRun({
    root,
    node,
    name: 'peers',
    args: ['--config', config, ...process.argv.slice(2)],
  });
  process.stdout.write(`\npeers: ${counts.passed} passed, ${counts.failed} failed\n`);
  if (!counts.ok) process.exitCode = 1;
}

await runMain(import.meta.url, main);
