// The product at work: main with its seat, a world of its own, a model and an environment outside, and what was promised.
import { readTapFile } from '../../src/main/gateway/tap/linkProtocol.ts';
import { START } from '../e2e/server.ts';
import { openSeat, type Acknowledged, type Address, type Seat } from './clients.ts';
import type { Disk } from './disk.ts';
import { startProgram, type Running } from './programs.ts';
import type { CountingEnvironment } from './outside.ts';
import type { Model } from './servers.ts';

export type Bench = {
  work: string;
  home: string;
  disk: Disk;
  model: Model;
  /** May have effects outside an episode: nothing is made again in it without a person's word. */
  counting: CountingEnvironment;
  /** Its owner declared it free of them. */
  free: CountingEnvironment;
  world: Running;
  main: Running;
  seat: Seat;
  address: Address | null;
  starts: number;
  faults: Map<string, number>;
  /** Kinds there was no time for, or that cannot be done here. */
  notInjected: string[];
  violations: string[];
  acknowledged: Acknowledged[];
};

export const serveArgs = (home: string): string[] => [
  'serve',
  '--no-open',
  '--port',
  '0',
  '--data',
  home,
  '--json',
];

const mainArgs = ({ home, world }: Pick<Bench, 'home' | 'world'>): string[] => [
  ...serveArgs(home),
  // Whoever waits for an answer at the end keeps nobody else from reading one.
  '--concurrency',
  '500',
  '--env',
  String(world.ready['url']),
];

export const startWorld = (work: string, port = '0'): Promise<Running> =>
  startProgram(['world', 'serve', '--port', port, '--json'], work);

export const portOf = ({ ready }: Running): string => new URL(String(ready['url'])).port;

/** Starts main on the folder as it was left, its seat, and episodes of both kinds. */
export async function startMain(bench: Bench): Promise<void> {
  Object.assign(bench, await bootMain(bench));
  void startEpisodes(bench);
}

type BootedMain = { main: Running; seat: Seat; address: Address | null; starts: number };

export async function bootMain(bench: Omit<Bench, 'main' | 'seat' | 'address'>): Promise<BootedMain> {
  const agent = { INTERJECT_AGENT_BASE_URL: bench.model.url, INTERJECT_AGENT_MODEL: 'faults' };
  const main = await startProgram(mainArgs(bench), bench.work, agent);
  const { url, token, key, gateway } = main.ready as {
    url: string;
    token: string;
    key: string;
    gateway: { expert: string; tap: string };
  };
  const console = url.replace(/^http/, 'ws').replace(/\/#.*$/, '');
  const address = { console, token, key, ...gateway };
  const starts = bench.starts + 1;
  return { main, starts, address, seat: openSeat(address, { ...bench, random: Math.random }, starts) };
}

export async function startEpisodes({ seat, counting, free }: Bench): Promise<void> {
  const input = {
    ...START,
    agent: { policy: 'chat', protocol: 'native', model: 'faults' },
    condition: 'human',
    limits: { turns: 30, consultations: 15 },
    repeats: 2,
  } as const;
  try {
    const outside = { ...input, scenario: null, task_idx: null };
    await seat.call('episode.start', input);
    for (const [name, { url }] of Object.entries({ Counting: counting, Free: free }))
      await seat.call('episode.start', { ...outside, environment: await environmentId(seat, name, url) });
  } catch {
    // It was broken meanwhile: the next start begins others.
  }
}

async function environmentId(seat: Seat, name: string, url: string): Promise<string> {
  const { environments } = await seat.call('environments.list', {});
  const known = environments.find((one) => one.name === name);
  const { id } = known ?? (await seat.call('environments.add', { name, url }));
  const usual = { ca_file: null, reset_seconds: null, transport: 'auto' as const, headers: [] };
  if (name === 'Free') await seat.call('environment.change', { id, connection: { ...usual, goes_on: true } });
  return id;
}

/** Waits for the end of a process that was killed; one that ended before is a violation. */
export async function killMain(bench: Bench): Promise<void> {
  const { main } = bench;
  const early = await Promise.race([main.ended, Promise.resolve(null)]);
  if (early !== null)
    bench.violations.push(`main ended by itself with ${String(early.code)}:\n${early.said}`);
  bench.address = null;
  main.signal('SIGKILL');
  await main.ended;
  bench.seat.close();
}

export function signalTap(bench: Bench, signal: NodeJS.Signals): boolean {
  const pid = readTapFile(bench.home)?.pid;
  try {
    return pid !== undefined && process.kill(pid, signal);
  } catch {
    return false;
  }
}
