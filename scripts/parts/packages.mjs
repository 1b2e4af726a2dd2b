// @ts-check
// Node_modules as package-lock.json says: whether they agree, and making them agree. .npmrc says `ignore-scripts`: no
// package needs its install script here (better-sqlite3 brings its binaries along).
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { endLike, keep } from './processes.mjs';
import { ScriptFailure, elapsed, say } from './say.mjs';

const STAMP = 'node_modules/.interject-packages';
const SAY_EVERY_S = 5;

/** @typedef {{ version?: string, optional?: boolean, os?: string[], cpu?: string[], libc?: string[], optionalDependencies?: Record<string, string> }} Locked */

/** @param {string} text */
const fingerprint = (text) => createHash('sha256').update(text).digest('hex');

/** @param {string} root */
const lockText = (root) => {
  try {
    return readFileSync(join(root, 'package-lock.json'), 'utf8');
  } catch {
    throw new ScriptFailure(
      'package-lock.json is missing, so the packages to install are not known.',
      'get a fresh copy of the project, or bring the file back with `git checkout package-lock.json`.',
    );
  }
};

/** @param {string} root @returns {Record<string, Locked>} */
const locked = (root) => JSON.parse(lockText(root)).packages ?? {};

/**
 * Whether this machine should have a package. An optional one counts only where it is ours by name, or says that it is
 * for this system and processor: npm leaves out the rest, and builds for another C library, without a word.
 * @param {string} path
 * @param {Locked} entry
 * @param {Locked} project
 */
function isNeeded(path, { optional, os, cpu, libc }, project) {
  const allows = (/** @type {string[] | undefined} */ list, /** @type {string} */ here) =>
    list?.includes(here) ?? true;
  if (!allows(os, process.platform) || !allows(cpu, process.arch)) return false;
  if (optional !== true) return true;
  const isOurs = Object.hasOwn(project.optionalDependencies ?? {}, path.slice('node_modules/'.length));
  return isOurs || (os !== undefined && cpu !== undefined && libc === undefined);
}

/**
 * Packages the lock file names, for this machine, that npm's own record of node_modules does not have.
 * A person who ran `npm ci` by hand needs no second one from us.
 * @param {Record<string, Locked>} wanted
 * @param {Record<string, Locked>} present
 */
export const missingPackages = (wanted, present) =>
  neededPackages(wanted).filter((path) => present[path]?.version !== wanted[path]?.version);

/** @param {Record<string, Locked>} wanted */
const neededPackages = (wanted) =>
  Object.keys(wanted).filter(
    (path) => path.startsWith('node_modules/') && isNeeded(path, wanted[path] ?? {}, wanted[''] ?? {}),
  );

/** @param {string} root */
export function havePackages(root) {
  const mark = fingerprint(lockText(root));
  const stamp = join(root, STAMP);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === mark) return true;
  const record = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(record)) return false;
  const present = JSON.parse(readFileSync(record, 'utf8')).packages ?? {};
  if (missingPackages(locked(root), present).length > 0) return false;
  writeStamp(root);
  return true;
}

/** @param {string} root */
function writeStamp(root) {
  try {
    writeFileSync(join(root, STAMP), fingerprint(lockText(root)));
  } catch {
    // A read-only checkout with the right packages works; it only compares again next time.
  }
}

/**
 * What npm's output says went wrong, in words a person can act on.
 * @param {string} output
 * @param {string} root
 * @returns {[why: string, next: string]}
 */
export function explainInstall(output, root) {
  if (/ENOSPC|no space left/i.test(output)) {
    return ['the disk is full', `free about 1 GB where ${root} lies, then run the command again.`];
  }
  if (/EACCES|EPERM|EROFS|permission denied/i.test(output)) {
    return [`${root} cannot be written`, 'run it from a folder you own, or change the owner of this one.'];
  }
  if (
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|network|socket|50[234] /i.test(output)
  ) {
    return [
      'the package registry could not be reached',
      'check the network (behind a proxy: `npm config set proxy URL`), then run the command again. After the first install no network is needed.',
    ];
  }
  if (/E40[13]/.test(output)) {
    return ['the package registry refused this machine', 'check the registry and key in your ~/.npmrc.'];
  }
  if (/EUSAGE|in sync/i.test(output)) {
    return ['package.json and package-lock.json do not agree', 'run `npm install`, then the command again.'];
  }
  if (/EINTEGRITY/.test(output)) {
    return ['a package arrived damaged', 'run `npm cache clean --force`, then the command again.'];
  }
  return ['npm ended with an error, shown above', 'mend what npm names, then run the command again.'];
}

/**
 * What npm says went wrong, without the page of usage it adds.
 * @param {string} output
 */
export const npmComplaint = (output) =>
  output
    .replace(/\nnpm error Clean install a project[^]*/, '')
    .split('\n')
    .filter((line) => !/EBADENGINE|^npm error$|^npm (warn|notice)|^\s*$/.test(line))
    .slice(0, 12)
    .join('\n');

/** npm as it started us, else the one on PATH; never run by the pinned Node, which `npm ci` removes. */
export function npmCommand() {
  const { npm_execpath: script, npm_node_execpath: node } = process.env;
  const PATH = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => !/node_modules[\\/]\.bin[\\/]?$/.test(folder))
    .join(delimiter);
  const env = { ...process.env, PATH };
  if (script?.endsWith('npm-cli.js') && node !== undefined && existsSync(node)) {
    return { command: node, lead: [script], env, shell: false };
  }
  return { command: 'npm', lead: [], env, shell: process.platform === 'win32' };
}

/** @param {string} root */
export async function installPackages(root) {
  const began = Date.now();
  const names = neededPackages(locked(root));
  say('Installing packages (about 600 MB, once) …');
  const { command, lead, env, shell } = npmCommand();
  let seconds = 0;
  const result = await keep(
    command,
    // Said outright: NODE_ENV=production or a personal npm setting would leave half of them out.
    [
      ...lead,
      'ci',
      '--include=dev',
      '--include=optional',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
      '--no-update-notifier',
    ],
    {
      cwd: root,
      env,
      shell,
      everySecond: () => {
        seconds += 1;
        if (seconds % SAY_EVERY_S !== 0) return;
        const there = names.filter((path) => existsSync(join(root, path, 'package.json'))).length;
        say(`  ${there} of ${names.length} packages, ${elapsed(began)}`);
      },
    },
  );
  if (result.signal !== null) {
    endLike(result);
    throw new ScriptFailure('The installation was interrupted.', 'run the command again; it starts over.');
  }
  if (result.error !== null) {
    throw new ScriptFailure(
      `npm could not be started: ${result.error.message}`,
      'install Node with npm from nodejs.org, then run the command again.',
    );
  }
  if (result.code !== 0) {
    say(npmComplaint(result.output));
    const [why, next] = explainInstall(result.output, root);
    throw new ScriptFailure(`Installing packages failed: ${why}.`, next);
  }
  writeStamp(root);
  say(`Packages installed in ${elapsed(began)}.`);
}
