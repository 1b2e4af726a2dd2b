// @ts-check
// One set-up at a time in one folder. The owner touches its lock file; a lock whose owner is gone is taken over.
import {
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';

const TOUCH_MS = 5_000;
/** Longer than any pause of a live owner, which touches the file every five seconds. */
const SILENT_MS = 60_000;

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // EPERM: there, but another user's.
    return /** @type {NodeJS.ErrnoException} */ (thrown).code === 'EPERM';
  }
}

/**
 * Whether the owner of a lock file is gone. Another machine's process (a shared folder) is judged by its silence alone.
 * @param {string} text what the file holds
 * @param {number} silentMs
 */
export function isAbandoned(text, silentMs) {
  if (silentMs > SILENT_MS) return true;
  const [pid, host] = text.trim().split(' ');
  // A file just opened is empty until its owner has written: not abandoned.
  if (pid === undefined || pid === '' || host !== hostname()) return false;
  return !isAlive(Number(pid));
}

/** @param {string} path */
function tryTake(path) {
  try {
    const file = openSync(path, 'wx');
    writeSync(file, `${process.pid} ${hostname()}\n`);
    closeSync(file);
    return true;
  } catch (thrown) {
    if (/** @type {NodeJS.ErrnoException} */ (thrown).code === 'EEXIST') return false;
    throw thrown;
  }
}

/** @param {string} path */
function clearIfAbandoned(path) {
  try {
    const text = readFileSync(path, 'utf8');
    if (!isAbandoned(text, Date.now() - statSync(path).mtimeMs)) return;
    const aside = `${path}.${process.pid}`;
    renameSync(path, aside);
    // Another taker was quicker, and what moved is its fresh lock: put it back.
    if (readFileSync(aside, 'utf8') !== text) linkSync(aside, path);
    rmSync(aside, { force: true });
  } catch (thrown) {
    if (/** @type {NodeJS.ErrnoException} */ (thrown).code !== 'ENOENT') throw thrown;
  }
}

/**
 * Runs `work` while holding the lock; waits for another holder, calling `waiting` once.
 * @template T
 * @param {string} path
 * @param {() => void} waiting
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function alone(path, waiting, work) {
  mkdirSync(dirname(path), { recursive: true });
  let hasSaid = false;
  while (!tryTake(path)) {
    clearIfAbandoned(path);
    if (tryTake(path)) break;
    if (!hasSaid) waiting();
    hasSaid = true;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  const touch = setInterval(() => {
    if (existsSync(path)) utimesSync(path, new Date(), new Date());
  }, TOUCH_MS);
  const drop = () => rmSync(path, { force: true });
  process.once('exit', drop);
  try {
    return await work();
  } finally {
    clearInterval(touch);
    process.off('exit', drop);
    drop();
  }
}
