import { describe, expect, it } from 'vitest';
import { Completion, createCollector } from '../../src/main/llm/completion.ts';
import type { LlmReply } from '../../src/main/llm/port.ts';

const collect = (...answers: unknown[]): LlmReply => {
  const collector = createCollector({
    provider: 'openai',
    baseUrl: 'http://m/v1',
    apiKey: null,
    model: 'm',
    apiVersion: null,
  });
  for (const answer of answers) collector.add(Completion.parse(answer));
  return collector.reply();
};
const delta = (tool_calls: unknown[]): unknown => ({ choices: [{ delta: { tool_calls } }] });
const whole = (message: unknown): unknown => ({ choices: [{ message, finish_reason: 'stop' }] });

describe('calls in a stream', () => {
  it('are told apart by their index', () => {
    const reply = collect(
      delta([{ index: 0, id: 'a', function: { name: 'one', arguments: '' } }]),
      delta([{ index: 1, id: 'b', function: { name: 'two', arguments: '{"x"' } }]),
      delta([{ index: 0, function: { arguments: '{}' } }]),
      delta([{ index: 1, function: { arguments: ':1}' } }]),
    );

    expect(reply.toolCalls).toEqual([
      { id: 'a', name: 'one', arguments: '{}' },
      { id: 'b', name: 'two', arguments: '{"x":1}' },
    ]);
  });

  it('are told apart when a server numbers them all the same, or not at all', () => {
    const sameIndex = collect(
      delta([{ index: 0, id: 'a', function: { name: 'one', arguments: '{}' } }]),
      delta([{ index: 0, id: 'b', function: { name: 'two', arguments: '{}' } }]),
    );
    const noIndex = collect(
      delta([{ id: 'a', function: { name: 'one', arguments: '{"x":' } }]),
      delta([{ function: { arguments: '1}' } }]),
      delta([{ id: 'b', function: { name: 'two', arguments: '{}' } }]),
    );

    expect(sameIndex.toolCalls.map(({ name }) => name)).toEqual(['one', 'two']);
    expect(noIndex.toolCalls).toEqual([
      { id: 'a', name: 'one', arguments: '{"x":1}' },
      { id: 'b', name: 'two', arguments: '{}' },
    ]);
  });
});

describe('what some servers write', () => {
  it('as arguments in an object, without an id, is a call like any other', () => {
    const reply = collect(
      whole({ content: null, tool_calls: [{ function: { name: 'one', arguments: { x: 1 } } }] }),
    );

    expect(reply.toolCalls).toEqual([{ id: 'call_0', name: 'one', arguments: '{"x":1}' }]);
  });

  it('as function_call is a call too', () => {
    const reply = collect(whole({ content: '', function_call: { name: 'one', arguments: '{}' } }));

    expect(reply.toolCalls).toEqual([{ id: 'call_0', name: 'one', arguments: '{}' }]);
  });

  it('as a list of parts is text', () => {
    expect(
      collect(
        whole({
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b' },
          ],
        }),
      ).content,
    ).toBe('ab');
  });
});

describe('reasoning', () => {
  const thoughtOf = ({ reasoning, thought, reasoningDetails: details }: LlmReply) => ({
    reasoning,
    field: thought?.field ?? null,
    ...(details === undefined ? {} : { details: JSON.parse(details) as unknown }),
  });

  it('keeps the name that it came under, whichever the server uses', () => {
    const told = [
      { reasoning_content: 'so' },
      { reasoning_content: '', reasoning: 'so' },
      { content: '<think>so</think>Yes.' },
      { content: 'so</think>Yes.' },
    ].map((message) => thoughtOf(collect(whole({ content: 'Yes.', ...message }))));

    expect(told).toEqual([
      { reasoning: 'so', field: 'reasoning_content' },
      { reasoning: 'so', field: 'reasoning' },
      { reasoning: null, field: 'content' },
      { reasoning: null, field: 'content' },
    ]);
    expect(thoughtOf(collect(whole({ content: 'Yes.' })))).toEqual({ reasoning: null, field: null });
    expect(thoughtOf(collect(whole({ content: 'Write <think> first.' }))).field).toBeNull();
  });

  it('in details is kept as it came, put together where it came in pieces', () => {
    const details = [
      { type: 'reasoning.text', text: 'first the tags', signature: 'c2ln', index: 0 },
      { type: 'reasoning.encrypted', data: 'AAAB', format: null, index: 1 },
    ];
    const piece = (detail: object): unknown => ({ choices: [{ delta: { reasoning_details: [detail] } }] });

    const atOnce = collect(whole({ content: 'Yes.', reasoning_details: details }));
    const inPieces = collect(
      piece({ type: 'reasoning.text', text: 'first ', signature: null, index: 0 }),
      piece({ type: 'reasoning.text', text: 'the tags', index: 0 }),
      piece({ type: 'reasoning.text', signature: 'c2ln', index: 0 }),
      piece({ type: 'reasoning.encrypted', data: 'AA', format: null, index: 1 }),
      piece({ type: 'reasoning.encrypted', data: 'AB', index: 1 }),
      { choices: [{ delta: { content: 'Yes.' } }] },
    );

    const expected = { reasoning: 'first the tags', field: 'reasoning_details', details };
    expect(thoughtOf(atOnce)).toEqual(expected);
    expect(thoughtOf(inPieces)).toEqual(expected);
  });
});
