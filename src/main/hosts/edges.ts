// The edges every host shares: the clock, timers, ids, chance, where keys are kept without a keychain.
import { setTimeout as wait } from 'node:timers/promises';
import type { AppEdges } from '../app/types.ts';
import { Failure } from '../../shared/failure.ts';
import { createFileSecrets } from '../settings/fileSecrets.ts';
import { publicVariables } from '../../shared/publicVariables.ts';
import { SERVER_FRAME_MAX } from '../../shared/wire.ts';
import { spawnTapWith } from '../gateway/tap/tapLink.ts';
import { helperNode } from './helperNode.ts';
import { newId } from './ids.ts';
import { openListener } from './listener.ts';
import { programPath } from './paths.ts';
import { startThread } from './threadEntry.ts';
import { createTurns } from './turns.ts';
import { userKey } from './userKey.ts';
import { startTimer } from '../../shared/longTimer.ts';

export { newId } from './ids.ts';

/** How long a timer waits that could not write to the data folder. */
const UNWRITABLE_RETRY_MS = 1_000;

/** Runs once after a delay of any length, and again while the data folder takes nothing; returns its undo. */
export function schedule(delayMs: number, run: () => void): () => void {
  let isOver = false;
  let cancel = (): void => undefined;
  const tryRun = (): void => {
    try {
      run();
    } catch (thrown) {
      if (!(thrown instanceof Failure) || thrown.code !== 'data_unwritable') throw thrown;
      if (!isOver) cancel = startTimer(UNWRITABLE_RETRY_MS, tryRun);
    }
  };
  cancel = startTimer(delayMs, tryRun);
  return () => {
    isOver = true;
    cancel();
  };
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
  monotonic: () => performance.now(),
  schedule,
  sleep,
  random: Math.random,
  turn: createTurns(),
  newId: () => newId(),
  userKey,
  secrets: (folder) => createFileSecrets(folder, say),
  listenWorlds: (worlds) =>
    openListener(worlds, { host: '127.0.0.1', port: 0, maxPayload: SERVER_FRAME_MAX, origin: 'none' }),
  spawnTap: spawnTapWith(programPath('tap'), publicVariables(process.env), helperNode()),
  startThread,
  tell: say,
  report: (thrown) => say(`a listener failed: ${String(thrown)}`),
});
