import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROCESS_REWARD } from '../../../src/shared/review/taxonomy.ts';
import type { ItemRecord } from '../../../src/shared/review/record.ts';
import { dropWords } from '../../../src/shared/export/dropWords.ts';
import { FORMATS } from '../../../src/shared/export/formats.ts';
import { rowRule } from '../../../src/main/dataset/export/select.ts';
import { asked, formatAndPreset, ROW_KINDS, rulesOf } from '../../support/exporting.ts';
import { serveEnvironment } from '../../support/flow.ts';
import {
  advised,
  answered,
  approved,
  callsOf,
  edited,
  expired,
  GOOD,
  labelled,
  rejected,
  rowsOf,
  solo,
  stumbled,
  takenOver,
  type Made,
} from './episodes.ts';

let environment: Awaited<ReturnType<typeof serveEnvironment>>;
let all: Record<
  | 'advised'
  | 'edited'
  | 'xml'
  | 'rejected'
  | 'approved'
  | 'answered'
  | 'expired'
  | 'takenOver'
  | 'labelled'
  | 'stumbled'
  | 'solo',
  Made
>;
beforeAll(async () => {
  environment = await serveEnvironment();
  all = {
    advised: await advised(environment, { ask: 1, do: 'send', text: GOOD }),
    edited: await edited(environment),
    xml: await edited(environment, 'xml'),
    rejected: await rejected(environment),
    approved: await approved(environment),
    answered: await answered(environment),
    expired: await expired(environment),
    takenOver: await takenOver(environment),
    labelled: await labelled(environment),
    stumbled: await stumbled(environment),
    solo: await solo(environment),
  };
});
afterAll(() => environment.close());

const NO_TIME = { first_seen_at: null, active_ms: null };
const DONE = { state: 'done', until: 0, at: 1, n: 1, reason: null, timing: NO_TIME } as const;

/** A finished review of an episode. */
const review = (episode: string, over: Partial<ItemRecord>): ItemRecord => ({
  item: 'i1',
  queue: 'q1',
  subject: { type: 'episode', episode },
  reviewers: [],
  addedAt: 1,
  seats: new Map([
    ['seat-a', DONE],
    ['seat-b', DONE],
  ]),
  annotations: [],
  corrections: [],
  preferences: [],
  adjudications: [],
  ...over,
});
const given = { id: 'x', at: 1, privilege: [] as [], timing: NO_TIME };
const stepMark = (episode: string, turn: number, option: string, reviewer = 'seat-a') => ({
  ...given,
  reviewer,
  target: { on: 'step' as const, episode, turn },
  dimension: PROCESS_REWARD.id,
  value: { type: 'category' as const, option },
  schemaVersion: 1,
});

