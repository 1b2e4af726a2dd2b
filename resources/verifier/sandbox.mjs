// Runs one verifier, once, in a process that can do nothing else. Main starts it with Node's permission model on.
// Order is the lock: start the watchdog, take what is needed, become something that is no Node, load Python, close every
// way to import, and last of all the bridge between Python and JavaScript.
// Blocks come in and go out as four bytes of length and the bytes: a snapshot of Python first (empty: start it afresh),
// then the request, the two databases, the files. `make` gives such a snapshot out, before any verifier was near.
import { readFileSync, readSync, writeSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { createBridge } from './bridge.mjs';
import { limitFiles } from './files.mjs';

const [folder, mode, parent] = [process.argv[2], process.argv[3], Number(process.argv[4])];
const { memory: memoryMax, output: outputMax, files: filesMax, ...watched } = JSON.parse(process.argv[5]);

const { permission, pid } = process;
const kill = process.kill.bind(process);
/** At once and without a word to the watchdog's thread. Whatever was written is out. */
const exit = () => {
  kill(pid, 'SIGKILL');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
};

// Where the main thread is, for the watchdog: starting, waiting for a verifier, running one. Then whether it watches.
const shared = new Int32Array(new SharedArrayBuffer(8));
const [PHASE, WATCHING, WAITING, RUNNING] = [0, 1, 1, 2];
const enter = (phase) => {
  Atomics.store(shared, PHASE, phase);
  Atomics.notify(shared, PHASE);
};
new Worker(new URL('watchdog.mjs', import.meta.url), {
  workerData: { shared, parent, limits: { ...watched, memory: watched.process } },
  resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 },
});
permission.drop?.('worker');

// An address that leads nowhere: the loader asks for its parts as a browser would, and gets them from memory.
const indexUrl = 'https://python.invalid/';
const files = new Map(
  ['pyodide.asm.wasm', 'python_stdlib.zip', 'pyodide-lock.json'].map((name) => [
    name,
    readFileSync(`${folder}/${name}`),
  ]),
);
const { crypto } = globalThis;
const random = (array) => crypto.getRandomValues(array);
random(new Uint8Array(1));

let isOpen = true;
registerHooks({
  resolve: (specifier, context, next) => {
    if (!isOpen || !specifier.startsWith(indexUrl)) throw new Error('nothing can be imported here');
    return next(pathToFileURL(`${folder}/${specifier.slice(indexUrl.length)}`).href, context);
  },
});

const bridge = createBridge((name) =>
  answer({ failed: 'crashed', message: `it reached for JavaScript (${name})` }),
);
const { instantiate } = WebAssembly;
WebAssembly.instantiateStreaming = async (response, imports) => {
  for (const table of new Set([imports.env, imports.wasi_snapshot_preview1])) bridge.guardImports(table);
  return instantiate(await (await response).arrayBuffer(), imports);
};
for (const name of ['compileStreaming', 'Suspending', 'promising']) delete WebAssembly[name];
const { Memory } = WebAssembly;
const { grow } = Memory.prototype;
const byteLength = Object.getOwnPropertyDescriptor(Memory.prototype, 'buffer').get;
Memory.prototype.grow = function (pages) {
  if (byteLength.call(this).byteLength + pages * 65536 > memoryMax) throw new RangeError('memory limit');
  return Reflect.apply(grow, this, [pages]);
};

const KEPT = new Set(
  (
    'Object Function Array Number parseFloat parseInt Infinity NaN undefined Boolean String Symbol Date Promise RegExp ' +
    'Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError globalThis JSON Math Intl ' +
    'ArrayBuffer Atomics Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array Float32Array Float64Array ' +
    'Uint8ClampedArray BigUint64Array BigInt64Array DataView Map BigInt Set WeakMap WeakSet WeakRef Proxy Reflect ' +
    'FinalizationRegistry SharedArrayBuffer decodeURI decodeURIComponent encodeURI encodeURIComponent WebAssembly ' +
    'TextDecoder TextEncoder URL setTimeout clearTimeout performance queueMicrotask isNaN isFinite Iterator ' +
    'AbortController AbortSignal structuredClone'
  ).split(' '),
);
for (const name of Object.getOwnPropertyNames(globalThis)) {
  if (!KEPT.has(name)) delete globalThis[name];
}
const ignore = () => undefined;
class WorkerGlobalScope {}
Object.setPrototypeOf(globalThis, WorkerGlobalScope.prototype);
Object.assign(globalThis, {
  WorkerGlobalScope,
  self: globalThis,
  location: { href: indexUrl, toString: () => indexUrl },
  navigator: { userAgent: 'sandbox' },
  crypto: { getRandomValues: random },
  console: { log: ignore, warn: ignore, error: ignore, info: ignore, debug: ignore },
  importScripts: () => {
    throw new TypeError('a module worker');
  },
  fetch: async (url) => {
    const bytes = files.get(String(url).slice(indexUrl.length));
    if (bytes === undefined) throw new Error('nothing can be fetched here');
    const { buffer, byteOffset: at, byteLength: length } = bytes;
    return { ok: true, status: 200, arrayBuffer: async () => buffer.slice(at, at + length) };
  },
});

