import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Caller, Inputs } from '../../src/shared/contract/contract.ts';
import { HUMAN } from '../support/log.ts';
import { NO_TIME, ONE, openRoom, OWNER, TWO } from './room.ts';

const SECRET = 'Mrs. Example of Sample Street';

let room: ReturnType<typeof openRoom>;
beforeEach(() => {
  room = openRoom();
  for (const id of ['e1', 'e2']) room.episode(id);
});
afterEach(() => room.close());

type At = { project: string; queue: string; item: string };

/** A reviewer says it in a correction, its reason and a remark. */
async function review(caller: Caller, at: At, episode: string): Promise<void> {
  const act = room.as(caller);
  const target = { on: 'call' as const, episode, turn: 2 };
  const move = {
    type: 'call_tool' as const,
    tool_name: 'rename_workflow',
    arguments: { [SECRET]: `of ${episode}` },
  };
  await act('annotation.give', {
    as: 'correction',
    ...at,
    target,
    correct: { type: 'move', move },
    reason: `It is ${SECRET} in ${episode}.`,
    timing: NO_TIME,
  });
  const given: Pick<Extract<Inputs['annotation.give'], { as: 'value' }>, 'target' | 'dimension' | 'value'>[] =
    [
      {
        target: { on: 'trajectory', episode },
        dimension: 'outcome',
        value: { type: 'category', option: 'no' },
      },
      {
        target: { on: 'trajectory', episode },
        dimension: 'note',
        value: { type: 'free_text', text: `Names ${SECRET} of ${episode}.` },
      },
    ];
  for (const one of given) await act('annotation.give', { as: 'value', ...at, ...one, timing: NO_TIME });
}

async function reviewed(): Promise<{ project: string; queue: string }> {
  const at = await room.queue(['e1', 'e2'], { is_blind: false });
  const { items } = await room.as(OWNER)('queue.items', {
    project: at.project,
    queue: at.queue,
    show: 'all',
    offset: 0,
    limit: 10,
  });
  for (const { item, subject } of items)
    if (subject.type === 'episode') await review(ONE, { ...at, item }, subject.episode);
  return at;
}

const told = (): string =>
  room.log
    .streams('annotate/')
    .map((stream) => JSON.stringify(room.log.read(stream)))
    .join('\n');

describe('erasing an episode that was reviewed', () => {
  it('takes what reviewers wrote about it out of annotation projects, and leaves their labels and other episodes', async () => {
    const at = await reviewed();
    const before = await room.as(OWNER)('annotation.export', { project: at.project, offset: 0, limit: 100 });
    const erased = room.log.erase('e1', null, HUMAN, 'a name in it');
    const after = await room.as(OWNER)('annotation.export', { project: at.project, offset: 0, limit: 100 });

    expect(erased.judgements).toBe(2);
    expect(told()).not.toContain('of e1');
    expect(told()).not.toContain('in e1.');
    expect(told()).toContain(`Names ${SECRET} of e2.`);
    expect(told()).toContain(`It is ${SECRET} in e2.`);
    expect(told()).toMatch(/\[erased sha256:[0-9a-f]{64}\]/);
    // What is held of the projects is read anew; choices and their number stay.
    expect(JSON.stringify(after)).not.toContain('of e1');
    expect(after.total).toBe(before.total);
    expect(JSON.stringify(after)).toContain('option\\":\\"no');
  });

  it('takes one text out of what was written about it, where it stands nowhere in the episode too', async () => {
    await reviewed();
    const erased = room.log.erase('e1', SECRET, HUMAN, 'a name');

    expect(erased).toMatchObject({ events: 0, judgements: 2 });
    expect(told()).toMatch(/Names \[erased sha256:[0-9a-f]{64}\] of e1\./);
    expect(told()).toContain(`Names ${SECRET} of e2.`);
  });

  it('takes a proposed move out of the decision points made from it', async () => {
    const at = await reviewed();
    await room.as(OWNER)('queue.make', {
      project: at.project,
      name: 'Which move',
      reviewers_per_item: 1,
      seats: [],
      is_blind: true,
      hides_outcome: true,
      lease_minutes: 10,
      from: { type: 'corrections' },
    });
    expect(told()).toContain('of e1');
    room.log.erase('e1', null, HUMAN, null);

    expect(told()).not.toContain('of e1');
    const project = await room.project(TWO, at.project);
    expect(project.queues).toHaveLength(2);
  });
});
