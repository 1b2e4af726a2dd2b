// @ts-check
// The part of a desktop package that lies beside the app's archive as plain files: the programs that a plain Node runs
// (the tap) or that Electron starts as threads, and the packages they need.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const PROGRAMS = ['tap.js', 'thread.js'];
/** As the build writes them: a statement at the start of a line, or a call. */
const IMPORT = /^import\b[^"';]*["']([\w@./:-]+)["']|\bimport\(["']([\w@./:-]+)["']\)/gm;

/**
 * The files of a build that programs of it load, and the packages those name.
 * @param {string} folder
 * @param {readonly string[]} programs
 */
export function loadedBy(folder, programs) {
  const files = new Set(programs);
  /** @type {Set<string>} */
  const packages = new Set();
  for (const file of files) {
    const code = readFileSync(join(folder, file), 'utf8');
    for (const [, stated, called = ''] of code.matchAll(IMPORT)) {
      const name = stated ?? called;
      if (name.startsWith('.')) files.add(join(dirname(file), name).replaceAll('\\', '/'));
      else if (!name.startsWith('node:')) packages.add(packageOf(name));
    }
  }
  return { files: [...files], packages: [...packages] };
}

/** @param {string} name */
const packageOf = (name) =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');

/**
 * Packages with all that they need in turn, types apart.
 * @param {string} modules
 * @param {readonly string[]} names
 */
export function withDependencies(modules, names) {
  const all = new Set(names);
  for (const name of all) {
    const { dependencies = {} } = JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8'));
    for (const needed of Object.keys(dependencies)) if (!needed.startsWith('@types/')) all.add(needed);
  }
  return [...all];
}

/**
 * What a package needs to be built, or is for other systems, is left behind.
 * @param {string} platform
 * @param {string} arch
 */
export const isNeededFile = (platform, arch) => (/** @type {string} */ path) => {
  const file = path.replaceAll('\\', '/');
  if (/\/node_modules\/node-addon-api(\/|$)/.test(file)) return false;
  if (/\/better-sqlite3\/(deps|src|binding\.gyp)/.test(file) || /\.(map|d\.ts|d\.mts|d\.cts)$/.test(file))
    return false;
  const prebuilt = /\/better-sqlite3\/prebuilds\/(.+)\.node$/.exec(file)?.[1];
  return prebuilt === undefined || prebuilt === `${platform}-${arch}`;
};

/**
 * @param {string} root a built product
 * @param {string} stage is made anew
 * @param {{ platform: string, arch: string, node: string }} target `node` is a Node program for it
 */
export function stageHelpers(root, stage, { platform, arch, node }) {
  rmSync(stage, { recursive: true, force: true });
  const helpers = join(stage, 'helpers');
  const built = join(root, 'out/main');
  const { files, packages } = loadedBy(built, PROGRAMS);
  for (const file of files) {
    mkdirSync(dirname(join(helpers, 'out/main', file)), { recursive: true });
    cpSync(join(built, file), join(helpers, 'out/main', file));
  }
  const modules = join(root, 'node_modules');
  const filter = isNeededFile(platform, arch);
  for (const name of withDependencies(modules, packages))
    cpSync(join(modules, name), join(helpers, 'node_modules', name), {
      recursive: true,
      dereference: true,
      filter,
    });
  writeFileSync(join(helpers, 'package.json'), '{"type":"module"}\n');
  const program = join(stage, 'node', platform === 'win32' ? 'node.exe' : 'bin/node');
  mkdirSync(dirname(program), { recursive: true });
  cpSync(node, program);
  // Beside the program on Windows, elsewhere beside its folder.
  const license = [dirname(node), dirname(dirname(node))]
    .map((folder) => join(folder, 'LICENSE'))
    .find((file) => existsSync(file));
  if (license !== undefined) cpSync(license, join(stage, 'node/LICENSE'));
}
