// Ends this process at its limits, from a thread of its own: Python keeps the main thread busy, and whoever started the
// process may be gone. It says why on stderr.
import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

const { shared, parent, limits } = workerData;
const { startMs, timeMs, memory } = limits;
// The words of `shared`: what the main thread does, and whether this thread watches.
const [PHASE, WATCHING] = [0, 1];
const [STARTING, WAITING, RUNNING] = [0, 1, 2];
const EVERY_MS = { [STARTING]: 50, [WAITING]: 500, [RUNNING]: 20 };

function end(why) {
  try {
    writeSync(2, `\nlimit: ${why}\n`);
  } catch {
    // Nobody reads it any more.
  }
  process.kill(process.pid, 'SIGKILL');
}

/** A process whose parent ended gets another one, except on Windows. */
function hasParent() {
  if (process.platform !== 'win32') return process.ppid === parent;
  try {
    return process.kill(parent, 0);
  } catch (thrown) {
    return thrown.code === 'EPERM';
  }
}

const processorMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

let [phase, since, spent] = [STARTING, performance.now(), processorMs()];
const LIMIT_MS = { [STARTING]: startMs, [WAITING]: Infinity, [RUNNING]: timeMs };
for (let isFirst = true; ; isFirst = false) {
  const now = Atomics.load(shared, PHASE);
  if (now !== phase) [phase, since, spent] = [now, performance.now(), processorMs()];
  if (!hasParent()) end('parent');
  if (process.memoryUsage.rss() > memory) end('memory');
  if (performance.now() - since > LIMIT_MS[phase]) end('timeout');
  // Threads of V8 may work beside the one that runs Python.
  if (processorMs() - spent > 2 * LIMIT_MS[phase]) end('timeout');
  if (isFirst) {
    Atomics.store(shared, WATCHING, 1);
    Atomics.notify(shared, WATCHING);
  }
  Atomics.wait(shared, PHASE, phase, EVERY_MS[phase]);
}
