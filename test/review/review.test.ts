import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Caller, Inputs } from '../../src/shared/contract/contract.ts';
import { FAILURES } from '../../src/shared/review/taxonomy.ts';
import { writeAnnotations } from '../../src/main/review/annotationLines.ts';
import { openRoom, NO_TIME, ONE, OWNER, took, TWO } from './room.ts';

let room: ReturnType<typeof openRoom>;
beforeEach(() => {
  room = openRoom();
  for (const id of ['e1', 'e2', 'e3']) room.episode(id);
});
afterEach(() => room.close());

type At = { project: string; queue: string; item: string };
type Correction = Extract<Inputs['annotation.give'], { as: 'correction' }>;
type Given = Pick<Extract<Inputs['annotation.give'], { as: 'value' }>, 'target' | 'dimension' | 'value'>;

const loadText = (episode: string, option: string): Given => ({
  target: { on: 'trajectory', episode },
  dimension: 'outcome',
  value: { type: 'category', option },
});
const step = (episode: string, turn: number, option: string): Given => ({
  target: { on: 'step', episode, turn },
  dimension: 'step_reward',
  value: { type: 'category', option },
});
const give = (caller: Caller, at: At, given: Given) =>
  room.as(caller)('annotation.give', { as: 'value', ...at, ...given, timing: took(1000) });
const correct = (
  caller: Caller,
  at: At,
  over: Pick<Correction, 'target' | 'correct'>,
  reason: string | null = null,
) => room.as(caller)('annotation.give', { as: 'correction', ...at, ...over, reason, timing: NO_TIME });
const prefer = (caller: Caller, at: At, choice: 'left' | 'tie') =>
  room.as(caller)('annotation.give', { as: 'preference', ...at, choice, reason: null, timing: NO_TIME });
const finish = (caller: Caller, at: At, ms = 30_000) =>
  room.as(caller)('queue.leave', { as: 'done', ...at, timing: took(ms) });
const next = async (caller: Caller, at: { project: string; queue: string }): Promise<At> => {
  const { item } = await room.as(caller)('queue.next', at);
  if (item === null) throw new Error('nothing is left');
  return { ...at, item };
};
const subjectOf = async (caller: Caller, at: At): Promise<string> => {
  const { row } = await room.as(caller)('queue.open', at);
  return row.subject.type === 'episode' ? row.subject.episode : '';
};