describe('every format', () => {
  it.each(ROW_KINDS)('%s has just its columns on every row, without a null, and well-formed text', (id) => {
    const { columns } = asked(id).made;
    for (const made of Object.values(all)) {
      for (const row of rowsOf(id, made).rows) {
        if (columns === null) continue;
        expect(Object.keys(row)).toEqual(columns.map(({ name }) => name));
        const plain = columns.filter(({ type }) => type !== 'json');
        expect(plain.every(({ name }) => row[name] !== null && row[name] !== undefined)).toBe(true);
      }
    }
  });

  it.each(ROW_KINDS)('%s leaves the form of arguments open just where its rows have calls in it', (id) => {
    const rowsIn = (form: 'object' | 'string'): string =>
      JSON.stringify(Object.values(all).map((made) => rowsOf(id, made, { arguments: form }).rows));
    expect(rowsIn('object') !== rowsIn('string')).toBe(
      id !== 'advisor' && FORMATS[formatAndPreset(id).format].hasStyle === true,
    );
  });

  it.each(ROW_KINDS)('%s says in words why it leaves something out', (id) => {
    for (const made of Object.values(all))
      for (const over of [{}, { privilege: 'strip' as const }])
        for (const name of Object.keys(rowsOf(id, made, over).dropped))
          expect(dropWords(name).words).not.toBe(name.replaceAll('_', ' '));
  });

  it.each(ROW_KINDS)('%s holds nothing that an expert said where that is to be taken out', (id) => {
    const { made } = rowsOf(id, all.advised, { privilege: 'strip' });
    for (const { row, more = [], facts } of made.filter((one) => one.facts.hasExpertWords !== true)) {
      expect(JSON.stringify([row, more])).not.toContain('rename_workflow({');
      expect(facts.privilege).toEqual([]);
    }
  });

  it.each(['atif', 'episode_record', 'awm', 'events'] as const)(
    '%s leaves out what a person acted in where the expert is to be taken out',
    (id) => {
      for (const made of [all.edited, all.takenOver, all.answered]) {
        const { rows, dropped } = rowsOf(id, made, { privilege: 'strip' });
        expect(rows).toEqual([]);
        expect(Object.keys(dropped)).toEqual([id === 'events' ? 'expert_words' : 'person_acted']);
      }
      expect(rowsOf(id, all.solo, { privilege: 'strip' }).rows).toHaveLength(1);
    },
  );

  it.each(ROW_KINDS)('%s declares every key of its lines on the card, but for what readers know', (id) => {
    const { columns, cardColumns } = asked(id).made;
    const declared = new Set((columns ?? cardColumns ?? []).map(({ name }) => name));
    for (const made of Object.values(all))
      for (const { row, more = [] } of rowsOf(id, made).made)
        for (const line of [row, ...more])
          expect(Object.keys(line).filter((key) => !declared.has(key))).toEqual([]);
  });

  it.each(ROW_KINDS)('%s gives the same rows each time, and shows how each trains', (id) => {
    const read = () => rowsOf(id, all.advised);
    expect(JSON.stringify(read().rows)).toBe(JSON.stringify(read().rows));
    for (const { mask } of read().facts)
      expect(
        mask().every(
          ({ role, text, trains, why }) =>
            role !== '' && typeof text === 'string' && trains === (why === null),
        ),
      ).toBe(true);
  });
});

