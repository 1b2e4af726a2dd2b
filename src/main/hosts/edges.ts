// The edges every host shares: the clock, timers, ids, chance, where keys are kept without a keychain.
import { setTimeout as wait } from 'node:timers/promises';
import type { AppEdges } from '../app/types.ts';
import { Failure } from '../../shared/failure.ts';
import { createFileSecrets } from '../settings/fileSecrets.ts';
import { lazySandbox } from '../verifier/runtime.ts';
import { SERVER_FRAME_MAX } from '../../shared/wire.ts';
import { spawnTapWith } from '../gateway/tap/tapLink.ts';
import { newId } from './ids.ts';
import { openListener } from './listener.ts';
import { cacheFolderPath, packagesFolderPath, programPath } from './paths.ts';
import { startThread } from './threadEntry.ts';
import { publicVariables } from './variables.ts';

export { newId } from './ids.ts';

/** setTimeout's own limit; a longer wait is taken in stretches. */
const TIMER_MAX_MS = 2_147_483_647;

/** Runs once after a delay of any length; returns its undo. */
export function schedule(delayMs: number, run: () => void): () => void {
  if (delayMs <= TIMER_MAX_MS) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  }
  let cancel = (): void => undefined;
  const timer = setTimeout(() => {
    cancel = schedule(delayMs - TIMER_MAX_MS, run);
  }, TIMER_MAX_MS);
  cancel = () => clearTimeout(timer);
  return () => cancel();
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await wait(ms, undefined, { signal });
  } catch (cause) {
    throw new Failure('cancelled', 'the wait was cancelled', { cause });
  }
}

export const nodeEdges = (say: (text: string) => void): AppEdges => ({
  clock: Date.now,
  schedule,
  sleep,
  random: Math.random,
  newId: () => newId(),
  secrets: (folder) => createFileSecrets(folder, say),
  listenWorlds: (worlds) =>
    openListener(worlds, { host: '127.0.0.1', port: 0, maxPayload: SERVER_FRAME_MAX, origin: 'none' }),
  sandbox: (resources) =>
    lazySandbox({
      resources,
      versions: process.versions,
      execPath: process.execPath,
      cache: cacheFolderPath(),
      packages: () => packagesFolderPath(),
    }),
  spawnTap: spawnTapWith(programPath('tap'), publicVariables(process.env)),
  startThread,
  tell: say,
  report: (thrown) => say(`a listener failed: ${String(thrown)}`),
});
