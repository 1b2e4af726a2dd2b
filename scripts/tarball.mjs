// @ts-check
// `npm run tarball`: the product as npm installs it, in one file under dist/. Tells its size, and refuses to hand out a
// file that names a folder of this machine.
import { mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { npmCommand } from './parts/packages.mjs';
import { keep } from './parts/processes.mjs';
import { ScriptFailure, runMain, say } from './parts/say.mjs';
import { root, setUp } from './setup.mjs';

/** @typedef {{ filename: string, size: number, unpackedSize: number, files: { path: string }[] }} Packed */

const megabytes = (/** @type {number} */ bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

/**
 * Files of the package that hold one of these paths.
 * @param {string} folder
 * @param {readonly string[]} files
 * @param {readonly string[]} machinePaths
 */
export const filesNaming = (folder, files, machinePaths) =>
  files.filter((file) => {
    const bytes = readFileSync(join(folder, file));
    return machinePaths.some((path) => bytes.includes(path));
  });

/**
 * Packs what is built. `.npmrc` keeps npm from running scripts of its own, so the build comes first.
 * @param {string} into
 * @returns {Promise<{ file: string, packed: Packed }>}
 */
export async function packTarball(into) {
  await setUp();
  mkdirSync(into, { recursive: true });
  const { command, lead, env, shell } = npmCommand();
  const args = [...lead, 'pack', '--json', '--loglevel=error', '--pack-destination', into];
  const result = await keep(command, args, { cwd: root, env, shell });
  if (result.code !== 0)
    throw new ScriptFailure(`npm pack failed: ${result.output.trim()}`, 'mend what npm names.');
  /** @type {Packed} */
  const packed = JSON.parse(result.output.slice(result.output.indexOf('[')))[0];
  const naming = filesNaming(
    root,
    packed.files.map(({ path }) => path),
    // Root's home has the same name everywhere, and the product itself knows it.
    process.getuid?.() === 0 ? [root] : [root, homedir()],
  );
  if (naming.length > 0) {
    throw new ScriptFailure(
      `These files name a folder of this machine: ${naming.join(', ')}.`,
      'take it out of their sources, then pack again.',
    );
  }
  return { file: join(into, packed.filename), packed };
}

async function main() {
  const { file, packed } = await packTarball(join(root, 'dist'));
  const { size, unpackedSize, files } = packed;
  say(`${file}: ${megabytes(size)}, ${files.length} files, ${megabytes(unpackedSize)} unpacked.`);
  say('Install it in any folder: npm install FILE, then npx --no interject serve');
}

await runMain(import.meta.url, main);
