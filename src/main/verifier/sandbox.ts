// Running one verifier's Python in a process that is locked before it starts and ends with the verdict. Must not
// know: where verifiers or databases come from. It gets bytes, and never opens a database.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { join } from 'node:path';
import { z } from 'zod';
import { Failure } from '../../shared/failure.ts';
import { Json } from '../../shared/events/lifecycle.ts';
import { createBlocks, sendBlock, type Blocks } from './blocks.ts';
import type { FileCache } from './fileCache.ts';
import { readPackages } from './packages.ts';
import { createZones, type ZoneFiles } from './zones.ts';

type SandboxLimits = {
  /** Wall clock of one verifier, ms. */
  timeMs: number;
  /** WebAssembly memory, bytes. */
  memory: number;
  /** All memory of the process, as far as it is in use, bytes. */
  process: number;
  /** What the files it writes may take, bytes. */
  files: number;
  /** What it may print, and the size of its result, bytes. */
  output: number;
  /** How long the interpreter may take to start, ms. */
  startMs: number;
};

const MIB = 1024 * 1024;

export const SANDBOX_LIMITS: SandboxLimits = {
  timeMs: 20_000,
  memory: 512 * MIB,
  process: 1024 * MIB,
  files: 256 * MIB,
  output: 1_000_000,
  startMs: 60_000,
};

/** The folder with dateutil and pytz, which come with no interpreter; null for none. Asked for every verifier. */
export type PackagesFolder = () => string | null;

export type SandboxParts = {
  /** A Node that knows `--permission`. */
  node: string;
  /** The folder of the WebAssembly interpreter. */
  interpreter: string;
  /** The folder with the scripts that become the sandbox, and the Python that calls the verifier in it. */
  scripts: string;
  harness: string;
  limits: SandboxLimits;
  /** Put before the command, so that the system limits it too; empty where it cannot. */
  confinement: readonly string[];
  /** Where a snapshot outlives this process; null for nowhere. */
  kept: FileCache | null;
  packages: PackagesFolder;
  /** Interpreters kept started, so that a verdict does not wait for one. Each is used once. */
  spare: number;
};

type VerifierRequest = {
  code: string;
  initial: Uint8Array;
  final: Uint8Array;
  final_answer: string | null;
  /** What its clock shows when it starts, UTC ms; null for the real time. */
  at: number | null;
};

/**
 * Why a run gave nothing. `error` is the verifier's own, and the environment's runner would meet it too; all others are
 * limits and differences of this sandbox, which say nothing about the episode.
 */
export type VerifierFailure =
  'error' | 'timeout' | 'memory' | 'output' | 'crashed' | 'module_missing' | 'runner_differs';

type RunMarks = {
  /** What it printed, cut at the limit. */
  said: string;
  /** Whether it read the clock. */
  readClock: boolean;
  ms: number;
};
export type VerifierReply = RunMarks &
  (
    | {
        ok: true;
        function: string;
        /** What it returned. */
        result: Json;
        /** What that means in the form that gives a verdict; null where it is none. */
        verdict: 'complete' | 'others' | null;
        /** Whether it wrote text to stdout, where the environment's runner writes the verdict. */
        printed: boolean;
      }
    | { ok: false; failed: VerifierFailure; message: string }
  );

export type Sandbox = {
  run(request: VerifierRequest, signal?: AbortSignal): Promise<VerifierReply>;
  close(): void;
};

const marks = { said: z.string(), printed: z.boolean(), read_clock: z.boolean() };
const VerifierAnswer = z.union([
  z.object({
    function: z.string(),
    result: Json,
    verdict: z.enum(['complete', 'others']).nullable(),
    ...marks,
  }),
  z.object({
    failed: z.enum(['error', 'memory', 'output', 'crashed', 'module_missing', 'runner_differs']),
    message: z.string(),
    ...marks,
  }),
]);

/**
 * Nothing starts until the first run, which also takes a snapshot of Python just started where none is kept: later ones
 * begin from it.
 * Every process is used for one verifier and killed at its limit.
 */