describe('two reviewers of one queue', () => {
  it('keeps what they say apart, measures how far they agree, and lets the owner have the last word', async () => {
    const at = await room.queue(['e1', 'e2', 'e3']);
    for (const [caller, marks] of [
      [ONE, ['yes', 'no', 'yes']],
      [TWO, ['yes', 'no', 'partly']],
    ] as const) {
      for (const option of marks) {
        const item = await next(caller, at);
        await give(caller, item, loadText(await subjectOf(caller, item), option));
        await finish(caller, item);
      }
    }

    const project = await room.project(OWNER, at.project);
    const [queue] = project.queues;
    const outcome = queue?.agreement.find(({ dimension }) => dimension === 'outcome');
    expect(queue?.progress).toMatchObject({
      items: 3,
      complete: 3,
      reviews_done: 6,
      conflicts: 1,
      adjudicated: 0,
    });
    expect(queue?.progress.reviewers.map(({ seat, done, median_ms }) => [seat, done, median_ms])).toEqual([
      ['seat-one', 3, 30_000],
      ['seat-two', 3, 30_000],
    ]);
    expect(outcome).toMatchObject({ metric: 'ordinal', units: 3, values: 6, same: 2 / 3 });
    // By hand: observed 2 × 4 from the one pair that differs, expected 2 × (2 × 2.25 + 6 × 12.25 + 3 × 4) over n − 1 = 5.
    expect(outcome?.alpha).toBeCloseTo(1 - (5 * 8) / 180, 10);

    const { items } = await room.as(OWNER)('queue.items', { ...at, show: 'conflicts', offset: 0, limit: 10 });
    const [differing] = items;
    const item = { ...at, item: differing?.item ?? '' };
    const { conflicts } = await room.as(OWNER)('annotation.conflicts', item);
    expect(conflicts).toHaveLength(1);
    expect(conflicts[0]?.values).toEqual([
      { reviewer: 'seat-one', value: { type: 'category', option: 'yes' } },
      { reviewer: 'seat-two', value: { type: 'category', option: 'partly' } },
    ]);
    const [conflict] = conflicts;
    if (conflict === undefined) throw new Error('no conflict');
    await room.as(OWNER)('annotation.adjudicate', {
      ...item,
      target: conflict.target,
      dimension: conflict.dimension,
      value: { type: 'category', option: 'partly' },
      reason: 'One field was left empty.',
      timing: NO_TIME,
    });
    const after = await room.project(OWNER, at.project);
    expect(after.queues[0]?.progress).toMatchObject({ conflicts: 1, adjudicated: 1 });
    const lines = await room.as(OWNER)('annotation.export', { project: at.project, offset: 0, limit: 100 });
    expect(lines.lines.map((line) => (JSON.parse(line) as { type: string }).type)).toEqual([
      ...Array.from({ length: 6 }, () => 'annotation'),
      'adjudication',
    ]);
  });

  it('shows a blind reviewer neither the other’s marks nor how the episode went, until they have finished', async () => {
    const at = await room.queue(['e1']);
    const item = await next(ONE, at);
    await give(ONE, item, loadText('e1', 'yes'));
    await finish(ONE, item);

    const second = await next(TWO, at);
    const during = await room.as(TWO)('queue.open', second);
    const isCovered = room.log.projections.isOutcomeCovered('seat-two', 'e1');
    await give(TWO, second, loadText('e1', 'no'));
    await finish(TWO, second);
    const after = await room.as(TWO)('queue.open', second);

    expect(during).toMatchObject({ hides_outcome: true, is_blind: true, annotations: [] });
    expect(during.row.episodes[0]).toMatchObject({ reward: null, reward_type: null, is_covered: true });
    expect(during.row.seats.map(({ seat }) => seat)).toEqual(['seat-two']);
    expect(isCovered).toBe(true);
    expect(room.log.projections.isOutcomeCovered('seat-two', 'e1')).toBe(false);
    expect(after).toMatchObject({ hides_outcome: false, annotations: [{ reviewer: 'seat-two' }] });
    expect(after.annotations).toHaveLength(1);
    // Nothing of the answer was seen when it was said.
    expect(after.annotations[0]?.privilege).toEqual([]);
  });

  it('refuses a third reviewer where two are wanted, and hands an item on when its lease has run out', async () => {
    const at = await room.queue(['e1'], { reviewers_per_item: 1 });
    const item = await next(ONE, at);
    await expect(room.as(TWO)('queue.open', item)).rejects.toMatchObject({ code: 'already_answered' });
    expect(await room.as(TWO)('queue.next', at)).toEqual({ item: null });

    room.advance(10 * 60_000 + 1);
    const taken = await next(TWO, at);

    expect(taken).toEqual(item);
    await expect(give(ONE, item, loadText('e1', 'yes'))).rejects.toMatchObject({ code: 'already_answered' });
    await give(TWO, item, loadText('e1', 'yes'));
  });

  it.each([3_600_000, -3_600_000])(
    'ends a lease when its time is over, also where the wall clock is set %i ms on or back',
    async (jump) => {
      const at = await room.queue(['e1'], { reviewers_per_item: 1 });
      const item = await next(ONE, at);
      room.advance(5 * 60_000);
      room.setWallClock(jump);

      await expect(room.as(TWO)('queue.open', item)).rejects.toMatchObject({ code: 'already_answered' });
      room.advance(5 * 60_000 + 1);
      expect(await next(TWO, at)).toEqual(item);
    },
  );

  it('spreads items over named seats evenly and keeps others out', async () => {
    const seats = ['seat-one', 'seat-two', 'seat-three'];
    const at = await room.queue(['e1', 'e2', 'e3'], { seats, reviewers_per_item: 2 });
    const project = await room.project(OWNER, at.project);
    const stranger = { seat: 'seat-four', invite: 'i4' };

    expect(project.queues[0]?.progress.reviewers.map(({ seat, assigned }) => [seat, assigned])).toEqual([
      ['seat-one', 2],
      ['seat-three', 2],
      ['seat-two', 2],
    ]);
    expect((await room.as(stranger)('project.list', {})).projects).toEqual([]);
    await expect(room.as(stranger)('queue.next', at)).rejects.toMatchObject({
      code: 'unauthorized',
    });
    await expect(room.as(ONE)('queue.make', {} as Inputs['queue.make'])).rejects.toMatchObject({
      code: 'unauthorized',
    });
  });
});

