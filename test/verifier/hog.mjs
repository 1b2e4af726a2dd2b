// A program that has broken out of everything: it loops, or takes memory, until something else ends it. With `watchdog` it
// is watched as the sandbox is. Prints its process id, then how many MB it holds, 1536 at most.
import { writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

const { watchdog, limits, act } = JSON.parse(process.argv[2]);
if (watchdog !== undefined) {
  const shared = new Int32Array(new SharedArrayBuffer(8));
  new Worker(watchdog, { workerData: { shared, parent: process.ppid, limits } });
  Atomics.wait(shared, 1, 0);
  Atomics.store(shared, 0, 2);
  Atomics.notify(shared, 0);
}
writeSync(1, `${process.pid}\n`);
const kept = [];
for (;;) {
  if (act !== 'allocate') continue;
  if (kept.length === 96) break;
  kept.push(new Uint8Array(16 * 1024 * 1024).fill(1));
  writeSync(1, `${kept.length * 16}\n`);
}
