// Figures of an import: from files on disk to readable in the library, and opening one very large sample.
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { join } from 'node:path';
import { findFiles, type FoundFile } from '../../src/main/dataset/import/findFiles.ts';
import { importFile } from '../../src/main/dataset/import/importFile.ts';
import { runAheadInOrder } from '../../src/main/dataset/import/importJobs.ts';
import { createNotes } from '../../src/main/dataset/import/importNotes.ts';
import { readOnThread } from '../../src/main/dataset/import/readOnThread.ts';
import { startThread } from '../../src/main/hosts/edges.ts';
import { openDatabase } from '../../src/main/log/database.ts';
import { createEventLog } from '../../src/main/log/eventLog.ts';
import { foldAll } from '../../src/shared/episode/fold.ts';

type Say = (what: string, figure: string) => void;
const MB = 1_000_000;

const words = (n: number): string =>
  'An order of two loaves was placed at the corner shop; nothing else changed. '.repeat(n);
const call = (id: string) => ({
  id,
  type: 'function',
  function: { name: 'find_order', arguments: '{"customer":"Ada","limit":20}' },
});

/** A conversation of about 12 kB with ten calls, as a line. */
const chatLine = (n: number): string =>
  JSON.stringify({
    messages: [
      { role: 'system', content: words(4) },
      { role: 'user', content: `Task ${String(n)}. ${words(2)}` },
      ...Array.from({ length: 10 }, (_, i) => [
        { role: 'assistant', content: words(2), tool_calls: [call(`c${String(i)}`)] },
        { role: 'tool', tool_call_id: `c${String(i)}`, content: JSON.stringify({ orders: [words(9)] }) },
      ]).flat(),
      { role: 'assistant', content: 'Done.' },
    ],
  });

const awm = (n: number): string =>
  JSON.stringify({
    scenario: `shop_${String(n % 7)}`,
    // No two files are the same: what was read before is only named.
    task: `Task ${String(n)}. ${words(1)}`,
    task_idx: n % 10,
    steps: 12,
    trajectory: Array.from({ length: 12 }, (_, i) => ({
      action: 'call_tool',
      tool_name: 'find_order',
      arguments: { id: i },
      success: true,
      result: words(30),
      error: null,
    })),
  });

/** A sample whose every request repeats the conversation so far: what makes real logs large. */
function inspectSample(path: string, bytes: number): void {
  const file = openSync(path, 'w');
  const header = {
    version: 2,
    status: 'success',
    eval: { task: 'shop', model: 'm', eval_id: 'e' },
    plan: { steps: [] },
  };
  const turns = Array.from({ length: 400 }, (_, i) => [
    {
      id: `a${String(i)}`,
      role: 'assistant',
      content: words(3),
      tool_calls: [{ id: `c${String(i)}`, function: 'find_order', arguments: { i }, type: 'function' }],
    },
    { id: `t${String(i)}`, role: 'tool', tool_call_id: `c${String(i)}`, content: words(20) },
  ]);
  const messages = [{ role: 'user', content: words(3) }, ...turns.flat()];
  writeSync(
    file,
    `${JSON.stringify(header).slice(0, -1)},"samples":[{"id":1,"epoch":1,"input":"Do it.","target":"","messages":${JSON.stringify(messages)},"scores":{"x":{"value":"C"}},"events":[`,
  );
  for (let i = 0; statSync(path).size < bytes; i += 1) {
    const id = `a${String(i % 400)}`;
    const event = {
      event: 'model',
      timestamp: new Date(1_767_000_000_000 + i * 1000).toISOString(),
      input: messages.slice(0, 2 + (i % 60) * 2),
      output: {
        model: 'm',
        choices: [{ message: { id, role: 'assistant', content: words(3) }, stop_reason: 'tool_calls' }],
        usage: { input_tokens: 10, output_tokens: 5 },
        time: 1,
      },
      call: { request: { messages: messages.slice(0, 2 + (i % 60) * 2) }, response: {} },
    };
    writeSync(file, `${i === 0 ? '' : ','}${JSON.stringify(event)}`);
  }
  writeSync(file, ']}]}');
  closeSync(file);
}