describe('preference', () => {
  it('pairs a call as it was proposed with what a person made of it, after the same prompt', () => {
    const [row] = rowsOf('preference', all.edited).rows;
    expect(row).toMatchObject({ pair: 'edited', actor: 'human' });
    expect(callsOf(row?.rejected ?? [])).toEqual(['rename_workflow {"id":1}']);
    expect(callsOf(row?.chosen ?? [])).toEqual(['rename_workflow {"id":2}']);
    expect(row?.prompt.map(({ role }) => role)).toEqual(['system', 'user']);
  });

  it.each([
    ['none', ''],
    ['reason', 'the second is meant'],
    ['agent', 'I rename it.'],
  ] as const)('has the same words on both sides: %s', (words, said) => {
    for (const made of [all.edited, all.xml])
      for (const { chosen, rejected } of rowsOf('preference', made, { words }).rows)
        expect(
          [chosen, rejected].map(([side]) =>
            side?.content.replace(/<tool_call>[^]*<\/tool_call>/, '').trim(),
          ),
        ).toEqual([said, said]);
  });

  it('keeps a pair of the agent’s own calls, and none with a person’s, where the expert is to be taken out', () => {
    const kept = (made: Made) =>
      rowsOf('preference', made, { privilege: 'strip' }).made.flatMap(({ row, facts }) =>
        rowRule(facts, rulesOf({ privilege: 'strip' })) === null ? [row['pair']] : [],
      );
    expect(kept(all.rejected)).toEqual(['corrected']);
    expect([all.edited, all.xml, all.labelled, all.advised].flatMap(kept)).toEqual([]);
  });

  it('never makes one of a timeout, a decline or a hand-over', () => {
    expect(rowsOf('preference', all.expired).rows).toEqual([]);
    expect(rowsOf('preference', all.takenOver).rows).toEqual([]);
  });

  it('takes reviewers’ corrections, and which of two moves at one point most of them prefer', () => {
    const { id } = all.solo;
    const move = (n: number) => ({
      type: 'call_tool' as const,
      tool_name: 'rename_workflow',
      arguments: { id: n },
    });
    const point = { episode: id, turn: 1 };
    const left = { type: 'turn' as const, ...point };
    const right = { type: 'move' as const, ...point, move: move(7), source: 'label' };
    const preference = (reviewer: string, choice: 'left' | 'right' | 'tie') => ({
      ...given,
      reviewer,
      left,
      right,
      choice,
      reason: null,
    });
    const corrections = [
      {
        ...given,
        reviewer: 'seat-a',
        target: { on: 'step' as const, ...point },
        correct: { type: 'move' as const, move: move(9) },
        reason: null,
      },
      {
        ...given,
        reviewer: 'seat-c',
        target: { on: 'step' as const, ...point },
        correct: { type: 'move' as const, move: move(8) },
        reason: null,
      },
    ];
    const items = [
      review(id, { corrections }),
      review(id, {
        subject: { type: 'pair', left, right },
        preferences: [preference('seat-a', 'right'), preference('seat-b', 'right')],
      }),
      review(id, {
        subject: { type: 'pair', left, right },
        preferences: [preference('seat-a', 'left'), preference('seat-b', 'right')],
      }),
    ];
    const { rows, dropped } = rowsOf('preference', all.solo, {}, items);

    expect(rows.map(({ pair, chosen }) => [pair, callsOf(chosen)[0]])).toEqual([
      ['reviewer', 'rename_workflow {"id":9}'],
      ['pairwise', 'rename_workflow {"id":7}'],
    ]);
    expect(dropped).toEqual({ no_preference: 1 });
  });
});

describe('kto completions', () => {
  it('are one reply each, and hold no result', () => {
    const rows = Object.values(all).flatMap((made) => rowsOf('kto', made).rows);

    expect(rows.length).toBeGreaterThan(20);
    for (const { completion } of rows) expect(completion.map(({ role }) => role)).toEqual(['assistant']);
  });
});

describe('records', () => {
  it('keep what was proposed, decided and effective apart', () => {
    const [row] = rowsOf('episode_record', all.edited).rows;
    expect((row?.['extra'] as { interventions: unknown[] } | undefined)?.interventions).toMatchObject([
      {
        type: 'call_edited',
        proposed: { arguments: { id: 1 } },
        decided: { arguments: { id: 2 } },
        effective: { arguments: { id: 2 } },
      },
    ]);
    expect(row).toMatchObject({
      reward: 1,
      done: true,
      tool_trace: [{ tool_name: 'rename_workflow', arguments: { id: 2 } }],
    });
  });

  it('of a person’s move say so to readers of trajectories', () => {
    const [row] = rowsOf('atif', all.takenOver).rows;
    const steps = row?.['steps'] as { source: string; llm_call_count?: number; extra?: object }[];
    expect(steps.find(({ llm_call_count: count }) => count === 0)).toMatchObject({
      source: 'agent',
      extra: { written_by: 'human' },
    });
  });

  it('of feedback name reviewers by opaque ids and steps by their turn', () => {
    const { id } = all.solo;
    const { rows } = rowsOf('human_feedback', all.solo, {}, [
      review(id, { annotations: [stepMark(id, 1, 'good')] }),
    ]);
    expect(rows).toMatchObject([
      {
        kind: 'label',
        target: 'dimension',
        value: 'good',
        dimension: 'step_reward',
        reviewer_id: 'seat-a',
        target_id: `${id}#turn-1`,
      },
    ]);
    expect(rowsOf('human_feedback', all.labelled).rows.map(({ kind, value }) => [kind, value])).toEqual([
      ['label', 0],
      ['correction', null],
      ['label', 1],
    ]);
  });
});