function read(length) {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length;) {
    const got = readSync(0, bytes, at, length - at);
    if (got === 0) exit();
    at += got;
  }
  return bytes;
}
const block = () => read(new DataView(read(4).buffer).getUint32(0));

function write(bytes) {
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(1, bytes, at);
    } catch (thrown) {
      if (thrown.code !== 'EAGAIN') exit();
    }
  }
}
function give(bytes) {
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, bytes.length);
  write(length);
  write(bytes);
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();
let printed = 0;
let said = '';
let isSpoken = false;
const keep = (bytes) => {
  printed += bytes.length;
  if (said.length < outputMax) said += decoder.decode(bytes).slice(0, outputMax - said.length);
  if (printed > outputMax) answer({ failed: 'output', message: 'it printed more than it may' });
  return bytes.length;
};
// JSON's own white space may stand before a verdict, other text may not.
const isText = (byte) => byte !== 32 && byte !== 9 && byte !== 10 && byte !== 13;
const keepSpoken = (bytes) => {
  isSpoken ||= bytes.some(isText);
  return keep(bytes);
};

/** Python's clock, which asks here: it runs on from a moment that is given, and who looks at it is known. */
const realNow = Date.now;
let clockShift = 0;
let clockReads = 0;
Date.now = () => {
  clockReads += 1;
  return realNow() + clockShift;
};

/** The one answer, and the end: whatever the verifier left behind goes with the process. */
function answer(reply) {
  const marks = { said, printed: isSpoken, read_clock: clockReads > 0 };
  give(encoder.encode(JSON.stringify({ ...reply, ...marks })));
  exit();
}

const snapshot = mode === 'make' ? new Uint8Array() : block();
// Now that it looks like no Node, Python's loader takes none of its roads.
const { loadPyodide } = await import('https://python.invalid/pyodide.mjs');
const python = await loadPyodide({
  indexURL: indexUrl,
  lockFileContents: decoder.decode(files.get('pyodide-lock.json')),
  jsglobals: Object.create(null),
  fullStdLib: false,
  ...(mode === 'make' ? { _makeSnapshot: true } : {}),
  ...(snapshot.length > 0 ? { _loadSnapshot: snapshot } : {}),
});
isOpen = false;
// No more code: neither a library that brings a memory of its own along, nor a call that is made to measure.
for (const name of ['compile', 'instantiate', 'instantiateStreaming', 'Module', 'Instance'])
  delete WebAssembly[name];
if (mode === 'make') {
  python.runPython(
    'import ast, datetime, inspect, io, json, os.path, re, sqlite3, sys, time, tokenize, traceback, types, zipfile, zoneinfo',
  );
  give(python.makeMemorySnapshot());
  exit();
}
python.setStdout({ write: keepSpoken });
python.setStderr({ write: keep });
python.setStdin({ error: true });
delete globalThis.fetch;
files.clear();
permission.drop?.('fs.read');
// A process that nobody watches is none that runs a verifier.
if (Atomics.wait(shared, WATCHING, 0, watched.startMs) === 'timed-out')
  throw new Error('the watchdog did not start');

enter(WAITING);
give(new Uint8Array());
const request = JSON.parse(decoder.decode(block()));
enter(RUNNING);
const { FS } = python;
FS.mkdirTree('/data');
FS.writeFile('/data/initial.db', block(), { canOwn: true });
FS.writeFile('/data/final.db', block(), { canOwn: true });
for (const path of request.files) {
  FS.mkdirTree(path.slice(0, path.lastIndexOf('/')));
  FS.writeFile(path, block(), { canOwn: true });
}
FS.writeFile('/request.json', JSON.stringify(request));
limitFiles(FS, filesMax, () =>
  answer({ failed: 'memory', message: 'its files take more memory than it may use' }),
);

/** A file of Python's that JavaScript answers to: what is written there in one piece goes to `take`. */
function device(path, number, take) {
  const id = FS.makedev(64, number);
  FS.registerDevice(id, {
    open: ignore,
    close: ignore,
    llseek: () => {
      throw new FS.ErrnoError(70);
    },
    write: (_stream, buffer, at, length) => {
      take(buffer.subarray(at, at + length));
      return length;
    },
  });
  FS.mkdev(path, 0o222, id);
}
// The harness locks up itself and leaves its reply, both by writing to a file: no value crosses the bridge any more.
device('/dev/lock', 0, () => {
  bridge.close();
  if (request.at !== null) clockShift = request.at - realNow();
  clockReads = 0;
});
device('/dev/reply', 1, (bytes) => {
  if (bytes.length > outputMax) answer({ failed: 'output', message: 'its result is larger than it may be' });
  answer(JSON.parse(decoder.decode(bytes)));
});
const RUN_HARNESS = `import json
exec(compile(json.load(open('/request.json', encoding='utf-8'))['harness'], '<exec>', 'exec'))`;
try {
  // Pyodide reads what it runs three times, once token by token: it gets a line that runs the rest.
  python.runPython(RUN_HARNESS);
  answer({ failed: 'crashed', message: 'it ended without a reply' });
} catch (thrown) {
  const message = String(thrown?.message ?? thrown).slice(-2000);
  // The system gave no more.
  const isMemory = thrown instanceof RangeError && /allocation failed|array length/i.test(message);
  answer({ failed: isMemory ? 'memory' : 'crashed', message });
}
