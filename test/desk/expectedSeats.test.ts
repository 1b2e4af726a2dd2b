// A question that comes just after a start, while the console of an expert who was on duty finds its way back: real log,
// desk, seats and consultation; the clock is scripted.
import { describe, expect, it } from 'vitest';
import { createDesk } from '../../src/main/desk/desk.ts';
import { createSeats } from '../../src/main/desk/seats.ts';
import { createConsult } from '../../src/main/episode/consult.ts';
import { findConsultation } from '../../src/shared/episode/consultations.ts';
import type { EventOf } from '../../src/shared/events/vocabulary.ts';
import { ADMIT_EVERYTHING } from '../../src/shared/events/lifecycle.ts';
import { asked, createClock, openLog, started, SYSTEM } from '../support/log.ts';

/** A start on a log in which `seats` were on duty, and of those `left` had gone before it ended. */
function startAgain({ seats: names, left = [] }: { seats: string[]; left?: string[] }) {
  const time = createClock();
  const log = openLog(':memory:', time.clock);
  const before = createSeats({ log, schedule: time.schedule });
  for (const name of names) {
    const leave = before.connect(name);
    if (left.includes(name)) leave();
  }
  time.advance(60_000);
  // Killed: nothing is noted.
  before.close();
  const seats = createSeats({ log, schedule: time.schedule });
  seats.expected.begin();
  const desk = createDesk({ log, clock: time.clock, monotonic: time.monotonic, schedule: time.schedule });
  const failed = { ok: false as const, code: 'model_not_configured' as const, message: 'no model' };
  const consult = createConsult({
    log,
    desk,
    advisor: { draft: () => Promise.resolve(failed) },
    newId: () => 'd1',
    attendance: {
      isAttended: (episode) => seats.isAttended(episode),
      returning: () => seats.expected.wait(),
      load: () => ({ waiting: 0, onDuty: 0, minutes: 0 }),
    },
  });
  log.append('e1', SYSTEM, started());
  const ask = () => {
    const question = asked({
      consultation: 'e1:c1',
      fallback: 'proceed',
      deadline_at: time.clock() + 300_000,
    }) as EventOf<'consultation.asked'>;
    const signal = new AbortController().signal;
    return consult.ask('e1', question, { admission: ADMIT_EVERYTHING, seed: 's' }, signal);
  };
  const decision = () => findConsultation(log.record('e1'), 'e1:c1')?.decision ?? null;
  return { ...time, log, seats, desk, ask, decision };
}

const settle = async (): Promise<void> => {
  for (let i = 0; i < 3; i += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe('a question just after a start', () => {
  it('waits for the expert who was there when the program was killed, and is answered', async () => {
    const { ask, seats, advance, decision, desk, log } = startAgain({ seats: ['seat-one'] });
    const advice = ask();
    await settle();
    advance(5_000);
    await settle();
    expect(decision()).toBeNull();
    expect(seats.expected.names()).toEqual(['seat-one']);

    seats.connect('seat-one');
    advance(30_000);
    await settle();
    expect(decision()).toBeNull();
    desk.answer(
      {
        episode: 'e1',
        consultation: 'e1:c1',
        text: 'Look first.',
        draft: null,
        seen_seq: log.record('e1').seq,
        timing: { first_seen_at: null, active_ms: 1 },
      },
      { type: 'human', id: 'seat-one' },
    );
    expect(await advice).toMatchObject({ as: 'advice', text: 'Look first.' });
  });

  it('is told that nobody is there once twenty seconds are over, and the seat counts as gone', async () => {
    const { ask, seats, advance, log } = startAgain({ seats: ['seat-one'] });
    const advice = ask();
    await settle();
    advance(20_000);

    expect(await advice).toMatchObject({ as: 'nobody' });
    expect(seats.expected.names()).toEqual([]);
    expect(log.read('seat/seat-one').at(-1)?.event).toMatchObject({ presence: 'off' });
  });

  it.each([
    ['nobody was on duty before', { seats: [] }],
    ['who was there had left before', { seats: ['seat-one'], left: ['seat-one'] }],
  ])('does not wait where %s', async (_what, before) => {
    const { ask } = startAgain(before);

    expect(await ask()).toMatchObject({ as: 'nobody' });
  });

  it('does not wait when the twenty seconds are over already', async () => {
    const { ask, advance } = startAgain({ seats: ['seat-one'] });
    advance(20_000);

    expect(await ask()).toMatchObject({ as: 'nobody' });
  });
});
