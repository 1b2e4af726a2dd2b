import { rmSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createDesk } from '../../src/main/desk/desk.ts';
import { createDeskActs } from '../../src/main/desk/deskActs.ts';
import { openLater } from '../../src/main/episode/routing.ts';
import type { EventOf } from '../../src/shared/events/vocabulary.ts';
import { findConsultation } from '../../src/shared/episode/consultations.ts';
import {
  AGENT,
  asked,
  createClock,
  HUMAN,
  openLog,
  openQuestion,
  SYSTEM,
  ended,
  proposed,
} from '../support/log.ts';

const HOUR = 3_600_000;
const ROUTED = {
  expert: 'Ada',
  by: 'rule',
  question: 'other',
  skill: 'all',
  reason: 'r',
  drafter: null,
} as const;
const EIGHT_SECONDS = 1_008_000;
const never = new AbortController().signal;
const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

type Time = ReturnType<typeof createClock>;

/** A process on a log: its desk, and what it does when it is killed. */
function startProcess(path: string, time: Time) {
  const log = openLog(path, time.clock);
  const timers = new Set<() => void>();
  const schedule = (delayMs: number, run: () => void) => {
    const cancel = time.schedule(delayMs, run);
    timers.add(cancel);
    return cancel;
  };
  const desk = createDesk({ log, clock: time.clock, monotonic: time.monotonic, schedule });
  const consultation = () => findConsultation(log.record('e1'), 'e1:c1');
  return {
    log,
    desk,
    consultation,
    decision: () => consultation()?.decision ?? null,
    kill: () => {
      for (const cancel of timers) cancel();
      log.close();
    },
  };
}

function ask(deadlineAt = EIGHT_SECONDS) {
  const folder = mkdtempSync(join(tmpdir(), 'interject-deadlines-'));
  folders.push(folder);
  const path = join(folder, 'log.db');
  const time = createClock();
  const first = startProcess(path, time);
  openQuestion(first.log, 'e1', { deadline_at: deadlineAt, fallback: 'proceed' });
  first.desk.waitForDecision('e1', 'e1:c1', never).catch(() => undefined);
  return { path, time, first };
}

