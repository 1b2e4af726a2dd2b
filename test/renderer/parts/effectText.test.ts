import { describe, expect, it } from 'vitest';
import {
  driftSentence,
  effectSummary,
  resultsFor,
  triedSentence,
  type TriedCall,
} from '../../../src/renderer/parts/preview/effectText.ts';

const ran = (text: string): TriedCall => ({
  tool_name: 'pause_workflow',
  reward_type: 'tool_call_ok',
  text,
  error: null,
});
const failed: TriedCall = {
  tool_name: 'pause_workflow',
  reward_type: 'server_error',
  text: null,
  error: 'Workflow 9 not found',
};
const call = (id: number) => ({ tool_name: 'pause_workflow', arguments: { id } });
const drifted = (turn: number) => ({ turn, tool_name: 'list_workflows', logged: 'a', again: 'b' });

describe('the words of an effect', () => {
  it('count the calls that ran and never praise the plan', () => {
    expect(effectSummary({ results: [ran('Paused')] })).toBe('1 of 1 call runs.');
    expect(effectSummary({ results: [ran('Paused'), ran('Paused')] })).toBe('2 of 2 calls run.');
    expect(effectSummary({ results: [ran('Paused')] })).not.toMatch(/work|right|correct|succe/i);
  });

  it('name the first call that fails and why', () => {
    const summary = effectSummary({ results: [ran('Paused'), failed, failed] });

    expect(effectSummary({ results: [failed] })).toBe('This call would fail.');
    expect(summary).toMatch(/^1 of 3 calls runs\. Call 2 fails: .*not found/i);
  });

  it('give what a call returned, or why it failed', () => {
    expect(triedSentence(ran('Paused until Monday\nsecond line'), call(1))).toBe('Paused until Monday.');
    expect(triedSentence(failed, call(9))).toMatch(/not found/i);
    expect(triedSentence({ ...failed, error: null, text: 'Workflow 9 not found' }, call(9))).toMatch(
      /not found/i,
    );
  });

  it('say which earlier call gave another answer, and nothing where none did', () => {
    expect(driftSentence({ drift: [] })).toBeNull();
    expect(driftSentence({ drift: [drifted(2)] })).toContain('the call of turn 2 (list_workflows)');
    expect(driftSentence({ drift: [drifted(2), drifted(3), drifted(4)] })).toContain('and so did 2 others');
  });

  it('stand at a step only while it and those before it are as they were tried', () => {
    const tried = { calls: [call(1), call(2)], result: { results: [ran('one'), ran('two')] } };

    expect(resultsFor([call(1), call(2)], tried).map((one) => one?.text)).toEqual(['one', 'two']);
    expect(resultsFor([call(1), call(3)], tried).map((one) => one?.text ?? null)).toEqual(['one', null]);
    expect(resultsFor([call(3), call(2)], tried)).toEqual([null, null]);
    expect(resultsFor([call(1)], null)).toEqual([null]);
  });
});
