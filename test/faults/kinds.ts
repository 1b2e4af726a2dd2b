// Everything that is done to a product that runs. Each leaves it running.
import { setTimeout as wait } from 'node:timers/promises';
import { killMain, portOf, serveArgs, signalTap, startMain, startWorld, type Bench } from './bench.ts';
import { runProgram, setClock } from './programs.ts';

const SHORT_STOP_MS = 700;
const LONG_STOP_MS = 120_000;
const CALL_OUT_MS = 4_000;
const HOUR_MS = 3_600_000;

export type Fault = {
  name: string;
  /** How often it is drawn, beside the others. */
  weight: number;
  /** Whether it could be done here and now. */
  inject: (bench: Bench) => Promise<boolean>;
};

/** `random` gives numbers in [0, 1); that many stops last two minutes, all others are short. */
export function allFaults(random: () => number, longStops: number): readonly Fault[] {
  let left = longStops;
  const stopMs = (): number => {
    left -= 1;
    return left < 0 ? SHORT_STOP_MS : LONG_STOP_MS;
  };
  return [
    {
      name: 'main killed',
      weight: 7,
      inject: async (bench) => {
        await killMain(bench);
        await startMain(bench);
        return true;
      },
    },
    {
      name: 'main killed with a call out',
      weight: 4,
      inject: async (bench) => {
        const isOut = await callOut(bench);
        await killMain(bench);
        await startMain(bench);
        return isOut;
      },
    },
    { name: 'tap killed', weight: 3, inject: async (bench) => signalTap(bench, 'SIGKILL') },
    {
      name: 'world killed',
      weight: 2,
      inject: async (bench) => {
        const port = portOf(bench.world);
        bench.world.signal('SIGKILL');
        await bench.world.ended;
        bench.world = await startWorld(bench.work, port);
        return true;
      },
    },
    {
      name: 'world stopped and continued',
      weight: 1,
      inject: async (bench) => {
        bench.world.signal('SIGSTOP');
        await wait(stopMs());
        bench.world.signal('SIGCONT');
        return true;
      },
    },
    {
      name: 'main stopped and continued',
      weight: 1,
      inject: async (bench) => {
        bench.main.signal('SIGSTOP');
        await wait(stopMs());
        bench.main.signal('SIGCONT');
        return true;
      },
    },
    {
      name: 'tap stopped and continued',
      weight: 1,
      inject: async (bench) => {
        const isStopped = signalTap(bench, 'SIGSTOP');
        await wait(stopMs());
        signalTap(bench, 'SIGCONT');
        return isStopped;
      },
    },
    {
      name: 'disk filled',
      weight: 2,
      inject: async ({ disk }) => {
        if (disk.fill === null) return false;
        const giveBack = disk.fill();
        await wait(400 + random() * 1_200);
        giveBack();
        return true;
      },
    },
    {
      name: 'folder read-only at a start',
      weight: 1,
      inject: async (bench) => {
        const { disk, home, work } = bench;
        if (disk.setReadOnly === null) return false;
        await killMain(bench);
        signalTap(bench, 'SIGKILL');
        await wait(100);
        const isReadOnly = disk.setReadOnly(true);
        if (isReadOnly) {
          const { code, said } = await runProgram(serveArgs(home), work);
          if (code !== 1 || !said.includes('data_unwritable'))
            bench.violations.push(`a start on a read-only folder ended with ${String(code)}:\n${said}`);
        }
        disk.setReadOnly(false);
        await startMain(bench);
        return isReadOnly;
      },
    },
    {
      name: 'clock set by an hour',
      weight: 1,
      inject: async ({ work }) => {
        setClock(work, random() < 0.5 ? -HOUR_MS : HOUR_MS);
        await wait(600);
        setClock(work, 0);
        return true;
      },
    },
  ];
}

/** Waits a while for a call that has no answer yet: a kill leaves it in doubt. */
async function callOut({ counting, free }: Bench): Promise<boolean> {
  for (const until = performance.now() + CALL_OUT_MS; performance.now() < until;) {
    if (counting.isAtWork() || free.isAtWork()) return true;
    await wait(5);
  }
  return false;
}

export const isKill = (name: string): boolean => name.includes('killed');

export function drawFault(faults: readonly Fault[], random: () => number): Fault {
  const sum = faults.reduce((all, { weight }) => all + weight, 0);
  let left = random() * sum;
  const drawn = faults.find(({ weight }) => (left -= weight) < 0) ?? faults[0];
  if (drawn === undefined) throw new Error('there is no fault to draw');
  return drawn;
}
