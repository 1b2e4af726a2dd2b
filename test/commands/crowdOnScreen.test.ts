// What a console shows of a crowd by the news it heard, beside what a console shows that has only just been opened.
import { expect, it } from 'vitest';
import { createDisclosure } from '../../src/main/commands/router.ts';
import { createFeeds } from '../../src/main/commands/feeds.ts';
import type { Inputs, Outputs } from '../../src/shared/contract/contract.ts';
import { createSession, type Session } from '../../src/renderer/state/session.ts';
import { createMemoryStorage } from '../../src/renderer/state/kept.ts';
import { createScriptedTransport, DESCRIBED, settled } from '../renderer/state/transport.ts';
import { createChance, type Chance } from '../support/interleaving.ts';
import {
  AGENT,
  asked,
  createClock,
  drafted,
  ended,
  HUMAN,
  openLog,
  reset,
  started,
  SYSTEM,
} from '../support/log.ts';

const EPISODES = 200;
const STEPS = 900;

type OpenLog = ReturnType<typeof openLog>;

/** One thing that may happen to an episode, as far along as it is. */
function happen(log: OpenLog, id: string, chance: Chance): void {
  const record = log.record(id);
  const { consultations } = record;
  const open = consultations.find(({ decision }) => decision === null);
  const consultation = `${id}:c${String(consultations.length + 1)}`;
  if (record.n === 0) log.append(id, SYSTEM, started());
  else if (record.reset === null) log.append(id, SYSTEM, reset());
  else if (record.ended !== null) return;
  else if (chance.is(0.04)) log.append(id, SYSTEM, ended());
  else if (chance.is(0.3)) log.append(id, HUMAN, { kind: 'stop.requested', reason: null });
  else if (open === undefined) log.append(id, AGENT, asked({ consultation }));
  else if (open.draft === null) log.append(id, SYSTEM, drafted({ consultation: open.id }));
  else if (chance.is(0.5))
    log.append(id, SYSTEM, { kind: 'consultation.cancelled', consultation: open.id, reason: 'stopped' });
}

it('is the same on a screen that watched a crowd as on one that was opened after it', async () => {
  const { clock: exact, schedule, advance } = createClock();
  const clock = (): number => Math.round(exact());
  const log = openLog(':memory:', clock);
  const feeds = createFeeds({
    log,
    schedule,
    seats: () => [],
    gateway: {
      status: () => Promise.reject(new Error('not asked')) as never,
      onChanged: () => () => undefined,
    },
    imports: { list: () => [], onChanged: () => () => undefined },
    disclosure: createDisclosure(log, clock),
    report: (thrown) => expect(thrown).toBeNull(),
  });
  const open = (seat: string): Session => {
    const scripted = createScriptedTransport({
      'app.describe': () => DESCRIBED,
      'episodes.page': (input: Inputs['episodes.page']): Outputs['episodes.page'] => ({
        ...log.projections.episodes(input),
        seq: log.lastSeq(),
      }),
    });
    const transport: typeof scripted = {
      ...scripted,
      subscribe: (topic, push) => feeds.subscribe(topic, push, () => true, { seat }),
    };
    return createSession({ transport, seat, tab: seat, storage: createMemoryStorage() });
  };
  const chance = createChance(7);

  const watching = [open('seat-one'), open('seat-two')];
  await settled();
  // All at once: more than is told together.
  for (let at = 0; at < EPISODES; at += 1) happen(log, `e${String(at)}`, chance);
  for (let step = 0; step < STEPS; step += 1) {
    happen(log, `e${String(chance.below(EPISODES))}`, chance);
    if (chance.is(0.2)) advance(chance.below(200));
  }
  advance(5_000);
  const fresh = open('seat-three');
  await settled();
  advance(5_000);

  const shown = ({ store }: Session) => {
    const { desk, rows } = store.getState().record;
    const live = [...rows.values()].filter(({ status }) => status !== 'ended');
    return { desk, live: live.toSorted((a, b) => (a.id < b.id ? -1 : 1)) };
  };
  expect(shown(fresh).desk.total).toBeGreaterThan(20);
  expect(shown(fresh).live.length).toBeGreaterThan(150);
  for (const session of watching) expect(shown(session)).toEqual(shown(fresh));
});
