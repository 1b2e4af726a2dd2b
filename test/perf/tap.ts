// The tap against the same world without it, in one run: what a step costs more, what gets through at equal load, how
// many may be connected, what is recorded. World, tap, main and load are processes of their own. Rounds with and without
// the tap take turns, and the middle one counts: somebody else's work on the machine falls on both. So does its pace, which
// changes: what half load is, is asked anew in every round. Both have run before they are measured.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collectAlone } from '../../src/main/hosts/collecting.ts';
import { openEcho, REFERENCE, type Echo } from './echo.ts';
import { load, open, type Load } from './load.ts';
import { start, type Program } from './processes.ts';

const ROUNDS = 7;
const HALF_CONNECTIONS = 64;
const MANY_CONNECTIONS = 256;
const OPEN_CONNECTIONS = 1_000;

type Say = (what: string, figure: string) => void;
type Main = Program<{ url: string }>;
type Places = { direct: string; tapped: string; main: Main; echo: Echo };

const quantile = (values: number[], q: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))] ?? 0;
const median = (values: number[]): number => quantile(values, 0.5);
const ms = (value: number): string => `${value.toFixed(2)} ms`;
const count = (value: number): string => Math.round(value).toLocaleString('en');
const perSecond = ({ done, seconds }: Load): number => done / seconds;

/** Says every figure as it is known. */
export async function measureTap(say: Say): Promise<void> {
  const world = await start<{ url: string }>('tapWorld.ts');
  const folder = mkdtempSync(join(tmpdir(), 'interject-perf-tap-'));
  const main: Main = await start('tapMain.ts', [world.first.url, folder]);
  const echo = await openEcho();
  const places: Places = { direct: world.first.url, tapped: main.first.url, main, echo };
  try {
    const fast = { connections: MANY_CONNECTIONS, perSecond: null, seconds: 3 };
    const ceiling = perSecond(await load(places.direct, fast));
    say('a world without the tap, 256 connections, as fast as it answers', `${count(ceiling)} steps/s`);
    await load(places.tapped, fast);
    await added(places, 'direct', say);
    await added(places, 'tapped', say);
    await delivered(places, ceiling / 2, say);
    await recordedAt(places, Math.min(5_000, ceiling / 2), say);
    await manyOpen(places, say);
  } finally {
    await echo.end();
    await main.end();
    await world.end();
  }
}

/**
 * At half of what the world carries alone, or of what it carries behind the tap. In each round the tap stands between two
 * runs without it, so that what changes meanwhile weighs on both; what those two differ by is how well this is known.
 */
async function added(places: Places, half: 'direct' | 'tapped', say: Say): Promise<void> {
  const { direct, tapped, main, echo } = places;
  const rates: number[] = [];
  const rounds: { without: number[][]; through: number[]; pace: number }[] = [];
  const before = await main.ask('figures');
  for (let i = 0; i < ROUNDS; i += 1) {
    const most = await load(places[half], { connections: MANY_CONNECTIONS, perSecond: null, seconds: 1 });
    const calm = { connections: HALF_CONNECTIONS, perSecond: perSecond(most) / 2, seconds: 2 };
    rates.push(calm.perSecond);
    const pace = (await echo.pace()) / REFERENCE;
    const runs: Load[] = [];
    for (const place of [direct, tapped, direct]) {
      await drained(main);
      runs.push(await load(place, calm));
    }
    const [first = [], through = [], last = []] = runs.map(({ took }) => took);
    rounds.push({ without: [first, last], through, pace });
  }
  const pace = median(rounds.map((round) => round.pace));
  say(
    '  this machine: echoes of 500 bytes, 256 connections',
    `${count(pace * REFERENCE)}/s, ${pace.toFixed(2)} of the reference`,
  );
  const rate = `half the ${half} ceiling (${count(median(rates))} steps/s)`;
  for (const q of [0.5, 0.99]) {
    const figures = rounds.map(({ without, through, pace: own }) => {
      const [first = 0, last = 0] = without.map((took) => quantile(took, q));
      const alone = (first + last) / 2;
      const added = quantile(through, q) - alone;
      return { alone, added, scaled: added * own, between: Math.abs(last - first) };
    });
    const middle = (of: (one: (typeof figures)[0]) => number): string => ms(median(figures.map(of)));
    say(
      `a step at 64 connections and ${rate}, p${String(q * 100)}: direct, added; at the reference’s pace; two direct runs differ by`,
      `${middle(({ alone }) => alone)}, ${middle(({ added: more }) => more)}; ${middle(({ scaled }) => scaled)}; ${middle(({ between }) => between)}`,
    );
  }
  await drained(main);
  say('  processor time of a recorded step: the tap, main', cpuPerStep(before, await main.ask('figures')));
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
  const share = ({ done, offered }: Load): string => `${((done / offered) * 100).toFixed(1)} %`;
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
    `${ms(took)}, ${ms(quantile(one.took, 0.5))}, ${count(tapMb)} MB`,
  );
  for (const socket of sockets) socket.close();
}

if (process.argv[1] === import.meta.filename) {
  collectAlone();
  await measureTap((what, figure) => console.log(`${what.padEnd(88)} ${figure}`));
}
