// What Node 16 of Electron 22 lacks and the product calls. Loaded before it, in main and in its threads.
'use strict';
require('core-js/actual');
const buffer = require('node:buffer');
const fs = require('node:fs');
const fsPromises = require('node:fs/promises');
const http = require('node:http');
const crypto = require('node:crypto');
const { execFileSync } = require('node:child_process');
const os = require('node:os');
const path = require('node:path');
const streams = require('node:stream/web');
const zlib = require('node:zlib');
const undici = require('undici');

for (const name of ['fetch', 'Headers', 'Request', 'Response', 'FormData']) {
  if (globalThis[name] === undefined) globalThis[name] = undici[name];
}
buffer.isUtf8 ??= (bytes) => {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
};
globalThis.Blob ??= buffer.Blob;
globalThis.File ??= undici.File;
for (const name of ['ReadableStream', 'TransformStream', 'WritableStream', 'TextDecoderStream']) {
  globalThis[name] ??= streams[name];
}
crypto.hash ??= (name, data, encoding = 'hex') => crypto.createHash(name).update(data).digest(encoding);
const CRC = Array.from({ length: 256 }, (_, n) => {
  let value = n;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});
zlib.crc32 ??= (data, start = 0) => {
  let value = ~start;
  for (const byte of Buffer.from(data)) value = CRC[(value ^ byte) & 0xff] ^ (value >>> 8);
  return ~value >>> 0;
};
/** Sizes as `df` prints them, in kibibytes. */
fs.statfsSync ??= (folder) => {
  const [, line] = execFileSync('df', ['-kP', folder], { encoding: 'utf8' }).split('\n');
  const [, blocks, , free] = line.split(/\s+/);
  return { bsize: 1024, blocks: Number(blocks), bavail: Number(free), bfree: Number(free) };
};
os.availableParallelism ??= () => os.cpus().length;

/** Entries below a folder, as `recursive` lists them since Node 18. */
function below(folder, list) {
  return list(folder).flatMap((entry) => {
    const name = typeof entry === 'string' ? entry : entry.name;
    const full = path.join(folder, name);
    if (typeof entry !== 'string') entry.parentPath = folder;
    if (!fs.lstatSync(full).isDirectory()) return [entry];
    const inner = below(full, list);
    return [entry, ...(typeof entry === 'string' ? inner.map((one) => path.join(name, one)) : inner)];
  });
}
const { readdirSync } = fs;
fs.readdirSync = (folder, options) => {
  if (options?.recursive !== true) return readdirSync(folder, options);
  const { recursive: _, ...rest } = options;
  return below(String(folder), (one) => readdirSync(one, rest));
};
fsPromises.readdir = ((readdir) => async (folder, options) =>
  options?.recursive === true ? fs.readdirSync(folder, options) : readdir(folder, options))(
  fsPromises.readdir,
);

/** The open sockets of a server, which Node 18 began to keep. */
const sockets = new WeakMap();
const { createServer } = http;
http.createServer = (...given) => {
  const server = createServer(...given);
  const open = new Set();
  sockets.set(server, open);
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.closeAllConnections = () => open.forEach((socket) => socket.destroy());
  server.closeIdleConnections = () => undefined;
  return server;
};

if (AbortSignal.any === undefined) {
  AbortSignal.any = (signals) => {
    const all = new AbortController();
    const end = (signal) => all.abort(signal.reason);
    for (const signal of signals) {
      if (signal.aborted) end(signal);
      else signal.addEventListener('abort', () => end(signal), { once: true });
    }
    return all.signal;
  };
}
require('node:module').syncBuiltinESMExports();

// The database's addon asks for Node-API 10, of which it needs two functions that Node-API 8 has for objects only.
const boxed = path.join(__dirname, '../../node_modules/better-sqlite3/boxed.node');
process.dlopen({ exports: {} }, boxed, os.constants.dlopen.RTLD_LAZY | os.constants.dlopen.RTLD_GLOBAL);
Object.defineProperty(process, 'versions', { value: Object.freeze({ ...process.versions, napi: '10' }) });
