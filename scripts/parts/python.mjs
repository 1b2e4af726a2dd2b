// @ts-check
// Python packages in virtual environments of this folder's own, installed once each.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { alone } from './lock.mjs';
import { keep } from './processes.mjs';
import { elapsed, say } from './say.mjs';
import { root } from '../setup.mjs';

/** @typedef {{ venv: string, requirements: readonly string[], releases: Record<string, string>, about: string }} Packages */

/** @type {Packages} */
export const KIT = {
  venv: join(root, 'test/peers/.venv-kit'),
  requirements: [
    join(root, 'resources/kit/trl/requirements.txt'),
    join(root, 'resources/kit/trl/requirements-gpu.txt'),
    join(root, 'test/peers/requirements-notebook.txt'),
  ],
  releases: {},
  about: 'of the training kit (about 6 GB, once)',
};

const peers = join(root, 'test/peers');
/** @type {Packages} */
export const PEERS = {
  venv: join(peers, '.venv'),
  requirements: [join(peers, 'requirements.txt')],
  releases: {
    'openenv-core-0.3.0': 'openenv-core==0.3.0',
    'openenv-0.10.0': 'openenv==0.10.0',
    // Only files of them are read: chat templates and a tokenizer.
    templates: 'trl==1.16.0 llama-models==0.3.0',
  },
  about: 'to test against (about 150 MB, once)',
};

/** Those and the large ones, in an environment of their own. @type {Packages} */
export const LARGE_PEERS = {
  ...PEERS,
  venv: join(peers, '.venv-large'),
  requirements: [...PEERS.requirements, join(peers, 'requirements-large.txt')],
  about: 'of which some are large (about 800 MB, once)',
};

/** @param {Packages} packages */
const stamp = ({ venv }) => join(venv, '.ready');

/** @param {Packages} packages */
function fingerprint({ requirements, releases }) {
  const hash = createHash('sha256');
  for (const file of requirements) hash.update(readFileSync(file));
  return hash.update(JSON.stringify(releases)).digest('hex');
}

/** @param {Packages} packages */
export const isReady = (packages) =>
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
  const files = requirements.flatMap((file) => ['-r', file]);
  // What is never imported need not be compiled.
  const failed = await attempt(python, [...pip, '--no-compile', ...files]);
  if (failed !== null) return failed;
  for (const [folder, release] of Object.entries(releases)) {
    const missing = await attempt(python, [
      ...pip,
      '--no-deps',
      '--target',
      join(venv, folder),
      ...release.split(' '),
    ]);
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
export async function ensure(packages) {
  if (isReady(packages)) return null;
  const waiting = () => say('Another set-up is running in this folder; waiting for it …');
  return alone(join(root, '.cache/peers.lock'), waiting, async () =>
    isReady(packages) ? null : makeEnvironment(packages),
  );
}