describe('a deadline', () => {
  it.each([
    ['back', -HOUR],
    ['forward', HOUR],
  ])('comes after its own time although the wall clock is set %s an hour', (_way, byMs) => {
    const { time, first } = ask();
    time.advance(3_000);
    time.setWallClock(byMs);
    time.advance(4_999);
    expect(first.decision()).toBeNull();
    time.advance(1);
    expect(first.decision()).toMatchObject({ type: 'expired', reason: 'deadline' });
    expect(first.decision()?.at).toBe(EIGHT_SECONDS + byMs);
  });

  it('is shown by the clock on the wall after that has jumped', () => {
    const { time, first } = ask(1_060_000);
    time.advance(1_000);
    time.setWallClock(-HOUR);
    time.advance(5_000);
    expect(first.consultation()?.deadline_at).toBe(1_060_000 - HOUR);
    time.setWallClock(HOUR);
    time.advance(5_000);
    expect(first.consultation()?.deadline_at).toBe(1_060_000);
    // Nothing more is said while the clock goes on evenly.
    const before = first.log.lastSeq();
    time.advance(30_000);
    expect(first.log.lastSeq()).toBe(before);
  });

  it('keeps what is left of it over a kill, however long nobody was there', () => {
    const { path, time, first } = ask(1_060_000);
    time.advance(22_000);
    first.kill();
    time.advance(2 * HOUR);

    const second = startProcess(path, time);
    void second.desk.waitForDecision('e1', 'e1:c1', never);
    // What the last five seconds took of it was not kept.
    expect(second.desk.leftMs('e1', 'e1:c1')).toBe(40_000);
    expect(second.consultation()?.deadline_at).toBe(time.clock() + 40_000);
    time.advance(30_000);
    second.kill();
    time.setWallClock(-HOUR);

    const third = startProcess(path, time);
    void third.desk.waitForDecision('e1', 'e1:c1', never);
    expect(third.desk.leftMs('e1', 'e1:c1')).toBe(10_000);
    time.advance(9_999);
    expect(third.decision()).toBeNull();
    time.advance(1);
    expect(third.decision()).toMatchObject({ type: 'expired' });
    expect(third.log.marks('deadline:')).toEqual([]);
    third.log.close();
  });

  it('keeps all of it where the program was closed in order', () => {
    const { path, time, first } = ask(1_060_000);
    time.advance(23_456);
    first.desk.close();
    first.kill();
    time.advance(HOUR);

    const second = startProcess(path, time);
    void second.desk.waitForDecision('e1', 'e1:c1', never);
    expect(second.desk.leftMs('e1', 'e1:c1')).toBe(60_000 - 23_456);
    second.kill();
  });

  it('is not counted by a desk that is closed, a claim as little as a question', () => {
    const { time, first } = ask(1_060_000);
    const acts = createDeskActs({ log: first.log, desk: first.desk, clock: time.clock });
    acts.claim({ episode: 'e1', consultation: 'e1:c1' }, HUMAN.id ?? '', true);
    first.desk.close();
    first.log.close();
    // The log is closed: whatever still counted would throw when its time comes.
    expect(() => time.advance(HOUR)).not.toThrow();
  });

  it('is forgotten once its episode is over', () => {
    const { path, time, first } = ask();
    first.kill();
    const second = startProcess(path, time);
    expect(second.log.marks('deadline:')).toEqual(['deadline:e1 e1:c1']);
    second.log.append(
      'e1',
      SYSTEM,
      ended({ outcome: 'stopped', final_answer: null, reward_type: null, reward: null }),
    );
    second.kill();
    const third = startProcess(path, time);
    expect(third.log.marks('deadline:')).toEqual([]);
    third.kill();
  });

  it('moves on while somebody types near it, by the time that is left and not by the wall', () => {
    const { time, first } = ask(1_060_000);
    const room = createDeskActs({ log: first.log, clock: time.clock, desk: first.desk });
    time.advance(40_000);
    time.setWallClock(HOUR);
    room.claim({ episode: 'e1', consultation: 'e1:c1' }, HUMAN.id ?? '', true);
    expect(first.desk.leftMs('e1', 'e1:c1')).toBe(60_000);
    time.advance(59_999);
    expect(first.decision()).toBeNull();
    time.advance(1);
    expect(first.decision()).toMatchObject({ type: 'expired' });
  });

  it('of a held call is shown by the clock on the wall after that has jumped, and comes after its own time', () => {
    const { time, first } = ask();
    const held = { call: 'e1:t9', turn: 9, why: 'rule', rule: '*: ask', fallback: 'reject' } as const;
    first.log.append(
      'e1',
      SYSTEM,
      proposed({
        call: held.call,
        turn: held.turn,
        move: { type: 'call_tool', tool_name: 'find', arguments: {} },
      }),
    );
    first.log.append('e1', SYSTEM, { kind: 'call.held', ...held, deadline_at: 1_060_000 });
    void first.desk.waitForCall('e1', held.call, never);
    const call = () => first.log.record('e1').turns.find(({ callId }) => callId === held.call)?.call;
    time.setWallClock(-HOUR);
    time.advance(5_000);

    expect(call()?.held?.deadline_at).toBe(1_060_000 - HOUR);
    time.advance(54_999);
    expect(call()?.decision).toBeNull();
    time.advance(1);
    expect(call()?.decision).toMatchObject({ type: 'expired', fallback: 'reject' });
  });

  it('of the seat that sees a question first keeps what is left over a restart with another clock', () => {
    const { path, time, first } = ask(1_060_000);
    const routed = { ...ROUTED, first: { seat: 's1', until: 1_040_000 } };
    const question = asked({ consultation: 'e1:c2', routed }) as EventOf<'consultation.asked'>;
    first.log.append('e1', AGENT, question);
    const isOpened = ({ log }: typeof first) => findConsultation(log.record('e1'), 'e1:c2')?.isOpened;
    openLater((wait) => first.desk.arm(wait), first.log, 'e1', question);
    time.advance(20_000);
    first.kill();
    time.setWallClock(-HOUR);

    const second = startProcess(path, time);
    openLater((wait) => second.desk.arm(wait), second.log, 'e1', question);
    time.advance(19_999);
    expect(isOpened(second)).toBe(false);
    time.advance(5_001);
    expect(isOpened(second)).toBe(true);
    second.kill();
  });
});