describe('one reviewer', () => {
  it('comes back to what was postponed last, and never to what was skipped', async () => {
    const at = await room.queue(['e1', 'e2', 'e3']);
    const first = await next(ONE, at);
    await room.as(ONE)('queue.leave', { as: 'postponed', ...first, timing: NO_TIME });
    const second = await next(ONE, at);
    await room.as(ONE)('queue.leave', {
      as: 'skipped',
      ...second,
      reason: 'I know the author',
      timing: NO_TIME,
    });
    const third = await next(ONE, at);
    await give(ONE, third, loadText(await subjectOf(ONE, third), 'yes'));
    await finish(ONE, third);

    expect(new Set([first.item, second.item, third.item]).size).toBe(3);
    expect(await next(ONE, at)).toEqual(first);
  });

  it('may replace and take back what was said; the log keeps all of it and the episode none', async () => {
    const before = room.log.read('e1').length;
    const at = await room.queue(['e1']);
    const item = await next(ONE, at);
    await give(ONE, item, step('e1', 1, 'bad'));
    await give(ONE, item, step('e1', 1, 'good'));
    const { annotation } = await give(ONE, item, step('e1', 2, 'neutral'));
    await room.as(ONE)('annotation.withdraw', { ...item, annotation });

    const { annotations } = await room.as(ONE)('queue.open', item);
    expect(annotations.map(({ value }) => value)).toEqual([{ type: 'category', option: 'good' }]);
    const kinds = room.log.read(`annotate/${at.project}`).map(({ event }) => event.kind);
    expect(kinds.filter((kind) => kind === 'annotation.given')).toHaveLength(3);
    expect(room.log.read('e1')).toHaveLength(before);
  });

  it('says what the agent should have done, as a call or in words, on a step', async () => {
    const at = await room.queue(['e1']);
    const item = await next(ONE, at);
    const target = { on: 'call' as const, episode: 'e1', turn: 2 };
    const move = { type: 'call_tool' as const, tool_name: 'rename_workflow', arguments: { id: 2 } };
    await correct(ONE, item, { target, correct: { type: 'text', text: 'Ask first.' } });
    await correct(ONE, item, { target, correct: { type: 'move', move } }, 'The second.');

    const { corrections } = await room.as(ONE)('queue.open', item);
    expect(corrections).toHaveLength(1);
    expect(corrections[0]).toMatchObject({ target, correct: { type: 'move', move }, reason: 'The second.' });
  });

  it('is told what does not fit before anything is written', async () => {
    const at = await room.queue(['e1']);
    const item = await next(ONE, at);
    const n = room.log.read(`annotate/${at.project}`).length;
    const cases: [Given, RegExp][] = [
      [loadText('e1', 'perhaps'), /no option perhaps/],
      [loadText('e2', 'yes'), /another episode/],
      [step('e1', 9, 'good'), /no turn 9/],
      [
        { ...loadText('e1', 'yes'), target: { on: 'step', episode: 'e1', turn: 1 } },
        /not asked about a step/,
      ],
      [
        { ...loadText('e1', 'yes'), dimension: 'quality', value: { type: 'scale', number: 2.5 } },
        /steps of 1/,
      ],
      [{ ...loadText('e1', 'yes'), dimension: 'quality' }, /takes a scale, not a category/],
      [{ ...loadText('e1', 'yes'), dimension: 'gone' }, /no dimension gone/],
    ];
    for (const [given, message] of cases) await expect(give(ONE, item, given)).rejects.toThrow(message);
    await expect(finish(ONE, item)).rejects.toThrow(/Was the task done/);
    expect(room.log.read(`annotate/${at.project}`)).toHaveLength(n);
  });
});

describe('pairs', () => {
  it('puts episodes of one task side by side, differing outcomes first, and takes a preference', async () => {
    room.episode('e4', { reward: 0 });
    room.episode('e5', { task_idx: 7 });
    const filter = { query: '', status: null, condition: null };
    const at = await room.queue([], {
      from: { type: 'same_task', filter, limit: 10 },
      reviewers_per_item: 2,
    });
    const item = await next(ONE, at);
    const { row } = await room.as(ONE)('queue.open', item);
    const sides = row.subject.type === 'pair' ? [row.subject.left.episode, row.subject.right.episode] : [];
    await expect(finish(ONE, item)).rejects.toThrow(/which of the two/);
    for (const [caller, choice] of [
      [ONE, 'left'],
      [TWO, 'tie'],
    ] as const) {
      const own = await next(caller, at);
      await prefer(caller, own, choice);
      await finish(caller, own);
    }

    expect(sides).toContain('e4');
    expect(sides).not.toContain('e5');
    const { queues } = await room.project(OWNER, at.project);
    expect(queues[0]).toMatchObject({ subject: 'pair', progress: { items: 2, complete: 1, conflicts: 1 } });
    expect(queues[0]?.agreement[0]).toMatchObject({ dimension: 'preference', same: 0, units: 1 });
  });
});

