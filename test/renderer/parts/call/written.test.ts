import { describe, expect, it } from 'vitest';
import { moveFromDraft } from '../../../../src/renderer/parts/call/moves.ts';
import { callDoneText } from '../../../../src/renderer/parts/call/useCallDecision.ts';
import { notChosen, writtenWrongs, writtenFrom } from '../../../../src/renderer/parts/call/writtenCall.ts';

const TOOLS = ['foo', 'bar'].map((name) => ({
  name,
  description: '',
  input_schema: { type: 'object', properties: { x: { type: 'integer' } } },
}));

describe('a tool that is typed and not chosen', () => {
  const typed = { ...writtenFrom('foo', { x: 9 }), sought: 'nosuch' };

  it('is said to be wrong, so that the call it stands over is never made in its place', () => {
    expect(writtenWrongs(typed, TOOLS)).toEqual([{ path: '', kind: 'unfit', message: notChosen(typed) }]);
    expect(notChosen(typed)).toContain('“nosuch” is typed as the tool');
    const move = { type: 'call_tool' as const, written: typed, say: '', final: '' };
    for (const isUnchecked of [false, true])
      expect(moveFromDraft(move, TOOLS, isUnchecked)).toEqual({ move: null, problem: notChosen(typed) });
  });

  it('is nothing once it is what was chosen, or taken back', () => {
    for (const sought of ['', ' ', 'foo']) expect(notChosen({ ...typed, sought })).toBeNull();
  });
});

it('says who hears of a changed call: an agent of our own, not a client’s', () => {
  expect(callDoneText('edited', { is_tapped: false })).toBe(
    'Edited call sent; the agent is told what changed',
  );
  expect(callDoneText('edited', { is_tapped: true })).toBe('Edited call sent; the turn is marked as edited');
});