function mixed(folder: string, bytes: number): void {
  mkdirSync(folder, { recursive: true });
  const chat = openSync(join(folder, 'rows.jsonl'), 'w');
  for (let size = 0, n = 0; size < bytes / 2; n += 1) size += writeSync(chat, `${chatLine(n)}\n`);
  closeSync(chat);
  for (let size = 0, n = 0; size < bytes / 4; n += 1) {
    const file = openSync(join(folder, `trajectory-${String(n)}.json`), 'w');
    size += writeSync(file, awm(n));
    closeSync(file);
  }
  inspectSample(join(folder, 'inspect.json'), bytes / 4);
}

/** How long the event loop was held, in ms: at its 99th part, and at most. */
function watchLoop(): () => { p99: number; most: number } {
  const watch = monitorEventLoopDelay({ resolution: 2 });
  watch.enable();
  return () => {
    watch.disable();
    return { p99: watch.percentile(99) / 1e6 - 2, most: watch.max / 1e6 - 2 };
  };
}

async function bring(path: string, home: string) {
  const db = openDatabase(join(home, 'interject.db'));
  const log = createEventLog({ db, clock: Date.now, onListenerError: () => undefined, startThread });
  const reading = readOnThread(startThread, join(home, 'sources'));
  const sources = { remove: () => undefined };
  const parts = { log, clock: Date.now, sources, read: reading.read };
  const ids: string[] = [];
  const loop = watchLoop();
  const startedAt = performance.now();
  const cpuBefore = process.cpuUsage();
  let bytes = 0;
  const { signal } = new AbortController();
  const read = (file: FoundFile) =>
    importFile(parts, file, {
      signal,
      onBytes: () => undefined,
      onEpisode: ({ episode }) => ids.push(episode),
    });
  for await (const report of runAheadInOrder(findFiles(path, createNotes()), signal, read)) {
    if (report.failure !== null) throw new Error(report.failure.message);
    bytes += report.bytes;
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const { user: all, system: kernel } = process.cpuUsage(cpuBefore);
  const held = loop();
  await log.importing.close();
  await reading.close();
  return {
    log: { ...log, close: () => db.close() },
    ids,
    bytes,
    seconds,
    cpuSeconds: (all + kernel) / 1e6,
    held,
  };
}

/** Measures both and says what came out. `megabytes` is the size of the mixed logs. */
export async function measureImporting(say: Say, megabytes = 200): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'interject-perf-import-'));
  mixed(join(folder, 'mixed'), megabytes * MB);
  const all = await bring(join(folder, 'mixed'), join(folder, 'home'));
  say(
    `import ${String(Math.round(all.bytes / MB))} MB of chat lines, AWM files and an Inspect log, ${all.ids.length.toLocaleString('en')} episodes`,
    `${(all.bytes / MB / all.seconds).toFixed(1)} MB/s (${(all.bytes / MB / all.cpuSeconds).toFixed(1)} MB per second of processor), loop held ${all.held.p99.toFixed(0)} ms at p99, ${all.held.most.toFixed(0)} ms at most, ${String(Math.round(process.resourceUsage().maxRSS / 1000))} MB of memory at most`,
  );
  all.log.close();
  inspectSample(join(folder, 'large.json'), 127 * MB);
  const large = await bring(join(folder, 'large.json'), join(folder, 'other'));
  const [id = ''] = large.ids;
  const startedAt = performance.now();
  const record = foldAll(id, large.log.read(id, 0, 500));
  const rows = performance.now() - startedAt;
  say(
    'a 127 MB Inspect sample: import, then first 500 events read and folded',
    `${(large.bytes / MB / large.seconds).toFixed(1)} MB/s (${large.seconds.toFixed(1)} s), ${rows.toFixed(0)} ms, ${String(record.turns.length)} turns`,
  );
  large.log.close();
  rmSync(folder, { recursive: true, force: true });
}
