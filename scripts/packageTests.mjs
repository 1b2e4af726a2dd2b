// @ts-check
// `npm run test:packages`: makes the packages and runs them as a person would. `npm`: the npm package, which npm installs
// into an empty folder. `desktop`: the desktop app around the Electron that is here. Both where neither is named; what
// cannot be had is left out with one line that says why.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packaged22 } from '../test/desktop/electron22/packaged.mjs';
import { display } from './desktopTests.mjs';
import { electronBinary } from './parts/desktop.mjs';
import { pinnedNode } from './parts/node.mjs';
import { explainInstall, npmCommand, npmComplaint } from './parts/packages.mjs';
import { keep } from './parts/processes.mjs';
import { ScriptFailure, elapsed, runMain, say } from './parts/say.mjs';
import { vitestRun } from './parts/vitestRun.mjs';
import { buildPackage, electronToPackage } from './package.mjs';
import { root, setUp } from './setup.mjs';
import { packTarball } from './tarball.mjs';

/** @param {string} what @param {string} why @param {string} next */
function skip(what, why, next) {
  if (process.env['INTERJECT_REQUIRE_PACKAGES'] === '1')
    throw new ScriptFailure(`${what} cannot be tested: ${why}.`, next);
  process.stdout.write(`Tests of ${what} were skipped: ${why}\n`);
}

/**
 * @param {string} file
 * @param {NodeJS.ProcessEnv} env
 * @param {readonly string[]} before
 */
async function test(file, env, before = []) {
  const { passed, failed, ok } = await vitestRun({
    root,
    node: pinnedNode(root) ?? process.execPath,
    name: `packages-${file}`,
    before,
    args: ['--config', join(root, 'test/packages/vitest.config.ts'), `test/packages/${file}.test.ts`],
    env: { ...process.env, ...env },
  });
  process.stdout.write(`\npackages (${file}): ${passed} passed, ${failed} failed\n`);
  if (!ok) process.exitCode = 1;
}

/**
 * Installs the tarball as a person would, scripts of packages and all.
 * @param {string} folder
 * @param {string} file
 * @returns {Promise<string | null>} what npm complained of; null when it is installed
 */
async function install(folder, file) {
  writeFileSync(join(folder, 'package.json'), '{}');
  const { command, lead, env, shell } = npmCommand();
  const flags = ['--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline', '--ignore-scripts=false'];
  const result = await keep(command, [...lead, 'install', ...flags, file], { cwd: folder, env, shell });
  return result.code === 0 ? null : result.output;
}

/** @param {string} folder is empty */
async function testNpm(folder) {
  const { file } = await packTarball(folder);
  const began = Date.now();
  const complaint = await install(folder, file);
  if (complaint === null) {
    say(`Installed into an empty folder in ${elapsed(began)}.`);
    return test('npm', { INTERJECT_INSTALLED: folder });
  }
  const [why, next] = explainInstall(complaint, root);
  if (/registry could not be reached/.test(why)) return skip('the npm package', why, next);
  throw new ScriptFailure(`npm cannot install the package: ${why}.\n${npmComplaint(complaint)}`, next);
}

const PLACES = {
  linux: 'linux-unpacked/interject',
  darwin: `${process.arch === 'arm64' ? 'mac-arm64' : 'mac'}/Interject.app/Contents/MacOS/Interject`,
  win32: 'win-unpacked/Interject.exe',
};

/** The app packaged around the current Electron; where that is not here, around Electron 22. @param {string} folder */
async function packagedApp(folder) {
  const place =
    process.platform in PLACES ? PLACES[/** @type {keyof typeof PLACES} */ (process.platform)] : null;
  if (place === null || electronBinary(root) === null) return packaged22(root, folder);
  const made = await buildPackage({
    isFolderOnly: true,
    electron: electronToPackage(undefined),
    made: join(folder, 'made'),
    staged: join(folder, 'staged'),
  });
  return { executable: join(made, place) };
}

/** @param {string} folder is empty */
async function testDesktop(folder) {
  const before = display();
  if (before === null)
    return skip('the desktop package', 'this machine has no display, and no xvfb-run', 'install xvfb.');
  await setUp();
  const app = await packagedApp(folder);
  if ('missing' in app) return skip('the desktop package', app.missing, 'run `npx install-electron`.');
  return test('desktop', { INTERJECT_PACKAGED: app.executable }, before);
}

async function main() {
  const named = process.argv.slice(2);
  for (const [name, run] of /** @type {const} */ ([
    ['npm', testNpm],
    ['desktop', testDesktop],
  ])) {
    if (named.length > 0 && !named.includes(name)) continue;
    const folder = mkdtempSync(join(tmpdir(), `interject-package-${name}-`));
    try {
      await run(folder);
    } finally {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  }
}

await runMain(import.meta.url, main);
