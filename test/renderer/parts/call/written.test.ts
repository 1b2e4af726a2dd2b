import { describe, expect, it } from 'vitest';
import {
  canSendUnchecked,
  emptyMove,
  failureNow,
  moveFromDraft,
} from '../../../../src/renderer/parts/call/moves.ts';
import { notChosen, writtenFrom, writtenWrongs } from '../../../../src/renderer/parts/call/writtenCall.ts';

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

describe('a move that was refused', () => {
  const tools = [
    {
      name: 'go',
      description: '',
      input_schema: { type: 'object', properties: { to: { enum: ['N', 'S'] } }, required: ['to'] },
    },
  ];
  const empty = emptyMove(tools);
  const written = (raw: string) => ({ ...empty, written: { ...empty.written, raw } });
  const refused = (draft: typeof empty) => ({
    code: 'bad_input' as const,
    message: moveFromDraft(draft, tools, false).problem ?? '',
    next: null,
  });

  it('can be sent unchecked only where there are arguments to send', () => {
    expect(canSendUnchecked(written('{"to": "SIDEWAYS"}'), tools)).toBe(true);
    for (const raw of ['{oops', '[1,2]', 'null']) expect(canSendUnchecked(written(raw), tools)).toBe(false);
    expect(canSendUnchecked({ ...empty, type: 'final' }, tools)).toBe(false);
  });

  it('is not said to be wrong any more once what was missing is given', () => {
    expect(failureNow(refused(empty), empty, empty, tools)?.message).toMatch('do not fit');
    const chosen = { ...empty, written: { ...empty.written, args: { to: 'N' } } };
    expect(failureNow(refused(empty), empty, chosen, tools)).toBeNull();
  });

  it('does not repeat what stands at the arguments', () => {
    const draft = written('{oops');
    const { message } = refused(draft);
    expect(message).toMatch(/^Not JSON yet/);
    expect(failureNow(refused(draft), draft, draft, tools)?.message).toBe(
      'The arguments are not a JSON object.',
    );
  });

  it('still says why the environment’s side refused it, until it is changed', () => {
    const closed = { code: 'closed' as const, message: 'the episode is over', next: null };
    const unfit = written('{"to": "SIDEWAYS"}');
    expect(failureNow(closed, unfit, unfit, tools)).toEqual(closed);
    const fitting = written('{"to": "N"}');
    expect(failureNow(closed, fitting, fitting, tools)).toEqual(closed);
    expect(failureNow(closed, unfit, fitting, tools)).toBeNull();
  });
});
