// Figures of an export: 100,000 episodes from the log to a data set folder, how fast and in how much memory.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeExport } from '../../src/main/dataset/export/runExport.ts';
import type { EventLog } from '../../src/main/log/eventLog.ts';
import { rulesOf } from '../support/exporting.ts';
import { openLog } from '../support/log.ts';
import { episodeEntries } from '../support/manyEpisodes.ts';

type Say = (what: string, figure: string) => void;
const MB = 1_000_000;
const SCENARIOS = 50;
const BATCH = 200;

function fill(log: EventLog, count: number): void {
  for (let from = 0; from < count; from += BATCH) {
    log.importStreams(
      Array.from({ length: Math.min(BATCH, count - from) }, (_, k) => {
        const number = from + k;
        const id = `e${String(number).padStart(7, '0')}`;
        const shape = {
          scenario: `shop_${String(number % SCENARIOS)}`,
          task_idx: number % 10,
          number,
          calls: 2,
          isAdvised: number % 2 === 0,
        };
        return { stream: id, entries: episodeEntries(id, number, shape) };
      }),
    );
  }
}

/** Longest time the event loop was held, and most memory, while something runs. */
function watch(): () => { longest: number; peak: number } {
  let last = performance.now();
  let longest = 0;
  let peak = 0;
  let sampled = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last - 5);
    last = now;
    if (now - sampled > 100) {
      sampled = now;
      peak = Math.max(peak, process.memoryUsage.rss());
    }
  }, 5);
  return () => (clearInterval(timer), { longest, peak });
}

/** Measures and says what came out. */
export async function measureExporting(say: Say, count = 100_000): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'interject-perf-export-'));
  const path = join(folder, 'interject.db');
  const filled = openLog(path, Date.now);
  fill(filled, count);
  filled.close();
  const log = openLog(path, Date.now);
  const before = process.memoryUsage.rss();
  const stop = watch();
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  const rules = rulesOf({ validation: { share: 0.1, seed: 0 } });
  const report = await writeExport(
    log,
    {
      format: 'sft',
      rules,
      files: 'jsonl',
      kit: null,
      despite: [],
      folder: join(folder, 'out'),
      isForced: false,
    },
    { signal: new AbortController().signal, onProgress: () => undefined },
  );
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const { longest, peak } = stop();
  const rows = report.splits.train + report.splits.validation;
  say(
    `export ${count.toLocaleString('en')} episodes, ${rows.toLocaleString('en')} rows, ${String(Math.round(report.bytes / MB))} MB of files`,
    `${(report.bytes / MB / seconds).toFixed(1)} MB/s (${(report.bytes / MB / ((user + system) / 1e6)).toFixed(1)} MB per second of processor), ${seconds.toFixed(0)} s, at most ${String(Math.round(peak / MB))} MB of memory (${String(Math.round(before / MB))} before), loop held at most ${longest.toFixed(0)} ms`,
  );
  log.close();
  rmSync(folder, { recursive: true, force: true });
}

const isAlone = process.argv[1]?.endsWith('exporting.ts') ?? false;
if (isAlone) {
  await measureExporting(
    (what, figure) => process.stdout.write(`${what}: ${figure}\n`),
    Number(process.argv[2] ?? 100_000),
  );
}
