// The tap against the same world without it, in one run: what a step costs more, what gets through at equal load, how
// many may be connected, what is recorded. World, tap, main and load are processes of their own. Runs with and without
// the tap take turns: somebody else's work on the machine falls on both. Both have run before they are measured.
import { mkdtempSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { collectAlone } from '../../src/main/hosts/collecting.ts';
import { count, median, ms, percent, quantile } from './figures.ts';
import { load, open, type Load } from './load.ts';
import { cpuOf, start, type Program } from './processes.ts';

const ROUNDS = 7;
/** Others only ever make a step slower: the calmest part of the runs is nearest to what it costs. */
const CALM = 0.25;
const HALF_CONNECTIONS = 64;
const MANY_CONNECTIONS = 256;
const OPEN_CONNECTIONS = 1_000;

type Say = (what: string, figure: string) => void;
type Main = Program<{ url: string }>;
type Places = { direct: string; tapped: string; world: Program<{ url: string }>; main: Main };

const perSecond = ({ done, seconds }: Load): number => done / seconds;

/** Says every figure as it is known. */
export async function measureTap(say: Say): Promise<void> {
  const world = await start<{ url: string }>('tapWorld.ts');
  const folder = mkdtempSync(join(tmpdir(), 'interject-perf-tap-'));
  const main: Main = await start('tapMain.ts', [world.first.url, folder]);
  const places: Places = { direct: world.first.url, tapped: main.first.url, world, main };
  try {
    const direct = await most(places.direct);
    say('a world without the tap, 256 connections, as fast as it answers', `${count(direct)} steps/s`);
    const tapped = await most(places.tapped);
    say('  behind the tap', `${count(tapped)} steps/s`);
    await added(places, tapped / 2, 'half of that', say);
    await added(places, direct / 2, 'half of what it answers without the tap', say);
    await delivered(places, direct / 2, say);
    await recordedAt(places, Math.min(5_000, direct / 2), say);
    await manyOpen(places, say);
  } finally {
    await main.end();
    await world.end();
  }
}

/** Steps in a second, as fast as they are answered: the middle one of several, for the machine's pace changes. */
async function most(url: string): Promise<number> {
  const fast = { connections: MANY_CONNECTIONS, perSecond: null, seconds: 2 };
  const runs: number[] = [];
  for (let i = 0; i < 3; i += 1) runs.push(perSecond(await load(url, fast)));
  return median(runs);
}

/**
 * What a step costs more at this rate. In each round the tap stands between two runs without it, so that what changes
 * meanwhile weighs on both; what those two differ by is how well this is known.
 */
async function added(places: Places, rate: number, what: string, say: Say): Promise<void> {
  const { main } = places;
  const runs = { before: [] as Float64Array[], through: [] as Float64Array[], after: [] as Float64Array[] };
  const before = await main.ask('figures');
  const used = { direct: 0, tapped: 0 };
  const run = async (way: 'direct' | 'tapped'): Promise<Float64Array> => {
    await drained(main);
    const [cpu, at] = [await cpuOfAll(places), performance.now()];
    const { took } = await load(places[way], { connections: HALF_CONNECTIONS, perSecond: rate, seconds: 2 });
    const share = ((await cpuOfAll(places)) - cpu) / (performance.now() - at) / availableParallelism();
    used[way] += share / (way === 'direct' ? 2 * ROUNDS : ROUNDS);
    return took;
  };
  for (let i = 0; i < ROUNDS; i += 1) {
    runs.before.push(await run('direct'));
    runs.through.push(await run('tapped'));
    runs.after.push(await run('direct'));
  }
  say(`64 connections, ${count(rate)} steps/s, ${what}:`, '');
  for (const q of [0.5, 0.99]) {
    const of = (list: readonly Float64Array[]): number[] => list.map((took) => quantile(took, q));
    const [without, through] = [of([...runs.before, ...runs.after]), of(runs.through)];
    const between = of(runs.before).map((one, i) => Math.abs(one - (of(runs.after)[i] ?? 0)));
    const more = (share: number): string => ms(quantile(through, share) - quantile(without, share));
    say(
      `  a step, p${String(q * 100)}: direct; added; in the calmest quarter; two direct runs differ by`,
      `${ms(median(without))}; ${more(0.5)}; ${more(CALM)}; ${ms(median(between))}`,
    );
  }
  say('  of all processors in use: direct, tapped', `${percent(used.direct)}, ${percent(used.tapped)}`);
  await drained(main);
  say('  processor time of a recorded step: the tap, main', cpuPerStep(before, await main.ask('figures')));
}

/** Processor time of everything that is measured, in ms. */
async function cpuOfAll({ world, main }: Places): Promise<number> {
  const { tapCpuMs = 0, mainCpuMs = 0 } = await main.ask('figures');
  return cpuOf(world.pid) + cpuOf(process.pid) + tapCpuMs + mainCpuMs;
}

/** What a step costs, whatever else the machine does meanwhile. */
function cpuPerStep(before: Record<string, number>, after: Record<string, number>): string {
  const steps = Math.max(1, (after['steps'] ?? 0) - (before['steps'] ?? 0));
  const each = (name: string): string =>
    `${((((after[name] ?? 0) - (before[name] ?? 0)) * 1000) / steps).toFixed(0)} µs`;
  return `${each('tapCpuMs')}, ${each('mainCpuMs')}`;
}

async function delivered({ direct, tapped }: Places, rate: number, say: Say): Promise<void> {
  const many = { connections: MANY_CONNECTIONS, perSecond: rate, seconds: 3 };
  const without = await load(direct, many);
  const through = await load(tapped, many);
  const share = ({ done, offered }: Load): string => percent(done / offered);
  say(
    'delivered of half the ceiling at 256 connections: direct, tapped',
    `${share(without)}, ${share(through)} of ${count(rate)} steps/s`,
  );
}

/** At a rate that has to be kept up: what is written, what waits, what is lost. */
async function recordedAt({ tapped, main }: Places, rate: number, say: Say): Promise<void> {
  await drained(main);
  const before = await main.ask('figures');
  const run = await load(tapped, { connections: HALF_CONNECTIONS, perSecond: rate, seconds: 6 });
  const atOnce = await main.ask('figures');
  const waited = await drained(main);
  const now = await main.ask('figures');
  say(
    `offered ${count(rate)} steps/s for 6 s: through, waiting to be written at the end, written after, lost`,
    `${count(perSecond(run))} steps/s, ${count(atOnce['backlog'] ?? 0)} frames, ${ms(waited)}, ${count((now['lost'] ?? 0) - (before['lost'] ?? 0))}`,
  );
  say('  memory of the tap, of main', `${count(now['tapMb'] ?? 0)} MB, ${count(now['mainMb'] ?? 0)} MB`);
}

async function drained(main: Main): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const { backlog = 0 } = await main.ask('figures');
    if (backlog === 0 || performance.now() - startedAt > 60_000) return performance.now() - startedAt;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function manyOpen({ tapped, main }: Places, say: Say): Promise<void> {
  const startedAt = performance.now();
  const sockets = await open(tapped, OPEN_CONNECTIONS);
  const took = performance.now() - startedAt;
  const one = await load(tapped, { connections: 16, perSecond: 500, seconds: 2 });
  const { tapMb = 0 } = await main.ask('figures');
  say(
    `${count(OPEN_CONNECTIONS)} open connections: opened in, a step of 16 others p50, memory of the tap`,
    `${ms(took)}, ${ms(median(one.took))}, ${count(tapMb)} MB`,
  );
  for (const socket of sockets) socket.close();
}

if (process.argv[1] === import.meta.filename) {
  collectAlone();
  await measureTap((what, figure) => console.log(`${what.padEnd(88)} ${figure}`));
}
