// @ts-check
// Starting other programs: held in the foreground with signals passed on, or run to the end with output kept.
import { spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';

/** @typedef {{ code: number | null, signal: NodeJS.Signals | null, error: Error | null }} Ended */

/** @type {NodeJS.Signals[]} */
const PASSED_ON = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * How a child ended; never rejects, a child that could not start has `error`.
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<Ended>}
 */
export const ended = (child) =>
  new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: null, signal: null, error }));
    child.once('exit', (code, signal) => resolve({ code, signal, error: null }));
  });

/**
 * Passes this process's signals to a child until it ends. Returns the undo.
 * A terminal's Ctrl+C reaches the child by itself: passing it on would make it two.
 * @param {import('node:child_process').ChildProcess} child
 */
export function passSignals(child) {
  const undo = PASSED_ON.map((signal) => {
    const pass = () => {
      if (signal !== 'SIGINT' || process.stdin.isTTY !== true) child.kill(signal);
    };
    process.on(signal, pass);
    return () => process.off(signal, pass);
  });
  return () => undo.forEach((off) => off());
}

/**
 * The same terminal, and a channel that closes when this process ends, however it ends.
 * @type {import('node:child_process').StdioOptions}
 */
export const FOREGROUND = ['inherit', 'inherit', 'inherit', 'ipc'];

/**
 * Runs a program in the foreground: same terminal, signals passed on.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<Ended>}
 */
export async function hold(command, args, options = {}) {
  const child = spawn(command, args, { stdio: 'inherit', ...options });
  const release = passSignals(child);
  try {
    return await ended(child);
  } finally {
    release();
  }
}

const LOOK_FOR_PARENT_MS = 500;

/**
 * Asks this process to end once the shell that `npx` started it in is gone: npx passes a signal to its shell alone, which
 * ends and leaves the program running unseen. Does nothing where npx did not start it.
 */
export function endWithNpx() {
  if (process.env['npm_command'] !== 'exec') return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_FOR_PARENT_MS);
  watch.unref();
}

/**
 * Ends this process as a child ended, so that a caller sees the same code or signal.
 * @param {Ended} result
 */
export function endLike({ code, signal }) {
  if (signal !== null) process.kill(process.pid, signal);
  else process.exitCode = code ?? 1;
}

/**
 * Runs a program to its end and keeps what it printed.
 * `stalled` is asked every second and ends the program when it returns true.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv, shell?: boolean, everySecond?: () => void, stalled?: () => boolean }} options
 * @returns {Promise<Ended & { output: string, stalled: boolean }>}
 */
export async function keep(command, args, { cwd, env = process.env, shell = false, everySecond, stalled }) {
  const child = spawn(command, args, { cwd, env, shell, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const add = (/** @type {Buffer} */ chunk) => {
    output += chunk.toString();
  };
  child.stdout.on('data', add);
  child.stderr.on('data', add);
  let didStall = false;
  const watch = setInterval(() => {
    everySecond?.();
    if (stalled?.() !== true) return;
    didStall = true;
    child.kill('SIGKILL');
  }, 1000);
  const release = passSignals(child);
  try {
    const closed = new Promise((resolve) => child.once('close', resolve));
    const result = await ended(child);
    // Killed, it may leave children of its own that keep the pipes open.
    if (result.error === null && !didStall) await closed;
    return { ...result, output: stripVTControlCharacters(output), stalled: didStall };
  } finally {
    clearInterval(watch);
    release();
  }
}
