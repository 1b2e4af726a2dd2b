// Given to a process by `--import`: writes each second how late its event loop came, and how much processor time its
// rounds took, which says the same of a machine that others keep busy; into a file of its process.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const folder = process.env['INTERJECT_PERF_DELAYS'];
const RESOLUTION_MS = 5;
const NS_A_MS = 1e6;
const US_A_MS = 1e3;

/** Of this thread, in microseconds. */
function processorTime(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

if (folder !== undefined && isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const rounds = createHistogram();
  let before = processorTime();
  setInterval(() => {
    const now = processorTime();
    rounds.record(Math.max(1, Math.round(now - before)));
    before = now;
  }, RESOLUTION_MS).unref();
  setInterval(() => {
    const [p50, p99, longest] = [delay.percentile(50), delay.percentile(99), delay.max].map(
      (ns) => ns / NS_A_MS,
    );
    const round = rounds.percentile(99) / US_A_MS;
    const said = { argv: process.argv, p50, p99, longest, round, count: delay.count };
    writeFileSync(join(folder, `${String(process.pid)}.json`), JSON.stringify(said));
  }, 1000).unref();
}
