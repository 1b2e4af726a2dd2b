// @ts-check
// Whether the desktop app can run on this machine, its Electron binary, and fetching that once. Must not load the
// `electron` package: merely asking it for its path starts a download that blocks.
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { canRunProduct, pinnedNode } from './node.mjs';
import { keep } from './processes.mjs';
import { elapsed, say } from './say.mjs';

/** @typedef {import('./say.mjs').Say} Say */

/** A host that accepts and then sends nothing would otherwise hold the start for ever. */
const SILENT_LIMIT_MS = 30_000;

/**
 * Why no window can be opened here, or null when one can.
 * @param {{ platform: string, env: Record<string, string | undefined>, uid: number | undefined }} machine
 */
export function noWindowReason({ platform, env, uid }) {
  if (platform !== 'linux') return null;
  if (!env['DISPLAY'] && !env['WAYLAND_DISPLAY']) return 'this machine has no display';
  if (uid === 0) return 'Electron does not run as root';
  return null;
}

/** This machine, as `noWindowReason` asks for it. */
export const thisMachine = () => ({ platform: process.platform, env: process.env, uid: process.getuid?.() });

/**
 * The Electron binary, where it is installed.
 * @param {string} root
 * @param {Record<string, string | undefined>} [env]
 * @returns {string | null}
 */
export function electronBinary(root, env = process.env) {
  const folder = join(root, 'node_modules/electron');
  const pathFile = join(folder, 'path.txt');
  const name = existsSync(pathFile) ? readFileSync(pathFile, 'utf8').trim() : '';
  const dist = env['ELECTRON_OVERRIDE_DIST_PATH'];
  if (name === '' && dist === undefined) return null;
  const binary =
    dist === undefined ? join(folder, 'dist', name) : join(dist, name === '' ? 'electron' : name);
  return existsSync(binary) ? binary : null;
}

/** A file may be moved away between listing and asking. @param {string} folder */
const bytesUnder = (folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name), { throwIfNoEntry: false }))
    .reduce((sum, stat) => sum + (stat?.isFile() === true ? stat.size : 0), 0);

/** Why the last download failed. @param {string} root */
const lastFailure = (root) => join(root, '.cache/electron-failed');

/**
 * Why Electron could not be fetched the last time; null when that was not tried, or worked.
 * @param {string} root
 */
export function earlierFailure(root) {
  const memory = lastFailure(root);
  return existsSync(memory) ? readFileSync(memory, 'utf8') : null;
}

/** @param {string} root */
function isWritable(root) {
  try {
    for (const name of ['.cache', 'node_modules/electron']) accessSync(join(root, name), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Fetches Electron's binary, and remembers when that failed: the next start does not wait for it then. Null when it is
 * there, else why it is not.
 * @param {string} root
 * @param {Say} [tell] hears how far it is
 * @returns {Promise<string | null>}
 */
export async function fetchElectron(root, tell = say) {
  if (!isWritable(root)) return 'this copy cannot be written';
  const failed = await download(root, tell);
  if (failed === null) rmSync(lastFailure(root), { force: true });
  else writeFileSync(lastFailure(root), failed);
  return failed;
}

/**
 * The variables with which Electron's installer is started: it takes no notice of a proxy unless it is told to.
 * @param {Record<string, string | undefined>} env
 * @returns {Record<string, string | undefined>}
 */
export function installerVariables(env) {
  const hasProxy = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'].some((name) => env[name]);
  return hasProxy ? { ELECTRON_GET_USE_PROXY: '1', ...env } : env;
}

/**
 * Downloads Electron's binary. Gives up after 30 s without a byte, not after 30 s: a slow line may take its time.
 * @param {string} root
 * @param {Say} tell
 * @returns {Promise<string | null>} why it is not there, null when it is
 */
async function download(root, tell) {
  const node = canRunProduct() ? process.execPath : pinnedNode(root);
  if (node === null) return 'no Node that can run its installer';
  const began = Date.now();
  const arriving = join(root, '.cache/electron-download');
  rmSync(arriving, { recursive: true, force: true });
  mkdirSync(arriving, { recursive: true });
  tell('Fetching Electron for the desktop app (about 110 MB, once) …');
  let bytes = 0;
  let lastByteAt = Date.now();
  const result = await keep(node, [join(root, 'node_modules/electron/install.js')], {
    cwd: root,
    // The installer downloads into the temporary folder: one of our own shows how far it is.
    env: { ...installerVariables(process.env), TMPDIR: arriving, TEMP: arriving, TMP: arriving },
    everySecond: () => {
      const now = bytesUnder(arriving);
      if (now === bytes) return;
      bytes = now;
      lastByteAt = Date.now();
      tell(`  ${Math.round(bytes / 1e6)} MB, ${elapsed(began)}`);
    },
    stalled: () => Date.now() - lastByteAt > SILENT_LIMIT_MS,
  });
  rmSync(arriving, { recursive: true, force: true });
  if (result.stalled) return 'its download sent nothing for 30 s';
  if (result.code !== 0) return `its download failed (${lastWords(result.output)})`;
  return null;
}

/** The one line of an installer's output that says what happened; it hides why a host could not be reached. @param {string} output */
function lastWords(output) {
  const lines = output.split('\n').map((line) => line.trim());
  const said = lines.find((line) => /error|refused|ENOTFOUND|EAI_AGAIN/i.test(line)) ?? lines.at(-1) ?? '';
  return /fetch failed/.test(said) ? 'its host could not be reached' : said;
}
