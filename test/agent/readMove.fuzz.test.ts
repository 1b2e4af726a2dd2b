import { describe, expect, it } from 'vitest';
import { readMove } from '../../src/main/agent/readMove.ts';
import { textHead } from '../../src/shared/events/text.ts';
import type { LlmReply } from '../../src/main/llm/port.ts';

const TOOLS = [{ name: 'add_member', description: '', input_schema: {} }];
const read = (content: string, stopReason = 'stop') => {
  const reply: LlmReply = { content, reasoning: null, toolCalls: [], model: null, stopReason, usage: null };
  return readMove(reply, { protocol: 'xml', tools: TOOLS }).move;
};

/** Chance with a fixed seed: the same replies every run. */
function chance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

const PIECES = [
  '<tool_call>',
  '</tool_call>',
  '<tool_calls>',
  '{"name":',
  '"add_member"',
  ',"arguments":',
  '{}',
  '}',
  '[',
  ']',
  '```json\n',
  '```',
  '<think>',
  '</think>',
  "'",
  '"',
  '\\',
  'words ',
  '\n',
  '<function=x>',
  '<parameter=a>',
  'null',
  '[TOOL_CALLS]',
  ',',
  '😀',
  '<arg_key>',
  '{"name":"add_member","arguments":{"a":1}}',
];

describe('whatever a model writes', () => {
  it('is read as some move, and never as a final answer when a call’s tag is in it', () => {
    const next = chance(7);
    const seen = new Set<string>();
    for (let i = 0; i < 20_000; i += 1) {
      const content = Array.from({ length: next(14) }, () => PIECES[next(PIECES.length)] ?? '').join('');
      const move = read(content, next(9) === 0 ? 'length' : 'stop');
      seen.add(move.type === 'malformed' ? move.code : move.type);
      if (move.type === 'final') expect(textHead(move.text)).not.toMatch(/<\/?tool_calls?>/);
    }
    expect([...seen].toSorted()).toEqual([
      'bad_json',
      'call_tool',
      'empty_reply',
      'empty_tag',
      'final',
      'no_call_in_tag',
      'not_a_call',
      'truncated_call',
      'truncated_reply',
      'unclosed_thinking',
      'untagged_call',
    ]);
  });

  it.each([
    ['braces', '{'.repeat(200_000)],
    ['open tags', '<tool_call>'.repeat(20_000)],
    ['spaces', ' '.repeat(300_000)],
    ['spaces before a word', `${' '.repeat(300_000)}x`],
    ['thinking in thinking', '<think>'.repeat(30_000)],
    ['fences', '```json\n{'.repeat(20_000)],
    ['quotes', '"'.repeat(200_000)],
    ['brackets in a tag', `<tool_call>${'['.repeat(100_000)}`],
    ['other tags', '<function=a>'.repeat(20_000)],
    ['parameters', `<function=a>${'<parameter=b>'.repeat(20_000)}`],
    ['a long name', `[TOOL_CALLS]${'a'.repeat(200_000)}`],
    ['empty objects', '{}'.repeat(100_000)],
    ['one call many times', '<tool_call>{"name":"add_member","arguments":{}}</tool_call>'.repeat(5_000)],
  ])('is read to the end, be it %s', (_, content) => {
    expect(() => read(content)).not.toThrow();
  });
});
