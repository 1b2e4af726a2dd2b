// Rollouts interleaved at random over the real log and linker, named and unnamed, under one key and under several: a
// question goes to the rollout that asked it, or to none. INTERJECT_QUESTIONS says how many are asked.
import { expect, it } from 'vitest';
import { createLinker } from '../../../src/main/gateway/link/link.ts';
import { createClock, ended, openLog, SYSTEM } from '../../support/log.ts';
import { openTapped } from '../../support/tapped.ts';
import { seededRandom } from '../../../src/shared/statistics/random.ts';

const QUESTIONS = Number(process.env['INTERJECT_QUESTIONS'] ?? 5_000);

type Rollout = { id: string; name: string | null; key: string; isLive: boolean };
type Tally = { asked: number; byName: number; byLife: number; unknown: number; wrong: number };

/** Two to eight rollouts at a time, which end and are followed by others; a few share a name, which nobody should. */
function play(seed: number, tally: Tally): void {
  const draw = seededRandom(seed);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(draw() * all.length)] as T;
  let now = 1_000;
  const log = openLog(':memory:', () => (now += Math.floor(draw() * 2)));
  let linker = linkerOf(log);
  const keys = draw() < 0.5 ? ['k1'] : ['k1', 'k2', 'k3'];
  const named = draw();
  const all: Rollout[] = [];
  const begin = (): void => {
    const id = `e${String(all.length + 1)}`;
    const shared = draw() < 0.15 ? 'everybody' : `rollout-${String(all.length + 1)}`;
    const one = { id, name: draw() < named ? shared : null, key: pick(keys), isLive: true };
    openTapped(log, one);
    all.push(one);
  };
  const most = 2 + Math.floor(draw() * 7);
  for (let step = 0; step < 60; step += 1) {
    const live = all.filter(({ isLive }) => isLive);
    const what = draw();
    if (live.length < most && (live.length === 0 || what < 0.25)) begin();
    else if (what < 0.4) {
      const over = pick(live);
      log.append(over.id, SYSTEM, ended({ outcome: draw() < 0.5 ? 'interrupted' : 'done' }));
      over.isLive = false;
    } else if (what < 0.43) {
      linker.close();
      linker = linkerOf(log);
    } else ask(pick(draw() < 0.9 && live.length > 0 ? live : all));
  }
  linker.close();
  log.close();

  function ask({ id, name, key, isLive }: Rollout): void {
    // A name that was used again after its end is another rollout's by then: nobody can ask late under it.
    if (!isLive && name === 'everybody') return;
    const claim =
      name === null ? { episode: null, by: 'none' as const } : { episode: name, by: 'key' as const };
    const { episode, link } = linker.find(claim, key, true);
    tally.asked += 1;
    if (episode === null) tally.unknown += 1;
    else if (episode !== id) tally.wrong += 1;
    else if (link.by === 'only_live') tally.byLife += 1;
    else tally.byName += 1;
    if (isLive && name !== null && name !== 'everybody' && episode !== id) tally.wrong += 1;
  }
}

const linkerOf = (log: ReturnType<typeof openLog>) =>
  createLinker({ log, recorded: () => Promise.resolve(true), schedule: createClock().schedule });

it(
  'thousands of questions of interleaved rollouts are linked with certainty, or visibly not at all: never to another rollout, and always by a name of its own',
  { timeout: 60_000 + QUESTIONS * 10 },
  () => {
    const tally: Tally = { asked: 0, byName: 0, byLife: 0, unknown: 0, wrong: 0 };

    for (let seed = 1; tally.asked < QUESTIONS; seed += 1) play(seed, tally);

    console.table([tally]);
    expect(tally.wrong).toBe(0);
    expect(tally.byName / tally.asked).toBeGreaterThan(0.3);
    expect(tally.byLife).toBeGreaterThan(0);
  },
);
