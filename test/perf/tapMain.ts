// Main's side of a tap in a process of its own: `tapMain URL FOLDER`. Prints where the tap is, and its figures whenever
// a line comes in: what is recorded, what waits, what was lost, how much memory.
import { createInterface } from 'node:readline';
import { readTapFile } from '../../src/main/gateway/tap/linkProtocol.ts';
import { lowerPriority } from '../../src/main/gateway/tap/priority.ts';
import { collectAlone } from '../../src/main/hosts/collecting.ts';
import { openTap } from '../support/tap.ts';
import { cpuOf, memoryOf } from './processes.ts';

collectAlone();
const [url = '', folder = ''] = process.argv.slice(2);
const { tap, log, url: tapUrl, close } = await openTap(url, {}, folder, { lowerPriority });
let steps = 0;
let lostFrames = 0;
log.subscribe(({ event }) => {
  if (event.kind === 'call.returned') steps += 1;
  if (event.kind === 'recording.gap') lostFrames += event.frames;
});
const pid = readTapFile(folder)?.pid ?? 0;
const say = (value: object): void => void process.stdout.write(`${JSON.stringify(value)}\n`);
say({ url: tapUrl });
const leave = (): void => void close().then(() => process.exit(0));
const lines = createInterface({ input: process.stdin });
lines.on('close', leave);
lines.on('line', (line) => {
  if (line === 'close') return leave();
  say({
    steps,
    lostFrames,
    backlog: tap.backlog(),
    lost: tap.lost(),
    mainMb: Math.round(process.memoryUsage().rss / 1e6),
    tapMb: memoryOf(pid),
    mainCpuMs: cpuOf(process.pid),
    tapCpuMs: cpuOf(pid),
  });
});
