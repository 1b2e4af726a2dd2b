import { expect, it } from 'vitest';
import { standingOf } from '../../../src/renderer/parts/episode/facts.ts';
import { twinMarks } from '../../../src/renderer/parts/episode/twinMarks.ts';
import { phaseLabel } from '../../../src/renderer/views/live/phaseLabel.ts';
import { holdItems } from '../../../src/shared/episode/holds.ts';
import { ruleText } from '../../../src/shared/episode/ruleText.ts';
import { SYSTEM } from '../../../src/shared/events/actor.ts';
import { episode, EXPERT, TAKEN_OVER } from './episodes.ts';

const held = () => {
  const builder = episode().open();
  builder.turn({ type: 'call_tool', tool_name: 'get_order', arguments: { order_id: 1 } });
  return builder.add(SYSTEM, {
    kind: 'call.held',
    call: 'k1',
    turn: 1,
    why: 'rule',
    rule: '*: ask',
    deadline_at: null,
    fallback: 'wait',
  });
};

it('a held call waits for approval in every place that names its state, also after a take-over', () => {
  const record = held().record();
  expect(standingOf(record).label).toBe('Waiting for approval');
  expect(phaseLabel(record, 'seat-1').label).toBe('Waiting for approval');
  const taken = held().add(EXPERT, TAKEN_OVER).record();
  expect(taken.status).toBe('waiting');
  expect(standingOf(taken).label).toBe('Waiting for approval');
  expect(standingOf(episode().open().add(EXPERT, TAKEN_OVER).record()).label).toBe('Person acting');
});

it('the rule that holds a call reads as people say it', () => {
  expect(holdItems(held().record())[0]?.why).toBe('needs approval (rule: every call)');
  expect(ruleText('pay_*: ask')).toBe('every call of pay_*');
  expect(ruleText('pay_* with amount: first 3')).toBe('the first 3 calls of pay_* with amount');
  expect(ruleText('*: escalate after 2, 1 so far')).toBe('every call after 2 failures, 1 so far');
  expect(ruleText('no rule fits')).toBe('no rule fits');
});

it('repeats of one task are told apart by the end of their ids, and a lone episode needs none', () => {
  const of = (episode: string, task_idx = 0) => ({ episode, scenario: 'shop', task_idx });
  const marks = twinMarks([of('e-1aaaa'), of('e-2aaaa'), of('e-3bbbb'), of('e-4cccc', 1), of('e-3bbbb')]);
  expect(Object.fromEntries(marks)).toEqual({
    'e-1aaaa': '1aaaa',
    'e-2aaaa': '2aaaa',
    'e-3bbbb': '3bbbb',
  });
});
