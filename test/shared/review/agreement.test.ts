import { describe, expect, it } from 'vitest';
import { agreementOf, agreementOn, conflictsOf } from '../../../src/shared/review/agreement.ts';
import { foldInto, foldProject } from '../../../src/shared/review/fold.ts';
import { spanOverlap } from '../../../src/shared/review/overlap.ts';
import type { ItemRecord } from '../../../src/shared/review/record.ts';
import { STARTER } from '../../../src/shared/review/taxonomy.ts';
import type { AnnotationEvent, Dimension, Target, Value } from '../../../src/shared/events/annotations.ts';
import type { Recorded } from '../../../src/shared/events/vocabulary.ts';

const NO_TIME = { first_seen_at: null, active_ms: null };

/** Events of one project as the log would number them. */
function writer() {
  const events: Recorded[] = [];
  const write = (seat: string, event: AnnotationEvent): void => {
    const n = events.length + 1;
    events.push({ seq: n, stream: 'annotate/p', n, at: n, actor: { type: 'human', id: seat }, event });
  };
  write('owner', { kind: 'project.created', name: 'P', instructions: '' });
  write('owner', { kind: 'schema.defined', version: 1, dimensions: [...STARTER] });
  write('owner', {
    kind: 'queue.made',
    queue: 'q',
    name: 'Q',
    subject: 'episode',
    reviewers_per_item: 2,
    seats: [],
    is_blind: true,
    hides_outcome: true,
    lease_ms: 1,
    filter: {},
  });
  return { events, write };
}

type Mark = {
  seat: string;
  item: number;
  target: (episode: string) => Target;
  dimension: string;
  value: Value;
};

function reviewed(items: number, marks: readonly Mark[], seats = ['a', 'b']) {
  const { events, write } = writer();
  write('owner', {
    kind: 'items.added',
    queue: 'q',
    hides_outcome: true,
    items: Array.from({ length: items }, (_, index) => ({
      item: `i${String(index)}`,
      subject: { type: 'episode' as const, episode: `e${String(index)}` },
      reviewers: [],
    })),
  });
  for (const [index, { seat, item, target, dimension, value }] of marks.entries()) {
    write(seat, {
      kind: 'annotation.given',
      annotation: `a${String(index)}`,
      queue: 'q',
      item: `i${String(item)}`,
      target: target(`e${String(item)}`),
      dimension,
      value,
      schema_version: 1,
      privilege: [],
      timing: NO_TIME,
    });
  }
  for (const seat of seats)
    for (let item = 0; item < items; item += 1)
      write(seat, { kind: 'item.done', queue: 'q', item: `i${String(item)}`, timing: NO_TIME });
  return { events, project: foldProject('p', events) };
}

const whole = (episode: string): Target => ({ on: 'trajectory', episode });
const range =
  (start: number, end: number) =>
  (episode: string): Target => ({ on: 'range', episode, turn: 1, n: 3, field: 'content', start, end });
const labels = (...options: string[]): Value => ({ type: 'label', options });
const dimension = (id: string): Dimension => {
  const found = STARTER.find((one) => one.id === id);
  if (found === undefined) throw new Error(id);
  return found;
};
const itemsOf = (project: ReturnType<typeof foldProject>): ItemRecord[] => [...project.items.values()];

describe('agreement on labels', () => {
  it('takes a finished review without a label as saying that none holds', () => {
    const { project } = reviewed(4, [
      { seat: 'a', item: 0, target: whole, dimension: 'failure', value: labels('no_plan') },
      { seat: 'b', item: 0, target: whole, dimension: 'failure', value: labels('no_plan') },
      { seat: 'a', item: 1, target: whole, dimension: 'failure', value: labels('wrong_tool') },
    ]);
    const agreement = agreementOn(dimension('failure'), itemsOf(project));
    const of = (option: string) => agreement?.options.find((one) => one.option === option);

    expect(agreement).toMatchObject({ units: 4, same: 3 / 4 });
    expect(of('no_plan')).toMatchObject({ alpha: 1, chosen: 2, judgements: 8 });
    // One reviewer alone, in one of four: observed 2, expected 2 × 1 × 7 over n − 1 = 7.
    expect(of('wrong_tool')?.alpha).toBeCloseTo(1 - (7 * 2) / 14, 10);
    expect(of('no_check')?.alpha).toBeNull();
  });

  it('finds where reviewers differ, and only where both have finished', () => {
    const marks: Mark[] = [
      { seat: 'a', item: 0, target: whole, dimension: 'failure', value: labels('no_plan', 'wrong_tool') },
      { seat: 'b', item: 0, target: whole, dimension: 'failure', value: labels('wrong_tool', 'no_plan') },
      { seat: 'a', item: 1, target: whole, dimension: 'failure', value: labels('no_check') },
    ];
    const both = itemsOf(reviewed(2, marks).project);
    const one = itemsOf(reviewed(2, marks, ['a']).project);

    expect(both.map((item) => conflictsOf(STARTER, item).map(({ dimension: id }) => id))).toEqual([
      [],
      ['failure'],
    ]);
    expect(one.flatMap((item) => conflictsOf(STARTER, item))).toEqual([]);
  });
});

it('agreement on marked words is the overlap of the characters', () => {
  expect(spanOverlap([{ start: 0, end: 10 }], [{ start: 5, end: 15 }])).toBe(0.5);
  expect(
    spanOverlap(
      [
        { start: 0, end: 4 },
        { start: 2, end: 10 },
      ],
      [{ start: 0, end: 10 }],
    ),
  ).toBe(1);
  const { project } = reviewed(2, [
    { seat: 'a', item: 0, target: range(0, 10), dimension: 'passage', value: labels('wrong') },
    { seat: 'b', item: 0, target: range(5, 15), dimension: 'passage', value: labels('wrong') },
    { seat: 'a', item: 1, target: range(0, 5), dimension: 'passage', value: labels('wrong') },
  ]);
  const queue = project.queues.get('q');
  if (queue === undefined) throw new Error('no queue');
  const passage = agreementOf(STARTER, queue).find((one) => one.dimension === 'passage');
  expect(passage).toMatchObject({ alpha: null, units: 0 });
  expect(passage?.options.find(({ option }) => option === 'wrong')?.overlap).toBe(0.25);
});

it('the fold of a project gives the same record event by event, all at once, and with events sent twice', () => {
  const { events, project } = reviewed(3, [
    { seat: 'a', item: 0, target: whole, dimension: 'failure', value: labels('no_plan') },
    { seat: 'a', item: 0, target: whole, dimension: 'failure', value: labels('no_check') },
    { seat: 'b', item: 0, target: whole, dimension: 'failure', value: labels('no_plan') },
  ]);
  const stepwise = foldProject('p', []);
  for (const event of events) for (const again of [event, event]) foldInto(stepwise, again);

  expect(stepwise).toEqual(project);
  expect(project.items.get('i0')?.annotations.map(({ reviewer, value }) => [reviewer, value])).toEqual([
    ['a', labels('no_check')],
    ['b', labels('no_plan')],
  ]);
});
