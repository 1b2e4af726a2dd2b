// Proving the world of actions: each approach can be flown whatever the seed, not by doing nothing, not by its wrong
// draft, and the same commands give the same flight.
import { canonical } from '../../../shared/canonical.ts';
import { packCheck, type PackCheck } from '../check.ts';
import { readCommand } from '../actionWorld.ts';
import { breakdownOf, type Command, type Flight, fly, REWARD_COLUMNS, TICKS_MAX } from './flight.ts';
import { flightBriefing, openFlight, TASKS } from './tasks.ts';

const SEEDS = Array.from({ length: 50 }, (_, seed) => seed);

export const checkFlights = (): PackCheck[] =>
  TASKS.flatMap((_, index) => {
    const name = (what: string): string => `task ${String(index)}: ${what}`;
    const { reference = [], draft = [], draft_note: note, rehearsal } = flightBriefing(index) ?? {};
    const idle = Array.from({ length: TICKS_MAX }, () => ({ args: { thruster: 0, mode: 'fine' } }));
    const missed = SEEDS.filter((seed) => flown(index, seed, reference).outcome !== 'docked');
    const unequal = SEEDS.filter(
      (seed) => new Set([0, 1].map(() => canonical(flown(index, seed, reference)))).size !== 1,
    );
    const taken = rehearsal?.attempts.filter(({ args }) => !Array.isArray(readCommand(args))) ?? [];
    const checks = [
      packCheck(name('the reference docks for every seed'), problem(missed), `${String(SEEDS.length)} seeds`),
      packCheck(name('equal seeds give equal flights'), problem(unequal), `${String(SEEDS.length)} seeds`),
      packCheck(
        name('doing nothing does not dock'),
        flown(index, 0, idle).outcome === 'docked' ? 'it docks' : null,
      ),
      packCheck(name('every part of the reward lies between 0 and 1'), partsOutside(index, reference)),
      packCheck(name('the rehearsal errs'), taken.length > 0 ? 'an attempt is a command' : null),
    ];
    if (note !== null && note !== undefined) {
      const { outcome } = flown(index, 0, draft);
      checks.push(
        packCheck(name('the draft does not dock'), outcome === 'docked' ? 'it docks' : null, outcome ?? ''),
      );
    }
    return checks;
  });

type Calls = readonly { args: Record<string, unknown> }[];

function flight(index: number, seed: number): Flight {
  const opened = openFlight(index, seed);
  if (opened === null) throw new Error(`there is no approach ${String(index)}`);
  return opened;
}

function* flights(index: number, seed: number, calls: Calls): Generator<Flight> {
  let now = flight(index, seed);
  for (const { args } of calls) {
    const command: Command | object[] = readCommand(args);
    if (now.outcome !== null || Array.isArray(command)) return;
    now = fly(now, command);
    yield now;
  }
}

const flown = (index: number, seed: number, calls: Calls): Flight =>
  [...flights(index, seed, calls)].at(-1) ?? flight(index, seed);

const problem = (seeds: readonly number[]): string | null =>
  seeds.length === 0 ? null : `not for seeds ${seeds.join(', ')}`;

function partsOutside(index: number, calls: Calls): string | null {
  const wrong = SEEDS.flatMap((seed) => [...flights(index, seed, calls)]).flatMap((now) =>
    REWARD_COLUMNS.filter((name) => !(breakdownOf(now)[name] >= 0 && breakdownOf(now)[name] <= 1)),
  );
  return wrong.length === 0 ? null : wrong.join(', ');
}