export function createSandbox(parts: SandboxParts): Sandbox {
  const spares: Interpreter[] = [];
  const running = new Set<Interpreter>();
  const zones = createZones();
  let isClosed = false;
  let snapshot: Promise<Snapshot> | null = null;
  const take = (coming: Promise<Snapshot>): Promise<Snapshot> =>
    (snapshot = coming.catch((thrown: unknown) => {
      // A machine too busy to start it once may start it the next time.
      snapshot = null;
      throw thrown;
    }));
  const start = async (): Promise<Interpreter> => {
    const { bytes, isNew } = await (snapshot ?? take(openSnapshot(parts)));
    const interpreter = startInterpreter(parts, bytes, zones);
    // One that was kept may be none that this Python can begin from.
    if (isNew || isClosed || (await hasStarted(interpreter))) return interpreter;
    await parts.kept?.forget();
    return startInterpreter(parts, (await take(newSnapshot(parts))).bytes, zones);
  };
  const fill = async (): Promise<void> => {
    const interpreter = await start();
    if (isClosed || spares.length >= parts.spare) interpreter.kill();
    else spares.push(interpreter);
  };
  return {
    run: async (request, signal) => {
      const interpreter = takeSpare(spares) ?? (await start());
      running.add(interpreter);
      const stop = (): void => interpreter.kill();
      signal?.addEventListener('abort', stop, { once: true });
      try {
        if (isClosed) throw new Failure('closed', 'the sandbox is closed');
        signal?.throwIfAborted();
        await interpreter.ready;
        // The next one starts while this one works.
        if (spares.length < parts.spare) fill().catch(() => undefined);
        return await interpreter.run(request);
      } finally {
        signal?.removeEventListener('abort', stop);
        running.delete(interpreter);
        interpreter.kill();
      }
    },
    close: () => {
      isClosed = true;
      for (const interpreter of [...spares.splice(0), ...running]) interpreter.kill();
    },
  };
}

/** One that somebody ended while it waited is left out. */
function takeSpare(spares: Interpreter[]): Interpreter | null {
  for (let spare = spares.shift(); spare !== undefined; spare = spares.shift())
    if (spare.isAlive()) return spare;
  return null;
}

type Snapshot = { bytes: Uint8Array; isNew: boolean };

async function openSnapshot(parts: SandboxParts): Promise<Snapshot> {
  const kept = (await parts.kept?.read()) ?? null;
  return kept === null ? newSnapshot(parts) : { bytes: kept, isNew: false };
}

async function newSnapshot(parts: SandboxParts): Promise<Snapshot> {
  const bytes = await makeSnapshot(parts);
  await parts.kept?.keep(bytes);
  return { bytes, isNew: true };
}

const hasStarted = ({ ready }: Interpreter): Promise<boolean> =>
  ready.then(
    () => true,
    () => false,
  );

type Zones = (code: string) => ZoneFiles;

type Interpreter = {
  ready: Promise<void>;
  /** False once it was ended, from outside too. */
  isAlive(): boolean;
  run(request: VerifierRequest): Promise<VerifierReply>;
  kill(): void;
};

const SNAPSHOT_MAX = 512 * 1024 * 1024;

