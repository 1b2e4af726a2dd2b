import { afterEach, describe, expect, it } from 'vitest';
import type { PrelabelRow } from '../../src/shared/contract/annotate.ts';
import { createScriptedLlm } from '../support/scriptedLlm.ts';
import { openRoom, NO_TIME, ONE, OWNER } from './room.ts';

let room: ReturnType<typeof openRoom>;
afterEach(() => room.close());

const REPLY = `<think>Hm.</think>Here you are:
{"suggestions": [
  {"dimension": "step_reward", "turn": 2, "value": "bad", "why": "It renames the first."},
  {"dimension": "failure", "turn": 2, "value": ["wrong_arguments"], "why": "The id is wrong."},
  {"dimension": "failure", "turn": 9, "value": ["no_check"], "why": "There is no turn 9."},
  {"dimension": "outcome", "turn": null, "value": "maybe", "why": "No such option."},
  {"dimension": "quality", "turn": null, "value": 2, "why": "Poor."},
  "nonsense"
]}`;

describe('labels suggested by a model', () => {
  it('are drafts: kept apart, and recorded as accepted, fixed or rejected by what the reviewer does', async () => {
    const llm = createScriptedLlm([{ content: REPLY, model: 'judge-1' }]);
    room = openRoom(':memory:', llm);
    room.episode('e1');
    const at = await room.queue(['e1']);
    const { item } = await room.as(ONE)('queue.next', { ...at, after: null });
    const here = { ...at, item: item ?? '' };

    expect(await room.as(OWNER)('annotation.suggest', here)).toEqual({ suggested: 3 });
    const { prelabels, annotations } = await room.as(ONE)('queue.open', here);
    expect(annotations).toEqual([]);
    expect(prelabels.map(({ dimension, model, outcome }) => [dimension, model, outcome])).toEqual([
      ['step_reward', 'judge-1', null],
      ['failure', 'judge-1', null],
      ['quality', 'judge-1', null],
    ]);
    const [first, second, third] = prelabels;
    if (first === undefined || second === undefined || third === undefined)
      throw new Error('three are there');
    const give = { ...here, timing: NO_TIME };
    await room.as(ONE)('annotation.give', { ...give, ...only(first), value: first.value });
    await room.as(ONE)('annotation.give', {
      ...give,
      ...only(second),
      value: { type: 'label', options: ['wrong_tool'] },
    });
    await room.as(ONE)('annotation.reject_prelabel', { ...give, prelabel: third.prelabel });

    const after = await room.as(ONE)('queue.open', here);
    expect(after.prelabels.map(({ outcome }) => outcome)).toEqual(['accepted', 'fixed', 'rejected']);
    const { queues } = await room.project(OWNER, at.project);
    expect(queues[0]?.prelabels).toEqual({ accepted: 1, fixed: 1, rejected: 1, open: 0 });
    // The model is told what was done, never how it went.
    const asked = llm.requests[0]?.messages[0]?.content ?? '';
    expect(asked).toContain('rename_workflow');
    expect(asked).not.toMatch(/complete|others|reward_type/);
  });

  it('are not offered without a model, and a reply that fits nothing is a failure with a name', async () => {
    room = openRoom(':memory:', createScriptedLlm([{ content: 'I cannot.' }]));
    room.episode('e1');
    const at = await room.queue(['e1']);
    const { item } = await room.as(OWNER)('queue.next', { ...at, after: null });
    const here = { ...at, item: item ?? '' };
    await expect(room.as(OWNER)('annotation.suggest', here)).rejects.toMatchObject({ code: 'model_empty' });
    expect((await room.as(OWNER)('queue.open', here)).prelabel_failure).toMatchObject({
      code: 'model_empty',
    });
    room.close();

    room = openRoom();
    room.episode('e1');
    const without = await room.queue(['e1']);
    const next = await room.as(OWNER)('queue.next', { ...without, after: null });
    const there = { ...without, item: next.item ?? '' };
    expect((await room.as(OWNER)('queue.open', there)).can_suggest).toBe(false);
    await expect(room.as(OWNER)('annotation.suggest', there)).rejects.toMatchObject({
      code: 'model_not_configured',
    });
  });
});

const only = ({ target, dimension, prelabel }: PrelabelRow) => ({ target, dimension, prelabel });
