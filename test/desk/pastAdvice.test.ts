import { describe, expect, it } from 'vitest';
import { createDesk } from '../../src/main/desk/desk.ts';
import { missedAsks } from '../../src/main/desk/missed.ts';
import { createDeskActs } from '../../src/main/desk/deskActs.ts';
import { searchWords, similarAdvice } from '../../src/main/desk/similarAdvice.ts';
import { findConsultation } from '../../src/shared/episode/consultations.ts';
import type { Actor } from '../../src/shared/events/actor.ts';
import {
  createClock,
  drafted,
  ended,
  HUMAN,
  openLog,
  openQuestion,
  reset,
  started,
  SYSTEM,
  asked,
} from '../support/log.ts';

const TIMING = { first_seen_at: null, active_ms: null };

function open() {
  const time = createClock();
  const log = openLog(':memory:', time.clock);
  const desk = createDesk({ log, clock: time.clock, monotonic: time.monotonic, schedule: time.schedule });
  const room = createDeskActs({ log, clock: time.clock, desk });
  const answer = (episode: string, text: string, actor: Actor = HUMAN, draft: string | null = null) =>
    desk.answer(
      { episode, consultation: `${episode}:c1`, text, draft, seen_seq: log.lastSeq(), timing: TIMING },
      actor,
    );
  const similar = (episode: string, limit = 5) =>
    similarAdvice(log, { episode, consultation: `${episode}:c1` }, { limit });
  const privilegeOf = (episode: string) => {
    const decision = findConsultation(log.record(episode), `${episode}:c1`)?.decision;
    return decision?.type === 'approved' ? decision.privilege : null;
  };
  return { ...time, log, desk, room, answer, similar, privilegeOf };
}

describe('earlier advice on similar questions', () => {
  it('is found by what was asked, best match first, and never the ask’s own', () => {
    const { log, answer, similar } = open();
    openQuestion(log, 'e1', { question: 'How do I rename the invoice workflow?' });
    openQuestion(log, 'e2', { task: 'Close an account', question: 'Which billing account is overdue?' });
    openQuestion(log, 'e3', { question: 'I cannot rename this workflow. Where is the invoice?' });
    answer('e1', 'Call rename_workflow with its id.');
    answer('e2', 'The one with the open balance.');

    expect(similar('e3').map(({ text }) => text)).toEqual(['Call rename_workflow with its id.']);
    answer('e3', 'Mine');
    expect(similar('e3').map(({ episode }) => episode)).toEqual(['e1']);
  });

  it('puts advice that led to success before the same match that did not', () => {
    const { log, answer, similar } = open();
    for (const id of ['e1', 'e2', 'e3']) openQuestion(log, id);
    answer('e1', 'Try this first');
    answer('e2', 'Try that first');
    log.append('e1', SYSTEM, ended({ reward_type: 'others', reward: 0 }));
    log.append('e2', SYSTEM, ended());

    expect(similar('e3').map(({ episode }) => episode)).toEqual(['e2', 'e1']);
  });

  it('lists one text once, and leaves out what no person gave', () => {
    const { log, answer, similar } = open();
    for (const id of ['e1', 'e2', 'e3', 'e4']) openQuestion(log, id);
    answer('e1', 'The same words');
    answer('e2', 'The same words');
    answer('e3', 'From the advisor', { type: 'model', id: 'm' });

    expect(similar('e4').map(({ text }) => text)).toEqual(['The same words']);
  });

  it('takes any text as words to look for', () => {
    const { log, answer, similar } = open();
    openQuestion(log, 'e1', { question: 'rename "it" AND (NOT that*) ^near:1' });
    openQuestion(log, 'e2', { task: null, question: '"" * ( NEAR { } rename' });
    openQuestion(log, 'e3', { task: null, question: null });
    answer('e1', 'Quoted "words" too');

    expect(similar('e2').map(({ text }) => text)).toEqual(['Quoted "words" too']);
    expect(similar('e3')).toEqual([]);
    expect(searchWords('The id of the ID; is 7')).toEqual(['id']);
  });
});

describe('what an answer inherits', () => {
  it('is what the author of reused advice had seen', () => {
    const { log, desk, answer, privilegeOf } = open();
    openQuestion(log, 'e1');
    log.append('e1', SYSTEM, drafted());
    answer('e1', 'from the reference');
    log.append('e2', SYSTEM, started({ task_idx: 3 }));
    log.append('e2', SYSTEM, reset({ task_idx: 3 }));
    log.append(
      'e2',
      SYSTEM,
      asked({ consultation: 'e2:c1', call: null, task: null, available_tools: null, question: 'And here?' }),
    );

    desk.answer(
      {
        episode: 'e2',
        consultation: 'e2:c1',
        text: 'from the reference',
        draft: null,
        seen_seq: log.lastSeq(),
        timing: TIMING,
        reused: [{ episode: 'e1', consultation: 'e1:c1' }],
      },
      { type: 'human', id: 'seat-two' },
    );
    expect(privilegeOf('e2')).toEqual(['reference']);
  });

  it('cannot come from advice nobody gave', () => {
    const { log, desk } = open();
    openQuestion(log, 'e1');
    const reused = [{ episode: 'e9', consultation: 'e9:c1' }];

    expect(() =>
      desk.answer(
        { episode: 'e1', consultation: 'e1:c1', text: 'x', draft: null, seen_seq: 9, timing: TIMING, reused },
        HUMAN,
      ),
    ).toThrow('to reuse');
    expect(findConsultation(log.record('e1'), 'e1:c1')?.decision).toBeNull();
  });

  it('is what every draft on the screen had seen, whichever the words began from', () => {
    const { log, answer, privilegeOf } = open();
    openQuestion(log, 'e1');
    log.append('e1', SYSTEM, drafted());
    log.append('e1', SYSTEM, drafted({ draft: 'd2', text: 'another', privilege: ['criteria'] }));

    expect(answer('e1', 'rename_workflow({"id":1})', HUMAN, 'd1').act).toBe('accept');
    expect(privilegeOf('e1')).toEqual(['criteria', 'reference']);
  });
});

it('missed asks are listed newest first with why, until they are too old, and count the late advice they got', () => {
  const { log, desk, room, advance, clock } = open();
  openQuestion(log, 'e1', { fallback: 'proceed' });
  openQuestion(log, 'e2', { fallback: 'proceed' });
  openQuestion(log, 'e3', { answered_by: 'model' });
  desk.expire('e1', 'e1:c1', 'deadline');
  advance(1_000);
  log.append('e2', SYSTEM, {
    kind: 'consultation.admitted',
    consultation: 'e2:c1',
    is_admitted: false,
    rule: 'share',
    p: 0.1,
    draw: 0.9,
  });
  desk.expire('e2', 'e2:c1', 'not_admitted');
  desk.expire('e3', 'e3:c1', 'nobody');
  room.adviseLate({ episode: 'e1', consultation: 'e1:c1', text: 'late', timing: TIMING }, HUMAN);

  expect(missedAsks(log, clock() - 60_000, 10)).toMatchObject([
    { episode: 'e2', reason: 'not_admitted', rule: 'share', late: 0 },
    { episode: 'e1', reason: 'deadline', rule: null, late: 1 },
  ]);
  expect(missedAsks(log, clock(), 10).map(({ episode }) => episode)).toEqual(['e2']);
});
