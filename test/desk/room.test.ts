import { describe, expect, it } from 'vitest';
import { admit } from '../../src/main/desk/admission.ts';
import { createDesk } from '../../src/main/desk/desk.ts';
import { createDeskActs } from '../../src/main/desk/deskActs.ts';
import { createSeats } from '../../src/main/desk/seats.ts';
import { findConsultation } from '../../src/shared/episode/consultations.ts';
import { ADMIT_EVERYTHING } from '../../src/shared/events/lifecycle.ts';
import { triageScore } from '../../src/shared/triage.ts';
import { createClock, HUMAN, openLog, openQuestion } from '../support/log.ts';

const AT = { episode: 'e1', consultation: 'e1:c1' };
const TIMING = { first_seen_at: null, active_ms: 6_000 };

function open(over: Parameters<typeof openQuestion>[2] = {}) {
  const time = createClock();
  const log = openLog(':memory:', time.clock);
  const desk = createDesk({ log, clock: time.clock, monotonic: time.monotonic, schedule: time.schedule });
  const room = createDeskActs({ log, clock: time.clock, desk });
  const seats = createSeats({ log, schedule: time.schedule });
  openQuestion(log, 'e1', over);
  const now = () => findConsultation(log.record('e1'), 'e1:c1');
  return { ...time, log, desk, room, seats, now };
}

describe('a claim', () => {
  it('shows other seats who is at it, lapses by itself, and keeps nobody from answering', () => {
    const { room, desk, now, log } = open();
    room.claim(AT, 'seat-one', false);

    expect(log.projections.desk(1).items[0]?.claim?.seat).toBe('seat-one');
    desk.answer(
      { ...AT, text: 'mine', draft: null, seen_seq: 1, timing: TIMING },
      { type: 'human', id: 'seat-two' },
    );
    expect(now()?.decision).toMatchObject({ type: 'approved', actor: { id: 'seat-two' } });
  });

  it('is not written again while it is fresh', () => {
    const { room, log, advance } = open();
    room.claim(AT, 'seat-one', true);
    const before = log.lastSeq();
    advance(5_000);
    room.claim(AT, 'seat-one', true);
    expect(log.lastSeq()).toBe(before);

    advance(30_000);
    room.claim(AT, 'seat-one', true);
    expect(log.lastSeq()).toBe(before + 1);
  });

  it.each([3_600_000, -3_600_000])(
    'lapses when it would have where the wall clock is set %i ms on or back, and is shown to hold until then',
    (jump) => {
      const { room, now, clock, advance, setWallClock } = open();
      room.claim(AT, 'seat-one', false);
      advance(10_000);
      setWallClock(jump);
      advance(5_000);

      expect((now()?.claim?.until ?? 0) - clock()).toBe(45_000);
      // Fresh for as long as it would have been.
      expect(room.claim(AT, 'seat-one', true).until - clock()).toBe(45_000);
      advance(6_000);
      expect(room.claim(AT, 'seat-one', true).until - clock()).toBe(60_000);
    },
  );

  it('of someone who types moves a near deadline on, and the agent waits that long', async () => {
    const { room, desk, now, advance } = open({ deadline_at: 1_020_000, fallback: 'proceed' });
    const waiting = desk.waitForDecision('e1', 'e1:c1', new AbortController().signal);

    const claimed = room.claim(AT, 'seat-one', true);
    advance(25_000);
    expect(claimed.deadline_at).toBe(1_060_000);
    expect(now()?.decision).toBeNull();

    advance(40_000);
    expect(await waiting).toMatchObject({ type: 'expired', reason: 'deadline' });
  });
});

it('late advice is refused while the ask is open', () => {
  const { room } = open();

  expect(() => room.adviseLate({ ...AT, text: 'x', timing: TIMING }, HUMAN)).toThrow(/still open/);
});

describe('seats', () => {
  it('are on duty while their console is there, and a reload is no leaving', () => {
    const { seats, advance } = open();
    const leave = seats.connect('seat-one');
    leave();
    advance(5_000);
    expect(seats.onDuty()).toEqual(['seat-one']);
    const again = seats.connect('seat-one');
    advance(60_000);
    expect(seats.onDuty()).toEqual(['seat-one']);

    again();
    advance(60_000);
    expect(seats.onDuty()).toEqual([]);
  });

  it('that are away do not count, and the log knows', () => {
    const { seats, log } = open();
    seats.connect('seat-one');
    seats.set('seat-one', 'away');

    expect(seats.isAttended('e1')).toBe(false);
    expect(log.read('seat/seat-one').map(({ event }) => event)).toMatchObject([
      { presence: 'on_duty' },
      { presence: 'away' },
    ]);
  });
});

describe('admission', () => {
  const load = { waiting: 0, onDuty: 1, minutes: 0 };
  const never = (): number => {
    throw new Error('nothing is to be drawn');
  };

  it('lets everything through where there is no rule, and draws nothing', () => {
    expect(admit(ADMIT_EVERYTHING, () => load, never)).toEqual({
      is_admitted: true,
      rule: 'open',
      p: null,
      draw: null,
    });
  });

  it('keeps a share of asks, with the share and the draw in the verdict', () => {
    const rule = { ...ADMIT_EVERYTHING, share: 0.25 };

    expect(
      admit(
        rule,
        () => load,
        () => 0.2,
      ),
    ).toMatchObject({
      is_admitted: true,
      rule: 'share',
      p: 0.25,
      draw: 0.2,
    });
    expect(
      admit(
        rule,
        () => load,
        () => 0.25,
      ),
    ).toMatchObject({ is_admitted: false });
  });

  it('turns asks away when the seats are full or the hour is used up, before any draw', () => {
    const rule = { share: 0.5, capacity: 2, hourly_minutes: 10 };

    expect(admit(rule, () => ({ ...load, waiting: 2 }), never).rule).toBe('capacity');
    expect(admit(rule, () => ({ ...load, minutes: 10 }), never).rule).toBe('hourly_budget');
    expect(
      admit({ ...rule, share: null }, () => ({ waiting: 3, onDuty: 2, minutes: 0 }), never).is_admitted,
    ).toBe(true);
  });
});

it('human minutes count one act on several asks once, and leave out what is older than the hour', () => {
  const { desk, log, advance } = open();
  openQuestion(log, 'e2');
  openQuestion(log, 'e3');
  const answer = (episode: string, humanAct?: string) =>
    desk.answer(
      {
        episode,
        consultation: `${episode}:c1`,
        text: 'x',
        draft: null,
        seen_seq: 1,
        timing: TIMING,
        ...(humanAct ? { humanAct } : {}),
      },
      HUMAN,
    );
  answer('e1', 'act-1');
  answer('e2', 'act-1');
  answer('e3');

  expect(log.projections.activeMinutes(0)).toBeCloseTo(0.2);
  advance(1_000);
  expect(log.projections.activeMinutes(1_000_500)).toBe(0);
});

it('the triage score puts the longest waiting first among equals, and trouble and deadlines before waiting', () => {
  const calm = { error_streak: 0, repeated_calls: 0, turns_left: 10, asked_at: 0, deadline_at: null };
  const now = 5 * 60_000;

  expect(triageScore(calm, now)).toBeGreaterThan(triageScore({ ...calm, asked_at: 60_000 }, now));
  expect(triageScore({ ...calm, asked_at: now, error_streak: 3 }, now)).toBeGreaterThan(
    triageScore(calm, now),
  );
  expect(triageScore({ ...calm, asked_at: now, deadline_at: now + 30_000 }, now)).toBeGreaterThan(
    triageScore(calm, now),
  );
});
