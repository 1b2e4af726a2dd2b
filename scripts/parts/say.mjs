// @ts-check
// What a script tells a person: plain lines with times, on stderr, because stdout belongs to the work itself.
import { existsSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Where a script's lines go; tests pass their own. @typedef {(line: string) => void} Say */

/** @type {Say} */
export const say = (line) => {
  process.stderr.write(`${line}\n`);
};

/** @param {number} sinceMs */
export const elapsed = (sinceMs) => {
  const seconds = (Date.now() - sinceMs) / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  return seconds < 90 ? `${Math.round(seconds)} s` : `${(seconds / 60).toFixed(1)} min`;
};

/** A script's own failure: what failed and why (`message`), and what the person can do (`next`). */
export class ScriptFailure extends Error {
  /**
   * @param {string} message
   * @param {string} next
   */
  constructor(message, next) {
    super(message);
    this.name = 'ScriptFailure';
    this.next = next;
  }
}

/**
 * Runs a script's main function if the script is what Node was started with; a failure is said in two lines, exit code 1.
 * @param {string} url the script's `import.meta.url`
 * @param {() => Promise<void>} main
 */
export async function runMain(url, main) {
  const started = process.argv[1];
  if (started === undefined || !existsSync(started) || realpathSync(started) !== fileURLToPath(url)) return;
  try {
    await main();
  } catch (thrown) {
    process.exitCode = 1;
    if (!(thrown instanceof ScriptFailure)) throw thrown;
    say(`\n${thrown.message}\nWhat to do: ${thrown.next}`);
  }
}
