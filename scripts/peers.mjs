// @ts-check
// `npm run test:peers`: the real Python OpenEnv releases in a virtual environment, then the tests against them. Where
// Python packages cannot be installed it says so in one line and ends well: nothing of the product is at fault. The
// training kit's packages are large: they are installed once INTERJECT_TEST_KIT=1 asks for them. With `--install` the
// packages are installed and no test runs.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { alone } from './parts/lock.mjs';
import { pinnedNode } from './parts/node.mjs';
import { keep } from './parts/processes.mjs';
import { ScriptFailure, elapsed, runMain, say } from './parts/say.mjs';
import { vitestRun } from './parts/vitestRun.mjs';
import { root, setUp } from './setup.mjs';

const RELEASES = { 'openenv-core-0.3.0': 'openenv-core==0.3.0', 'openenv-0.10.0': 'openenv==0.10.0' };
const peers = join(root, 'test/peers');

/** @typedef {{ venv: string, requirements: string, releases: Record<string, string>, about: string }} Packages */

/** @type {Packages} */
const OPENENV = {
  venv: join(peers, '.venv'),
  requirements: join(peers, 'requirements.txt'),
  releases: RELEASES,
  about: 'to test against (about 500 MB, once)',
};
/** @type {Packages} */
const KIT = {
  venv: join(peers, '.venv-kit'),
  requirements: join(root, 'resources/kit/trl/requirements.txt'),
  releases: {},
  about: 'of the training kit (about 6 GB, once)',
};

/** @param {Packages} packages */
const stamp = ({ venv }) => join(venv, '.ready');

/** @param {Packages} packages */
const fingerprint = ({ requirements, releases }) =>
  createHash('sha256').update(readFileSync(requirements)).update(JSON.stringify(releases)).digest('hex');

/** @param {Packages} packages */
const isReady = (packages) =>
  existsSync(stamp(packages)) && readFileSync(stamp(packages), 'utf8') === fingerprint(packages);

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

/**
 * @param {Packages} packages
 * @returns {Promise<string | null>} why there is no environment, null when there is
 */
async function makeEnvironment(packages) {
  const { venv, requirements, releases, about } = packages;
  const found = findPython();
  if (found === null) return 'no Python 3.10 or newer with venv was found (INTERJECT_PYTHON names another)';
  const began = Date.now();
  say(`Installing the Python packages ${about} …`);
  rmSync(venv, { recursive: true, force: true });
  const made = await attempt(found, ['-m', 'venv', venv]);
  if (made !== null) return made;
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
  const python = join(venv, 'bin/python');
  // What is never imported need not be compiled.
  const failed = await attempt(python, [...pip, '--no-compile', '-r', requirements]);
  if (failed !== null) return failed;
  for (const [folder, release] of Object.entries(releases)) {
    const missing = await attempt(python, [...pip, '--no-deps', '--target', join(venv, folder), release]);
    if (missing !== null) return missing;
  }
  writeFileSync(stamp(packages), fingerprint(packages));
  say(`Python packages installed in ${elapsed(began)}.`);
  return null;
}

/**
 * @param {Packages} packages
 * @returns {Promise<string | null>} why they are not there, null when they are
 */
async function ensure(packages) {
  if (isReady(packages)) return null;
  const waiting = () => say('Another set-up is running in this folder; waiting for it …');
  return alone(join(root, '.cache/peers.lock'), waiting, async () =>
    isReady(packages) ? null : makeEnvironment(packages),
  );
}

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

/**
 * The wheels that `interject verify --install-packages` installs: its test has them for a package index, so that it needs
 * no network.
 * @returns {Promise<string | null>} why they are not there, null when they are
 */
async function downloadWheels() {
  const requirements = join(root, 'resources/verifier/requirements.txt');
  const wheels = join(OPENENV.venv, 'wheels');
  const list = join(wheels, 'requirements.txt');
  if (existsSync(list) && readFileSync(list, 'utf8') === readFileSync(requirements, 'utf8')) return null;
  rmSync(wheels, { recursive: true, force: true });
  const pip = ['-m', 'pip', 'download', '--quiet', '--disable-pip-version-check', '--no-deps'];
  const only = [
    '--require-hashes',
    '--only-binary',
    ':all:',
    '--dest',
    wheels,
    '--requirement',
    requirements,
  ];
  const failed = await attempt(join(OPENENV.venv, 'bin/python'), [...pip, ...only]);
  if (failed === null) copyFileSync(requirements, list);
  return failed;
}

/** The tests of the kit look for its packages themselves. */
async function ensureKit() {
  if (process.env['INTERJECT_TEST_KIT'] !== '1') {
    if (!isReady(KIT)) say('The training kit is not run: INTERJECT_TEST_KIT=1 installs its packages (6 GB).');
    return;
  }
  const missing = await ensure(KIT);
  if (missing !== null) skip('Runs of the training kit', missing);
}

async function main() {
  const isInstall = process.argv[2] === '--install';
  if (!isInstall) await setUp();
  const missing = (await ensure(OPENENV)) ?? (await downloadWheels());
  if (isInstall) return;
  if (missing !== null) return skip('Tests against the real Python packages', missing);
  await ensureKit();
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
