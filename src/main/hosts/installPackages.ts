// `interject verify --install-packages`: this machine's pip puts the packages that verifiers import in a folder of
// ours.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Failure } from '../../shared/failure.ts';
import { PACKAGES_VARIABLE } from '../verifier/packages.ts';
import type { CommandOutput } from './output.ts';
import { installedPackagesPath, PACKAGES_FOLDER, packagesRequirements } from './paths.ts';

/** Only the versions and checksums of our own list; nothing is built, and no package brings others along. */
const PIP = [
  ['-m', 'pip', 'install', '--disable-pip-version-check', '--no-input', '--no-compile', '--no-user'],
  ['--require-hashes', '--no-deps', '--only-binary', ':all:'],
].flat();

/**
 * Installs the packages in the folder for caches, readable by its owner only; one that is there is replaced.
 * Throws `unsupported_runtime` where there is no Python with pip, `install_failed` with pip's own reason.
 */
export function installPackages(output: CommandOutput): void {
  const folder = installedPackagesPath();
  const requirements = packagesRequirements();
  const pins = [...readFileSync(requirements, 'utf8').matchAll(/^([\w-]+)==(\S+)/gm)];
  const packages = pins.map(([, name = '', version = '']) => ({ name, version }));
  const names = packages.map(({ name, version }) => `${name} ${version}`).join(', ');
  output.say(`Installing ${names} …`);
  const partial = `${folder}.${String(process.pid)}`;
  try {
    mkdirSync(partial, { recursive: true, mode: 0o700 });
    runPip(findPip(dirname(folder)), ['--target', partial, '--requirement', requirements], dirname(folder));
    rmSync(folder, { recursive: true, force: true });
    renameSync(partial, folder);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
  removeOlder(folder);
  output.say(`Installed in ${folder}. Verifiers find them from now on.`);
  output.line({ type: 'packages', folder, packages });
}

/** The first Python that has pip, asked in a folder of ours: `-m` imports from the folder it is started in. */
function findPip(cwd: string): string {
  const given = process.env['INTERJECT_PYTHON'] ?? '';
  const found = (given === '' ? ['python3', 'python', 'py'] : [given]).filter(
    (python) => spawnSync(python, ['--version'], { cwd, stdio: 'ignore' }).status === 0,
  );
  const python = found.find(
    (one) => spawnSync(one, ['-m', 'pip', '--version'], { cwd, stdio: 'ignore' }).status === 0,
  );
  if (python !== undefined) return python;
  const why =
    found.length === 0
      ? `there is no Python${given === '' ? '' : ` at ${given}`}`
      : `${found[0] ?? ''} has no pip`;
  throw new Failure('unsupported_runtime', `the packages cannot be installed: ${why}`, {
    next: `Install Python 3 with pip, name another Python in INTERJECT_PYTHON, or ${ELSEWHERE}`,
  });
}

/** In our own folder, so that no file of the folder the person stands in is imported. */
function runPip(python: string, where: string[], cwd: string): void {
  const { status, stderr } = spawnSync(python, [...PIP, ...where], { cwd, encoding: 'utf8' });
  if (status === 0) return;
  const isOther = stderr.includes('DO NOT MATCH THE HASHES');
  const said = stderr.match(/^ERROR: .*$/gm)?.join(' ') ?? stderr.trim().split('\n').at(-1) ?? '';
  const why = isOther
    ? 'a file that pip was given is not the one with our checksum, so it was not installed'
    : `pip says: ${said}`;
  throw new Failure('install_failed', `the packages were not installed: ${why}`, {
    next: `pip takes them from the package index that its own settings name: see that this machine reaches it. Without one, ${ELSEWHERE}`,
  });
}

const ELSEWHERE = `set ${PACKAGES_VARIABLE} to a folder that has them: copied from another machine, or the site-packages of the environment’s Python.`;

/** What another version of the product installed is not used any more. */
function removeOlder(folder: string): void {
  for (const name of readdirSync(dirname(folder))) {
    if (name.startsWith(PACKAGES_FOLDER) && name !== basename(folder))
      rmSync(join(dirname(folder), name), { recursive: true, force: true });
  }
}
