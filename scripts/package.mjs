// @ts-check
// `npm run package`: the desktop app as installers of this system, under dist/. Says what it fetches before it does.
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { builderConfig, withoutEmpty } from './parts/builderConfig.mjs';
import { electronBinary, installerVariables } from './parts/desktop.mjs';
import { NODE_ADVICE, pinnedNode, productNode } from './parts/node.mjs';
import { npmCommand } from './parts/packages.mjs';
import { endLike, hold } from './parts/processes.mjs';
import { ScriptFailure, runMain, say } from './parts/say.mjs';
import { stageHelpers } from './parts/stage.mjs';
import { root, setUp } from './setup.mjs';

const USAGE = `npm run package [-- options]

Builds the desktop app for this system: AppImage and deb, dmg and zip, or an NSIS installer, under dist/.

  --dir            only the app as a folder, no installer
  --electron DIR   build around an Electron that is unpacked there, and fetch none

Signing, notarisation and updates: environment variables, see docs/install.md.`;

/** @typedef {{ isFolderOnly: boolean, electron: { dist: string | null, version: string } }} Wanted */

const SYSTEMS = { linux: '--linux', darwin: '--mac', win32: '--win' };
const FORMATS = { linux: 'AppImage and deb', darwin: 'dmg and zip', win32: 'NSIS' };

/** @returns {'linux' | 'darwin' | 'win32'} */
function system() {
  const { platform } = process;
  if (platform === 'linux' || platform === 'darwin' || platform === 'win32') return platform;
  throw new ScriptFailure(`There is no package for ${platform}.`, 'use the npm package: npm run tarball');
}

/** The version of electron-builder is locked, with all it needs, in a folder of its own: nobody else fetches it. */
const tools = join(root, 'packaging');
const builder = join(tools, 'node_modules/electron-builder');

function haveTools() {
  const record = join(tools, 'node_modules/.package-lock.json');
  const age = (/** @type {string} */ file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return existsSync(builder) && age(record) >= age(join(tools, 'package-lock.json'));
}

/** @param {Wanted} wanted */
function sayDownloads({ isFolderOnly, electron }) {
  if (!haveTools()) say('To fetch: electron-builder and what it needs, from npm (95 MB on disk).');
  if (electron.dist === null)
    say(
      `To fetch: Electron ${electron.version}, from its releases on GitHub (about 110 MB, kept in its cache).`,
    );
  if (!isFolderOnly)
    say(
      `To fetch: electron-builder’s tools for ${FORMATS[system()]}, from its releases on GitHub, checked against sums.`,
    );
}

async function installTools() {
  if (haveTools()) return;
  const { command, lead, env, shell } = npmCommand();
  const args = [...lead, 'ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const { code } = await hold(command, args, { cwd: tools, env, shell, stdio: ['ignore', 2, 2] });
  if (code !== 0)
    throw new ScriptFailure('electron-builder could not be installed.', 'mend what npm names above.');
}

/** Npm's own where it brings one; else the Node that runs this, which must be one from nodejs.org to run elsewhere. */
function nodeToPackage() {
  const pinned = pinnedNode(root);
  if (pinned !== null) return pinned;
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  throw new ScriptFailure(
    'The app brings a Node 24 along, and none is here.',
    'run this with Node 24 from nodejs.org.',
  );
}

/**
 * Builds the app that lies in the folder `project`. Resolves with the folder of what was made.
 * @param {Wanted & { project?: string, made?: string, staged?: string, adapt?: (staged: string) => void }} wanted
 *   `adapt` may change what goes beside the app's archive
 */
export async function buildPackage({
  isFolderOnly,
  electron,
  project = root,
  made = join(root, 'dist/desktop'),
  staged = join(root, '.cache/package'),
  adapt = () => undefined,
}) {
  const { arch } = process;
  stageHelpers(root, staged, { platform: system(), arch, node: nodeToPackage() });
  adapt(staged);
  await installTools();
  const config = builderConfig({
    stage: staged,
    output: made,
    icons: join(tools, 'icons'),
    platform: system(),
    arch,
    electronVersion: electron.version,
    electronDist: electron.dist,
    env: process.env,
  });
  mkdirSync(staged, { recursive: true });
  const file = join(staged, 'builder.json');
  writeFileSync(file, JSON.stringify(config, null, 2));
  const node = productNode(root);
  if (node === null) throw new ScriptFailure('This Node cannot run the packaging.', `${NODE_ADVICE}.`);
  const args = [
    join(builder, 'cli.js'),
    SYSTEMS[system()],
    '--projectDir',
    project,
    '--config',
    file,
    '--publish',
    'never',
  ];
  const result = await hold(node, isFolderOnly ? [...args, '--dir'] : args, {
    cwd: root,
    env: withoutEmpty(installerVariables(process.env)),
    stdio: ['ignore', 2, 2],
  });
  if (result.code !== 0) {
    endLike(result);
    throw new ScriptFailure(
      'electron-builder ended with an error, shown above.',
      'mend what it names, then try again.',
    );
  }
  return made;
}

/**
 * The Electron to build around: one that is named, here or for `npm start` too (ELECTRON_OVERRIDE_DIST_PATH), else the
 * installed one, else one that is fetched.
 * @param {string | undefined} named
 * @returns {Wanted['electron']}
 */
export function electronToPackage(named) {
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules/electron/package.json'), 'utf8'));
  if (named !== undefined) {
    const file = join(named, 'version');
    if (existsSync(file)) return { dist: named, version: readFileSync(file, 'utf8').trim() };
    throw new ScriptFailure(
      `${named} is no unpacked Electron.`,
      'name the folder that holds its file "version".',
    );
  }
  const own = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  if (own !== undefined) return electronToPackage(own);
  return { dist: electronBinary(root) === null ? null : join(root, 'node_modules/electron/dist'), version };
}

async function main() {
  const { values } = parseArgs({
    options: {
      dir: { type: 'boolean' },
      electron: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) {
    process.stdout.write(`${USAGE}\n`);
    return;
  }
  await setUp();
  const wanted = { isFolderOnly: values.dir === true, electron: electronToPackage(values.electron) };
  sayDownloads(wanted);
  say(`Made: ${await buildPackage(wanted)}`);
}

await runMain(import.meta.url, main);
