// The tap against the same world without it, in one run: what a step costs more, what gets through at equal load, how
// many may be connected, what is recorded. World, tap, main and load are processes of their own.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load, open, type Load } from './load.ts';
import { start } from './processes.ts';

const SECONDS = 4;
const HALF_CONNECTIONS = 64;
const MANY_CONNECTIONS = 256;
const OPEN_CONNECTIONS = 1_000;

export type TapFigures = Record<string, string>;
const quantile = (values: number[], q: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))] ?? 0;
const ms = (value: number): string => `${value.toFixed(2)} ms`;
const perSecond = ({ done, seconds }: Load): number => done / seconds;
const count = (value: number): string => Math.round(value).toLocaleString('en');

export async function measureTap(say: (what: string, figure: string) => void): Promise<void> {
  const world = await start<{ url: string }>('tapWorld.ts');
  const folder = mkdtempSync(join(tmpdir(), 'interject-perf-tap-'));
  const main = await start<{ url: string }>('tapMain.ts', [world.first.url, folder]);
  const direct = world.first.url;
  const tapped = main.first.url;
  try {
    const ceiling = perSecond(
      await load(direct, { connections: MANY_CONNECTIONS, perSecond: null, seconds: SECONDS }),
    );
    say('a world without the tap, 256 connections, as fast as it answers', `${count(ceiling)} steps/s`);
    const half = { connections: HALF_CONNECTIONS, perSecond: ceiling / 2, seconds: SECONDS };
    const without = await load(direct, half);
    const withTap = await load(tapped, half);
    for (const [q, name] of [
      [0.5, 'p50'],
      [0.99, 'p99'],
    ] as const) {
      const [a, b] = [quantile(without.took, q), quantile(withTap.took, q)];
      say(
        `a step at 64 connections and half load, ${name}: direct, tapped, added`,
        `${ms(a)}, ${ms(b)}, ${ms(b - a)}`,
      );
    }
    const many = { connections: MANY_CONNECTIONS, perSecond: ceiling / 2, seconds: SECONDS };
    const before = await main.ask('figures');
    const at256 = await load(tapped, many);
    say(
      'delivered of the same load at 256 connections',
      `${((at256.done / at256.offered) * 100).toFixed(1)} % of ${count(at256.offered / SECONDS)} steps/s`,
    );
    await recorded(main, before, at256, say);
    const earlier = await main.ask('figures');
    const busiest = await load(tapped, { connections: HALF_CONNECTIONS, perSecond: null, seconds: SECONDS });
    say('through the tap, 64 connections, as fast as it answers', `${count(perSecond(busiest))} steps/s`);
    await recorded(main, earlier, busiest, say);
    await manyOpen(tapped, main, say);
  } finally {
    await main.end();
    await world.end();
  }
}

type Main = Awaited<ReturnType<typeof start<{ url: string }>>>;

async function recorded(
  main: Main,
  before: Record<string, number>,
  { done }: Load,
  say: (what: string, figure: string) => void,
): Promise<void> {
  const startedAt = performance.now();
  let now = await main.ask('figures');
  const atOnce = now;
  while ((now['backlog'] ?? 0) > 0 && performance.now() - startedAt < 30_000) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    now = await main.ask('figures');
  }
  const waited = performance.now() - startedAt;
  say(
    '  recorded; waiting when the load ended, until all was written; lost',
    `${count((now['steps'] ?? 0) - (before['steps'] ?? 0))} of about ${count(done)}; ${count(atOnce['backlog'] ?? 0)}, ${ms(waited)}; ${count(now['lost'] ?? 0)}`,
  );
  say('  memory of the tap, of main', `${count(now['tapMb'] ?? 0)} MB, ${count(now['mainMb'] ?? 0)} MB`);
}

async function manyOpen(url: string, main: Main, say: (what: string, figure: string) => void): Promise<void> {
  const startedAt = performance.now();
  const sockets = await open(url, OPEN_CONNECTIONS);
  const took = performance.now() - startedAt;
  const one = await load(url, { connections: 16, perSecond: 500, seconds: 2 });
  const now = await main.ask('figures');
  say(
    `${count(OPEN_CONNECTIONS)} open connections: opened in, a step of 16 others p50, memory of the tap`,
    `${ms(took)}, ${ms(quantile(one.took, 0.5))}, ${count(now['tapMb'] ?? 0)} MB`,
  );
  for (const socket of sockets) socket.terminate();
}

if (process.argv[1] === import.meta.filename) {
  await measureTap((what, figure) => console.log(`${what.padEnd(72)} ${figure}`));
}
