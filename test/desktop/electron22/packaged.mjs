// @ts-check
// The package of the desktop app built around Electron 22: a trial of its parts on a machine that has no other Electron.
// It is never handed out.
import { cpSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildPackage } from '../../../scripts/package.mjs';
import { electron22 } from './prepare.mjs';

const VERSION = '22.3.25';
/** What the polyfills need, and the database as it was adapted. */
const PACKAGES = ['better-sqlite3', 'core-js', 'undici', '@fastify/busboy'];
const THREAD = ['thread.js', 'thread.cjs', 'polyfills.cjs'];

/**
 * @param {string} root a built product
 * @param {string} folder is made anew
 * @returns {Promise<{ executable: string } | { missing: string }>}
 */
export async function packaged22(root, folder) {
  const made = await electron22(root);
  if ('missing' in made) return made;
  rmSync(folder, { recursive: true, force: true });
  const electron = dirname(made.executable);
  const app = join(electron, 'resources/app');
  const [dist, project] = [join(folder, 'electron'), join(folder, 'app')];
  const isApp = (/** @type {string} */ path) => path === app;
  cpSync(electron, dist, { recursive: true, filter: (path) => !isApp(path) });
  cpSync(join(app, 'out'), join(project, 'out'), { recursive: true });
  cpSync(join(root, 'resources'), join(project, 'resources'), { recursive: true });
  // Without the part that tests of the unpackaged app load before it.
  writeFileSync(
    join(project, 'out/main/start.cjs'),
    `require('./polyfills.cjs');\nrequire('./electron.cjs');\n`,
  );
  copyPackages(app, join(project, 'node_modules'));
  const described = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8'));
  const dependencies = Object.fromEntries(PACKAGES.map((name) => [name, '*']));
  writeFileSync(join(project, 'package.json'), JSON.stringify({ ...described, dependencies }));
  const output = await buildPackage({
    isFolderOnly: true,
    electron: { dist, version: VERSION },
    project,
    made: join(folder, 'made'),
    staged: join(folder, 'staged'),
    adapt: (staged) => adaptHelpers(app, join(staged, 'helpers')),
  });
  return { executable: join(output, 'linux-unpacked/interject') };
}

/** @param {string} app @param {string} modules */
function copyPackages(app, modules) {
  for (const name of PACKAGES) {
    const from = name.startsWith('@')
      ? join(dirname(realUndici(app)), name)
      : join(app, 'node_modules', name);
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    cpSync(from, join(modules, name), { recursive: true, dereference: true });
  }
}

/** Beside it npm put what it needs. @param {string} app */
const realUndici = (app) => realpathSync(join(app, 'node_modules/undici'));

/** The threads of Electron 22 are CommonJS with polyfills; the tap runs on the pinned Node as it is. @param {string} app @param {string} helpers */
function adaptHelpers(app, helpers) {
  for (const name of THREAD) cpSync(join(app, 'out/main', name), join(helpers, 'out/main', name));
  copyPackages(app, join(helpers, 'node_modules'));
  writeFileSync(join(helpers, 'package.json'), '{}\n');
}
