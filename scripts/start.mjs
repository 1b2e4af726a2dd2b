// @ts-check
// `npm start`: set-up, then the desktop app where it can run, else the same console in a browser, saying why.
import { setTimeout as delay } from 'node:timers/promises';
import { spawn } from 'node:child_process';
import { sandboxProblem, sandboxRemedy } from './parts/chromiumSandbox.mjs';
import {
  earlierFailure,
  electronBinary,
  fetchElectron,
  noWindowReason,
  thisMachine,
} from './parts/desktop.mjs';
import { runEntry } from './parts/entry.mjs';
import { NODE_ADVICE } from './parts/node.mjs';
import { endLike, ended, FOREGROUND, passSignals } from './parts/processes.mjs';
import { ScriptFailure, runMain, say } from './parts/say.mjs';
import { root, setUp } from './setup.mjs';

/** A desktop app that dies this soon could not start at all (no sandbox, missing system libraries). */
const STARTED_AFTER_MS = 5_000;
/** The desktop app could not start and has said why, in a window: nothing else is to be tried. */
const FAILURE_TOLD = 78;

const USAGE = `npm start [-- options]

Sets up what is missing, then opens the desktop app; where Electron cannot run, serves the same console to a browser.

  --port N       port of the gateway and the browser console (4747)
  --data DIR     data folder
  --no-open      print the address, open no browser

INTERJECT_NO_ELECTRON_DOWNLOAD=1 keeps the first start from fetching Electron.`;

/** @param {readonly string[]} args */
async function startInBrowser(args) {
  if (await runEntry(root, 'server', args)) return;
  throw new ScriptFailure(`Node ${process.versions.node} cannot run Interject.`, `${NODE_ADVICE}.`);
}

/**
 * Why the desktop app is not an option, or its binary. `meanwhile` is for when the console is already up.
 * @returns {Promise<{ binary: string } | { reason: string, advice?: readonly string[], meanwhile?: () => Promise<void> }>}
 */
async function desktopApp() {
  const reason = noWindowReason(thisMachine());
  if (reason !== null) return { reason };
  const there = electronBinary(root);
  if (there !== null) return usable(there);
  if (process.env['INTERJECT_NO_ELECTRON_DOWNLOAD'] === '1') {
    return { reason: 'Electron is not installed and INTERJECT_NO_ELECTRON_DOWNLOAD is set' };
  }
  const earlier = earlierFailure(root);
  if (earlier !== null) {
    return {
      reason: `Electron is not installed: ${earlier} at the last start; it is fetched again meanwhile`,
      meanwhile: () => fetchMeanwhile(root),
    };
  }
  const failed = await fetchElectron(root);
  const fetched = electronBinary(root);
  return fetched === null
    ? { reason: `Electron is not installed: ${failed ?? 'its files are incomplete'}` }
    : usable(fetched);
}

/**
 * Started all the same it would end at once, with the name of a signal and no word of the cause.
 * @param {string} binary
 */
function usable(binary) {
  const problem = sandboxProblem(binary);
  if (problem === null) return { binary };
  return { reason: problem.reason, advice: ['For the desktop app, run once:', ...problem.remedy] };
}

/** While people work in the browser, so nothing is said but how it ended. @param {string} folder */
export async function fetchMeanwhile(folder, tell = say) {
  const failed = await fetchElectron(folder, () => undefined);
  tell(
    failed === null
      ? 'Electron is here now: the next `npm start` opens the desktop app.'
      : `Electron could not be fetched: ${failed}. The next start tries again.`,
  );
}

/**
 * Runs the desktop app to its end. Null when it ran; else why it could not start.
 * @param {string} binary
 * @param {readonly string[]} args
 * @returns {Promise<string | null>}
 */
export async function runDesktop(binary, args) {
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env;
  const child = spawn(binary, [root, ...args], { stdio: FOREGROUND, env });
  const release = passSignals(child);
  const early = new AbortController();
  const ending = ended(child).finally(() => early.abort());
  const isUp = await delay(STARTED_AFTER_MS, true, { signal: early.signal }).catch(() => false);
  const result = await ending;
  release();
  const askedToEnd = result.signal === 'SIGINT' || result.signal === 'SIGTERM' || result.signal === 'SIGHUP';
  if (result.code === FAILURE_TOLD) {
    process.exitCode = 1;
    return null;
  }
  if (isUp || result.code === 0 || askedToEnd) {
    endLike(result);
    return null;
  }
  if (result.error !== null) return `Electron could not be started: ${result.error.message}`;
  return `Electron ended at once (${result.signal ?? `exit code ${String(result.code)}`})`;
}

async function main() {
  const args = process.argv.slice(2);
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(`${USAGE}\n`);
    return;
  }
  await setUp();
  const desktop = await desktopApp();
  const reason = 'binary' in desktop ? await runDesktop(desktop.binary, args) : desktop.reason;
  if (reason === null) return;
  say(`Serving the console to a browser: ${reason}.`);
  if ('binary' in desktop) {
    // Chromium's own word for a sandbox that it cannot start.
    if (reason.includes('SIGTRAP'))
      for (const line of ['If its sandbox is what fails, run once:', ...sandboxRemedy(desktop.binary)])
        say(line);
  } else {
    for (const line of desktop.advice ?? []) say(line);
    // It may still run when the console ends, which ends it.
    desktop.meanwhile?.().catch(() => undefined);
  }
  await startInBrowser(args);
}

await runMain(import.meta.url, main);
