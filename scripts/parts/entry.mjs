// @ts-check
// Running one of the built entries (out/main/*.js) with a Node that can: this one, else the pinned one.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { canRunProduct, pinnedNode } from './node.mjs';
import { endLike, FOREGROUND, hold } from './processes.mjs';

/**
 * Runs an entry in this process where this Node can (no second process, signals as they come), else in the pinned Node.
 * False when no Node here can run it.
 * @param {string} root
 * @param {'server' | 'cli'} name
 * @param {readonly string[]} args
 * @returns {Promise<boolean>}
 */
export async function runEntry(root, name, args) {
  const file = join(root, 'out/main', `${name}.js`);
  if (canRunProduct()) {
    process.argv = [process.execPath, file, ...args];
    await import(pathToFileURL(file).href);
    return true;
  }
  const node = pinnedNode(root);
  if (node === null) return false;
  const result = await hold(node, [file, ...args], { stdio: FOREGROUND });
  if (result.error !== null) return false;
  endLike(result);
  return true;
}
