import { afterEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../src/shared/contract/contract.ts';
import { CORRECTION } from '../../src/shared/review/agreement.ts';
import { openRoom, NO_TIME, ONE, OWNER, took, TWO } from './room.ts';

let room: ReturnType<typeof openRoom>;
afterEach(() => room.close());

const EPISODES = ['e1', 'e2', 'e3', 'e4'];
const open = (): void => {
  room = openRoom();
  for (const id of EPISODES) room.episode(id);
};
type At = { project: string; queue: string };
const itemsOf = async (at: At) =>
  (await room.as(OWNER)('queue.items', { ...at, show: 'all', offset: 0, limit: 100 })).items;
const queueOf = async (at: At) => (await room.project(OWNER, at.project)).queues[0];

describe('many items of a queue', () => {
  it('are given to reviewers in turn, each then having as many as the others', async () => {
    open();
    const at = await room.queue(EPISODES);
    const items = (await itemsOf(at)).map(({ item }) => item);

    const { changed } = await room.as(OWNER)('queue.assign_many', {
      ...at,
      items,
      reviewers: [ONE.seat, TWO.seat],
      each: 1,
    });

    expect(changed).toBe(4);
    expect((await itemsOf(at)).map(({ reviewers }) => reviewers)).toEqual([
      [ONE.seat],
      [TWO.seat],
      [ONE.seat],
      [TWO.seat],
    ]);
    expect((await queueOf(at))?.progress.reviewers.map(({ seat, assigned }) => [seat, assigned])).toEqual([
      [ONE.seat, 2],
      [TWO.seat, 2],
    ]);
    await room.as(OWNER)('queue.assign_many', { ...at, items, reviewers: [], each: 1 });
    expect((await itemsOf(at)).every(({ reviewers }) => reviewers.length === 0)).toBe(true);
  });

  it('may go to somebody the queue was not made for, who is then let in', async () => {
    open();
    const at = await room.queue(['e1', 'e2'], { seats: [ONE.seat] });
    await expect(room.as(TWO)('queue.next', at)).rejects.toMatchObject({
      code: 'unauthorized',
    });
    const [first] = await itemsOf(at);
    const items = [first?.item ?? ''];

    await room.as(OWNER)('queue.assign_many', { ...at, items, reviewers: [TWO.seat], each: 1 });

    // Whose outcome is kept back follows whom an item is for.
    expect(room.log.projections.isOutcomeCovered('seat-three', 'e2')).toBe(false);
    const [, second] = await itemsOf(at);
    await room.as(OWNER)('queue.assign_many', {
      ...at,
      items: [second?.item ?? ''],
      reviewers: [],
      each: 1,
    });
    expect(room.log.projections.isOutcomeCovered('seat-three', 'e2')).toBe(true);

    expect((await room.as(TWO)('queue.next', at)).item).toBe(first?.item);
    expect((await room.as(TWO)('project.list', {})).projects[0]?.queues[0]?.free).toBe(1);
  });

  it('come to a queue later too, each once, and go on to the reviewers whose turn it is', async () => {
    open();
    const at = await room.queue(['e1'], { seats: [ONE.seat, TWO.seat], reviewers_per_item: 1 });

    const added = await room.as(OWNER)('queue.add', { ...at, episodes: ['e1', 'e2', 'e3', 'e2'] });

    expect(added).toEqual({ added: 2, present: 1 });
    expect((await itemsOf(at)).map(({ subject, reviewers }) => [subject, reviewers])).toEqual([
      [{ type: 'episode', episode: 'e1' }, [ONE.seat]],
      [{ type: 'episode', episode: 'e2' }, [TWO.seat]],
      [{ type: 'episode', episode: 'e3' }, [ONE.seat]],
    ]);
    await expect(room.as(OWNER)('queue.add', { ...at, episodes: ['e4', 'nobody'] })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await itemsOf(at)).toHaveLength(3);
    await expect(room.as(ONE)('queue.add', { ...at, episodes: ['e4'] })).rejects.toMatchObject({
      code: 'unauthorized',
    });
  });
});

describe('what the agent should have done', () => {
  const correct = (tool: string) =>
    ({ type: 'move', move: { type: 'call_tool', tool_name: tool, arguments: { id: 1 } } }) as const;
  const review = async (at: At, caller: Caller, tool: string, comment: string): Promise<string> => {
    const { item } = await room.as(caller)('queue.next', at);
    const here = { ...at, item: item ?? '', timing: took(5) };
    const loadText = { on: 'trajectory', episode: 'e1' } as const;
    await room.as(caller)('annotation.give', {
      as: 'correction',
      ...here,
      target: { on: 'call', episode: 'e1', turn: 2 },
      correct: correct(tool),
      reason: null,
    });
    const outcome = { type: 'category', option: 'no' } as const;
    const said = { ...here, target: loadText };
    await room.as(caller)('annotation.give', { as: 'value', ...said, dimension: 'outcome', value: outcome });
    await room.as(caller)('annotation.give', {
      as: 'value',
      ...said,
      dimension: 'note',
      value: { type: 'free_text', text: comment },
    });
    await room.as(caller)('queue.leave', { as: 'done', ...here });
    return item ?? '';
  };

  it('is decided where reviewers differ: one of theirs, another, or none; remarks may be, but need not', async () => {
    open();
    const at = await room.queue(['e1']);
    const item = await review(at, ONE, 'find_workflow', 'It never looked.');
    await review(at, TWO, 'rename_workflow', 'Wrong id.');
    const here = { ...at, item };

    const { conflicts, row } = await room.as(OWNER)('annotation.conflicts', here);
    expect(conflicts.map(({ dimension, is_open_question: open }) => [dimension, open])).toEqual([
      ['note', false],
      [CORRECTION, true],
    ]);
    expect(row.conflicts).toEqual({ all: 1, open: 1 });
    const asked = conflicts[1];
    if (asked === undefined) throw new Error('two differ');
    expect(asked.corrections.map(({ reviewer }) => reviewer)).toEqual([ONE.seat, TWO.seat]);

    const decide = { ...here, target: asked.target, dimension: CORRECTION, reason: null, timing: NO_TIME };
    await expect(
      room.as(OWNER)('annotation.adjudicate', { ...decide, value: { type: 'category', option: 'x' } }),
    ).rejects.toMatchObject({ code: 'bad_input' });
    await room.as(OWNER)('annotation.adjudicate', { ...decide, value: null, correct: null });
    await room.as(OWNER)('annotation.adjudicate', { ...decide, value: null, correct: correct('list_tags') });

    const after = await room.as(OWNER)('annotation.conflicts', here);
    expect(after.row.conflicts).toEqual({ all: 1, open: 0 });
    expect(after.conflicts[1]?.adjudication).toMatchObject({ correct: correct('list_tags') });
    const { lines } = await room.as(OWNER)('annotation.export', { ...at, offset: 0, limit: 100 });
    const decided = lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ type }) => type === 'adjudication');
    expect(decided).toMatchObject([{ dimension: CORRECTION, correct: correct('list_tags') }]);
  });
});
