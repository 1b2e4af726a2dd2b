// @ts-check
// Whether the desktop app can run on this machine, its Electron binary, and fetching that once. Must not load the
// `electron` package: merely asking it for its path starts a download that blocks.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { canRunProduct, pinnedNode } from './node.mjs';
import { keep } from './processes.mjs';
import { elapsed, say } from './say.mjs';

/** A host that accepts and then sends nothing would otherwise hold the start for ever. */
const SILENT_LIMIT_MS = 30_000;
/** A start must not wait for the same refusal every time. */
const TRY_AGAIN_AFTER_MS = 24 * 60 * 60 * 1000;

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

/** When a download last failed. @param {string} root */
const lastFailure = (root) => join(root, '.cache/electron-failed');

/**
 * Fetches Electron's binary, unless that failed within the last day. Null when it is there, else why it is not.
 * @param {string} root
 * @returns {Promise<string | null>}
 */
export async function fetchElectron(root) {
  const memory = lastFailure(root);
  const failedAt = statSync(memory, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (Date.now() - failedAt < TRY_AGAIN_AFTER_MS) {
    return `${readFileSync(memory, 'utf8')} at the last try (\`npx install-electron\` tries again now)`;
  }
  const failed = await download(root);
  if (failed !== null) writeFileSync(memory, failed);
  return failed;
}

/**
 * Downloads Electron's binary. Gives up after 30 s without a byte, not after 30 s: a slow line may take its time.
 * @param {string} root
 * @returns {Promise<string | null>} why it is not there, null when it is
 */
async function download(root) {
  const node = canRunProduct() ? process.execPath : pinnedNode(root);
  if (node === null) return 'no Node that can run its installer';
  const began = Date.now();
  const arriving = join(root, '.cache/electron-download');
  rmSync(arriving, { recursive: true, force: true });
  mkdirSync(arriving, { recursive: true });
  say('Fetching Electron for the desktop app (about 110 MB, once) …');
  let bytes = 0;
  let lastByteAt = Date.now();
  const result = await keep(node, [join(root, 'node_modules/electron/install.js')], {
    cwd: root,
    // The installer downloads into the temporary folder: one of our own shows how far it is.
    env: { ...process.env, TMPDIR: arriving, TEMP: arriving, TMP: arriving },
    everySecond: () => {
      const now = bytesUnder(arriving);
      if (now === bytes) return;
      bytes = now;
      lastByteAt = Date.now();
      say(`  ${Math.round(bytes / 1e6)} MB, ${elapsed(began)}`);
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
