// @ts-check
// Out/ as the sources say: whether it is up to date, and building it.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LICENSES, forgetPackages, writeLicenses } from './licenses.mjs';
import { NODE_ADVICE, canRunProduct, pinnedNode } from './node.mjs';
import { endLike, keep } from './processes.mjs';
import { ScriptFailure, elapsed, say } from './say.mjs';

const STAMP = 'out/.inputs';
/** What `interject --help` shows, kept so that it needs nothing of the product. */
const HELP = 'out/main/help.json';
const SETTINGS = [
  'electron.vite.config.ts',
  'scripts/parts/compress.mjs',
  'scripts/parts/licenses.mjs',
  'tsconfig.json',
  'package-lock.json',
];
const ENTRIES = [
  'out/main/electron.js',
  'out/main/server.js',
  'out/main/cli.js',
  HELP,
  'out/preload/index.cjs',
  'out/renderer/index.html',
  LICENSES,
];

/** @param {string} folder @returns {string[]} */
function filesUnder(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesUnder(path) : [path];
    });
}

/**
 * One fingerprint of everything the build reads.
 * @param {string} root
 */
export function inputsOf(root) {
  const hash = createHash('sha256');
  for (const path of [...filesUnder(join(root, 'src')), ...SETTINGS.map((name) => join(root, name))]) {
    hash
      .update(`${path.slice(root.length)}\0`)
      .update(readFileSync(path))
      .update('\0');
  }
  return hash.digest('hex');
}

/** @param {string} root */
export function isBuilt(root) {
  const stamp = join(root, STAMP);
  return (
    existsSync(stamp) &&
    readFileSync(stamp, 'utf8') === inputsOf(root) &&
    ENTRIES.every((entry) => existsSync(join(root, entry)))
  );
}

/** @param {string} root */
export async function buildOutput(root) {
  const began = Date.now();
  const inputs = inputsOf(root);
  const node = pinnedNode(root) ?? process.execPath;
  if (!canRunProduct() && node === process.execPath) {
    throw new ScriptFailure(`Node ${process.versions.node} cannot run Interject.`, `${NODE_ADVICE}.`);
  }
  say('Building the console …');
  rmSync(join(root, STAMP), { force: true });
  forgetPackages(root);
  const result = await keep(node, [join(root, 'node_modules/electron-vite/bin/electron-vite.js'), 'build'], {
    cwd: root,
  });
  if (result.signal !== null) {
    endLike(result);
    throw new ScriptFailure('The build was interrupted.', 'run the command again.');
  }
  if (result.code !== 0) {
    say(result.output.trim());
    throw new ScriptFailure(
      /ENOSPC/.test(result.output)
        ? 'The build failed: the disk is full.'
        : 'The build failed; what it said is above.',
      'mend what it names (in an unchanged copy: remove node_modules and out, then start again).',
    );
  }
  writeLicenses(root);
  const help = await keep(node, [join(root, 'out/main/helpTexts.js'), join(root, HELP)], { cwd: root });
  if (help.code !== 0)
    throw new ScriptFailure('The build failed: help could not be written.', help.output.trim());
  writeFileSync(join(root, STAMP), inputs);
  say(`Console built in ${elapsed(began)}.`);
}
