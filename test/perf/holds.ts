// How long a text from outside holds main, in processor time: against what is promised, as fast as this machine is now.
import {
  ALPHABETS,
  COVERED_ON_A_WORKER,
  ENTRIES,
  processorTime,
  repeated,
  timed,
  type WayIn,
} from '../support/freezing.ts';
import { against } from './figures.ts';

const MIB = 1024 * 1024;
const TRIES = 5;
const SHOWN = 5;

/** What one way in is asked to read over and over: each held main for 100 to 400 ms once. */
const HARD: Readonly<Record<string, readonly string[]>> = {
  attempt: ['[{"loc":["a"],"msg":"a"},', '{"a":["b","b"'],
  'plan by rules': ['```json\n{', 'def verify(\n'],
  'reply as long as is read': ['<tool_call>{'],
  call: ['A0'],
  'plan place': ['```json\n{'],
  'normal form': ['A0'],
};

/** What `reference` takes on the machine that the promise is made of: a slower one has so much more time. */
const REFERENCE_MS = 90;
function reference(): number {
  const text = repeated('a "b": ', MIB);
  const from = processorTime();
  for (let n = 0; n < 4; n += 1) JSON.parse(JSON.stringify({ text: text.replaceAll('"', "'") }));
  return processorTime() - from;
}
/** How many times as long this machine takes now. */
const slowness = (): number => Math.max(1, Math.min(reference(), reference(), reference()) / REFERENCE_MS);

type Hold = { what: string; share: number };

/** The longest hold of a way in for each text, as a share of what is promised for it: the least of a few readings. */
async function holdsOf(name: string, way: WayIn): Promise<Hold[]> {
  const { oneMib, eightMib } = typeof way === 'function' ? COVERED_ON_A_WORKER : way.limits;
  const slower = slowness();
  const holds: Hold[] = [];
  const hold = async (unit: string, mib: number, allowed: number): Promise<void> => {
    let share = Infinity;
    for (let tries = 0; tries < TRIES && share > 1; tries += 1)
      share = Math.min(share, (await timed(way, repeated(unit, mib * MIB))).longest / (allowed * slower));
    holds.push({ what: `${name}, ${String(mib)} MiB of ${JSON.stringify(unit)}`, share });
  };
  for (const unit of [...Object.values(ALPHABETS), ...(HARD[name] ?? [])]) await hold(unit, 1, oneMib);
  if (eightMib !== null) for (const unit of Object.values(ALPHABETS)) await hold(unit, 8, eightMib);
  return holds;
}

/** Promised: 1 MiB from outside holds main for 50 ms at most, and 8 MiB where it is only looked at for 100. */
export async function measureHolds(say: (what: string, figure: string) => void): Promise<void> {
  const holds: Hold[] = [];
  for (const [name, way] of Object.entries(ENTRIES)) holds.push(...(await holdsOf(name, way)));
  holds.sort((a, b) => b.share - a.share);
  for (const { what, share } of holds.slice(0, SHOWN))
    say(`held by ${what}`, `${share.toFixed(2)} of what is promised`);
  const longest = holds[0]?.share ?? 0;
  say(
    `longest hold of main by ${String(holds.length)} texts from outside`,
    `${longest.toFixed(2)} of what is promised${against(longest, 1, (share) => share.toFixed(2))}`,
  );
}
