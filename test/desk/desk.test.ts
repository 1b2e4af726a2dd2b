import { describe, expect, it } from 'vitest';
import { createDesk } from '../../src/main/desk/desk.ts';
import { findConsultation } from '../../src/shared/episode/consultations.ts';
import {
  createClock,
  drafted,
  HUMAN,
  openLog,
  openQuestion,
  started,
  reset,
  asked,
  SYSTEM,
  AGENT,
} from '../support/log.ts';

const TIMING = { first_seen_at: 5, active_ms: 900 };

function open(over: Parameters<typeof openQuestion>[2] = {}) {
  const time = createClock();
  const log = openLog(':memory:', time.clock);
  const desk = createDesk({ log, clock: time.clock, monotonic: time.monotonic, schedule: time.schedule });
  openQuestion(log, 'e1', over);
  const stop = new AbortController();
  const say = (text: string, draft: string | null = null) => ({
    episode: 'e1',
    consultation: 'e1:c1',
    text,
    draft,
    seen_seq: 3,
    timing: TIMING,
  });
  const decision = () => findConsultation(log.record('e1'), 'e1:c1')?.decision;
  return { ...time, log, desk, stop, say, decision };
}

describe('the desk', () => {
  it('takes the first of two answers and tells the second seat that it came too late', () => {
    const { desk, say, decision } = open();
    desk.answer(say('first'), HUMAN);

    expect(() => desk.answer(say('second'), { type: 'human', id: 'seat-two' })).toThrow(
      /already answered by seat-one/,
    );
    expect(decision()).toMatchObject({ text: 'first' });
  });

  it('refuses an edit of a draft that has been replaced since', () => {
    const { log, desk, say } = open();
    log.append('e1', SYSTEM, drafted());
    log.append('e1', SYSTEM, drafted({ draft: 'd2', text: 'another' }));

    expect(() => desk.answer(say('my edit', 'd1'), HUMAN)).toThrow(/draft changed while you were editing/);
  });

  it('records a deadline as expired, never as a rejection', async () => {
    const { desk, stop, advance } = open({ deadline_at: 1_030_000, fallback: 'proceed' });
    const waiting = desk.waitForDecision('e1', 'e1:c1', stop.signal);

    advance(30_000);

    expect(await waiting).toMatchObject({ type: 'expired', fallback: 'proceed', reason: 'deadline' });
  });

  it('keeps waiting past the deadline when that was the choice', () => {
    const { desk, stop, advance, decision, say } = open({ deadline_at: 1_030_000, fallback: 'wait' });
    void desk.waitForDecision('e1', 'e1:c1', stop.signal);

    advance(60_000);
    expect(decision()).toBeNull();

    desk.answer(say('late but welcome'), HUMAN);
    expect(decision()).toMatchObject({ type: 'approved' });
  });

  it('refuses an answer that comes after the deadline and says what happened', async () => {
    const { desk, stop, advance, say } = open({ deadline_at: 1_030_000, fallback: 'proceed' });
    const waiting = desk.waitForDecision('e1', 'e1:c1', stop.signal);
    advance(30_000);
    await waiting;

    expect(() => desk.answer(say('too late'), HUMAN)).toThrow(/past its deadline/);
  });

  it('finds an answer that was given before anyone waited', async () => {
    const { desk, stop, say } = open();
    desk.answer(say('early'), HUMAN);

    expect(await desk.waitForDecision('e1', 'e1:c1', stop.signal)).toMatchObject({ text: 'early' });
  });

  it('settles whoever waits when it closes', async () => {
    const { desk, stop } = open();
    const waiting = desk.waitForDecision('e1', 'e1:c1', stop.signal);

    desk.close();

    await expect(waiting).rejects.toThrow(/desk was closed/);
  });
});

describe('privilege', () => {
  it('is empty, and so leak-free, for a person who saw neither draft nor answer key', () => {
    const { desk, say, decision } = open();
    desk.answer(say('from my own head'), HUMAN);

    expect(decision()).toMatchObject({ privilege: [] });
  });

  it('is inherited from the draft that was on screen, even when the words are new', () => {
    const { log, desk, say, decision } = open();
    log.append('e1', SYSTEM, drafted());
    desk.answer(say('my own words'), HUMAN);

    expect(decision()).toMatchObject({ privilege: ['reference'] });
  });

  it('sticks to the seat and the task in every later episode, and to nobody else', () => {
    const { log, desk, say } = open();
    desk.noteSeen('seat-one', 'e1', ['criteria']);
    desk.answer(say('one'), HUMAN);
    for (const id of ['e2', 'e3']) {
      log.append(id, SYSTEM, started());
      log.append(id, SYSTEM, reset());
      log.append(id, AGENT, asked({ consultation: `${id}:c1` }));
    }

    desk.answer({ ...say('two'), episode: 'e2', consultation: 'e2:c1' }, HUMAN);
    desk.answer({ ...say('three'), episode: 'e3', consultation: 'e3:c1' }, { type: 'human', id: 'seat-two' });

    expect(log.record('e2').consultations[0]?.decision).toMatchObject({ privilege: ['criteria'] });
    expect(log.record('e3').consultations[0]?.decision).toMatchObject({ privilege: [] });
  });

  it('is unknown when an ancestor’s is unknown', () => {
    const { log, desk, say, decision } = open();
    log.append('e1', SYSTEM, drafted({ privilege: 'unknown' }));
    desk.answer(say('edited', 'd1'), HUMAN);

    expect(decision()).toMatchObject({ privilege: 'unknown' });
  });
});