function spawnLocked(parts: SandboxParts, mode: 'make' | 'run') {
  const { node, interpreter, scripts, limits, confinement } = parts;
  const args = [
    '--permission',
    `--allow-fs-read=${interpreter}`,
    ...SCRIPTS.map((name) => `--allow-fs-read=${join(scripts, name)}`),
    // For the watchdog; once that runs, no other thread may be started.
    '--allow-worker',
    '--disallow-code-generation-from-strings',
    // Most verifiers are over before optimised code pays: a verdict takes a third less processor time, and one that
    // computes for ten seconds takes half as much again. Without the first flag hot functions are optimised all the same.
    '--no-wasm-dynamic-tiering',
    '--no-wasm-tier-up',
    // The interpreter has 15 000 functions and a verdict needs 2 000 of them: each is validated when it is first called.
    '--wasm-lazy-validation',
    '--max-old-space-size=256',
    `--wasm-max-mem-pages=${String(Math.floor(limits.memory / WASM_PAGE))}`,
    '--no-warnings',
    join(scripts, 'sandbox.mjs'),
    interpreter,
    mode,
    String(process.pid),
    JSON.stringify(limits),
  ];
  const [command, ...before] = [...confinement, node];
  // No variable of ours is its business; like in a container, its local time is UTC.
  const child = spawn(command, [...before, ...args], {
    env: { TZ: 'UTC' },
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  return child;
}

const SCRIPTS = ['sandbox.mjs', 'bridge.mjs', 'files.mjs', 'watchdog.mjs'];
const WASM_PAGE = 65_536;

/** Python as it is just after its start. Throws `sandbox_unavailable` when it does not start. */
async function makeSnapshot(parts: SandboxParts): Promise<Uint8Array> {
  const child = spawnLocked(parts, 'make');
  const blocks = createBlocks(child, SNAPSHOT_MAX);
  const start = limitStart(child, blocks, parts.limits.startMs);
  try {
    const snapshot = await blocks.next();
    if (snapshot === null) throw start.failure();
    return snapshot;
  } finally {
    start.done();
    child.kill('SIGKILL');
  }
}

/** Ends a process that is not up in time, and says so: it had no chance to say anything. */
function limitStart(child: ChildProcessWithoutNullStreams, blocks: Blocks, startMs: number) {
  let isLate = false;
  const slow = setTimeout(() => {
    isLate = true;
    child.kill('SIGKILL');
  }, startMs);
  const late = `it took longer than the ${String(startMs / 1000)} s it may; this machine may be busy`;
  return {
    done: () => clearTimeout(slow),
    failure: () => notStarted(isLate ? late : blocks.trouble()),
  };
}

const notStarted = (why: string): Failure =>
  new Failure('sandbox_unavailable', `the verifier sandbox did not start: ${why}`, {
    next: 'Run `interject doctor` for what is missing. Verifier code is never run outside the sandbox.',
  });

function startInterpreter(parts: SandboxParts, snapshot: Uint8Array, zones: Zones): Interpreter {
  const { limits } = parts;
  const child = spawnLocked(parts, 'run');
  const blocks = createBlocks(child, limits.output * 8 + 65_536);
  const start = limitStart(child, blocks, limits.startMs);
  sendBlock(child, snapshot);
  const ready = blocks.next().then((block) => {
    start.done();
    if (block === null) throw start.failure();
  });
  ready.catch(() => undefined);
  return {
    ready,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    run: (request) => runOnce(child, blocks, parts, zones, request),
    kill: () => {
      start.done();
      child.kill('SIGKILL');
    },
  };
}

async function runOnce(
  child: ChildProcessWithoutNullStreams,
  blocks: Blocks,
  { harness, limits, packages }: SandboxParts,
  zones: Zones,
  request: VerifierRequest,
): Promise<VerifierReply> {
  const startedAt = performance.now();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill('SIGKILL');
  }, limits.timeMs);
  try {
    const { files: zoneFiles, hasAll } = zones(request.code);
    const files = new Map([...zoneFiles, ...readPackages(request.code, packages())]);
    const head = {
      code: request.code,
      final_answer: request.final_answer,
      at: request.at,
      has_all_zones: hasAll,
      harness,
      files: [...files.keys()],
    };
    sendBlock(child, Buffer.from(JSON.stringify(head)));
    for (const block of [request.initial, request.final, ...files.values()]) sendBlock(child, block);
    const answer = await blocks.next();
    const ms = performance.now() - startedAt;
    if (answer !== null) return verifierReply(answer.toString('utf8'), ms);
    return endedReply(isLate ? 'limit: timeout' : blocks.trouble(), limits, ms);
  } finally {
    clearTimeout(timer);
  }
}

/** What the end of a process without an answer means, by what it or its watchdog said last. */
function endedReply(trouble: string, limits: SandboxLimits, ms: number): VerifierReply {
  if (trouble === 'limit: timeout')
    return failedReply('timeout', `it was stopped after ${String(limits.timeMs / 1000)} s`, ms);
  if (trouble === 'limit: memory' || /out of memory|allocation failed/i.test(trouble))
    return failedReply('memory', 'it used more memory than it may', ms);
  return failedReply('crashed', `the sandbox ended: ${trouble}`, ms);
}

const failedReply = (why: 'timeout' | 'memory' | 'crashed', message: string, ms: number): VerifierReply => ({
  ok: false,
  failed: why,
  message,
  said: '',
  readClock: false,
  ms,
});

/** The line is hostile input too: whatever is no answer is a crash. */
function verifierReply(line: string, ms: number): VerifierReply {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return failedReply('crashed', 'the sandbox answered something that is no JSON', ms);
  }
  const answer = VerifierAnswer.safeParse(value);
  if (!answer.success)
    return failedReply('crashed', 'the sandbox answered something else than a verdict', ms);
  const { read_clock: readClock, ...data } = answer.data;
  return 'failed' in data ? { ok: false, ...data, readClock, ms } : { ok: true, ...data, readClock, ms };
}