describe('decision points', () => {
  it('put the agent’s move beside the one a reviewer called right, without saying whose is whose', async () => {
    const at = await room.queue(['e1']);
    const item = await next(ONE, at);
    const target = { on: 'call' as const, episode: 'e1', turn: 2 };
    const move = { type: 'call_tool' as const, tool_name: 'rename_workflow', arguments: { id: 7 } };
    await correct(ONE, item, { target, correct: { type: 'move', move } });
    const { queue, items } = await room.as(OWNER)('queue.make', {
      project: at.project,
      name: 'Which move',
      reviewers_per_item: 1,
      seats: [],
      is_blind: true,
      hides_outcome: true,
      lease_minutes: 10,
      from: { type: 'corrections' },
    });
    const point = await next(TWO, { project: at.project, queue });
    const before = await room.as(TWO)('queue.open', point);
    await prefer(TWO, point, 'left');
    await finish(TWO, point);
    const after = await room.as(TWO)('queue.open', point);

    const sidesOf = ({ row: { subject } }: typeof before) =>
      subject.type === 'pair' ? [subject.left, subject.right] : [];
    const argumentsOf = (view: typeof before) =>
      sidesOf(view).map((one) =>
        one.type === 'move' && one.move.type === 'call_tool' ? one.move.arguments : null,
      );
    expect(items).toBe(1);
    expect(argumentsOf(before)).toEqual(expect.arrayContaining([{ id: 2 }, { id: 7 }]));
    expect(sidesOf(before).map((one) => 'source' in one && one.source)).toEqual(['', '']);
    expect(sidesOf(after).map((one) => 'source' in one && one.source)).toEqual(
      expect.arrayContaining(['agent', 'correction by seat-one']),
    );
  });
});

describe('a schema', () => {
  it('can be changed; what was said under the old one keeps its version, and a change over another is refused', async () => {
    const at = await room.queue(['e1']);
    const item = await next(ONE, at);
    await give(ONE, item, loadText('e1', 'yes'));
    const { dimensions, schema_version: seen } = await room.project(OWNER, at.project);
    const schema = { seen_version: seen, dimensions: dimensions.filter(({ id }) => id !== 'outcome') };
    const change = { project: at.project, schema };

    expect(await room.as(OWNER)('project.change', change)).toEqual({ version: 2 });
    await expect(room.as(OWNER)('project.change', change)).rejects.toThrow(/somebody else/);
    await expect(
      room.as(OWNER)('project.change', {
        project: at.project,
        schema: { seen_version: 2, dimensions: [...dimensions, ...dimensions] },
      }),
    ).rejects.toThrow(/two dimensions/);
    const view = await room.as(ONE)('queue.open', item);
    expect(view).toMatchObject({
      schema_version: 2,
      annotations: [{ schema_version: 1, dimension: 'outcome' }],
    });
  });

  it('starts from failures that are told apart by id and explained', () => {
    expect(new Set(FAILURES.map(({ id }) => id)).size).toBe(FAILURES.length);
    for (const { description } of FAILURES) expect(description.length).toBeGreaterThan(20);
  });
});

describe('a restart', () => {
  it('finds every project, queue and word again in the log alone', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'review-'));
    const path = join(folder, 'interject.db');
    room.close();
    room = openRoom(path);
    room.episode('e1');
    const at = await room.queue(['e1']);
    const item = await next(ONE, at);
    await give(ONE, item, loadText('e1', 'yes'));
    await finish(ONE, item);
    const before = await room.as(OWNER)('project.list', {});
    room.close();
    room = openRoom(path);

    expect(await room.as(OWNER)('project.list', {})).toEqual(before);
    expect(room.log.projections.isOutcomeCovered('seat-one', 'e1')).toBe(false);
    expect(room.log.projections.isOutcomeCovered('seat-two', 'e1')).toBe(true);
    // The same words leave by the command line, by episode id alone.
    const written = writeAnnotations(room.log, join(folder, 'out'));
    const text = readFileSync(join(folder, 'out', 'annotations.jsonl'), 'utf8');
    expect(written).toMatchObject({ rows: 1, files: ['annotations.jsonl'] });
    expect(JSON.parse(text)).toMatchObject({
      type: 'annotation',
      reviewer: 'seat-one',
      review: 'done',
      use: 'outcome',
      target: { on: 'trajectory', episode: 'e1' },
    });
    expect(text).not.toContain('rename_workflow');
    rmSync(folder, { recursive: true });
  });
});
