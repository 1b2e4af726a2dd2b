// Reads the Python packages outside the standard library that verifiers may import. Interject ships none: they come from
// a folder that the person names, or from the one that `interject verify --install-packages` filled.
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../shared/failure.ts';

/** Installs pinned versions of the packages for verifiers that need them. */
export const INSTALL_COMMAND = 'interject verify --install-packages';
/** Names a folder that is used instead: the site-packages of an environment, or wheels that `pip download` left. */
export const PACKAGES_VARIABLE = 'INTERJECT_PYTHON_PACKAGES';

const IMPORTED = /\b(?:dateutil|pytz)\b/;
/** dateutil needs six; the other two stand alone. */
const PACKAGE_NAMES: ReadonlySet<string> = new Set(['dateutil', 'pytz', 'six.py']);
const WHEEL = /^(?:python_dateutil|pytz|six)-[^/]*\.whl$/;
const PACKAGES_BYTES_MAX = 32 * 1024 * 1024;
/** Where the sandbox looks for them. */
const PACKAGES_MOUNT = '/packages';

/**
 * Files of the packages that a verifier's source names, by their path in the sandbox; empty where it names none or there
 * is no folder. Throws `bad_input` when the folder cannot be read or holds more than 32 MB of them.
 */
export function readPackages(code: string, folder: string | null): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  if (folder === null || !IMPORTED.test(code)) return files;
  let bytes = 0;
  const add = (path: string, name: string): void => {
    const stat = lstatSync(path);
    if (stat.isDirectory() && !name.endsWith('__pycache__')) {
      for (const child of readdirSync(path)) add(join(path, child), `${name}/${child}`);
    }
    if (!stat.isFile()) return;
    bytes += stat.size;
    if (bytes > PACKAGES_BYTES_MAX) throw unreadablePackages(folder, 'its packages are larger than 32 MB');
    files.set(`${PACKAGES_MOUNT}/${name}`, readFileSync(path));
  };
  try {
    for (const name of readdirSync(folder)) {
      if (PACKAGE_NAMES.has(name) || WHEEL.test(name)) add(join(folder, name), name);
    }
  } catch (thrown) {
    throw thrown instanceof Failure ? thrown : unreadablePackages(folder, String(thrown), thrown);
  }
  return files;
}

const unreadablePackages = (folder: string, why: string, cause?: unknown): Failure =>
  new Failure('bad_input', `the Python packages in ${folder} cannot be read: ${why}`, {
    next: `Run \`${INSTALL_COMMAND}\`, or set ${PACKAGES_VARIABLE} to a site-packages folder, or to one with the wheels of python-dateutil, six and pytz.`,
    cause,
  });
