import { describe, expect, it } from 'vitest';
import { toChat } from '../../src/main/agent/toChat.ts';
import type { Message, Turn } from '../../src/shared/episode/record.ts';
import { textHead } from '../../src/shared/events/text.ts';

const message = (more: Partial<Message>): Message => ({
  role: 'user',
  content: '',
  turn: 0,
  n: 0,
  origin: 'prompt',
  toolCalls: [],
  toolCallId: null,
  name: null,
  segments: [],
  full_length: 0,
  ...more,
});
const call = (id: string, name = 'find', args = '{}') => ({ id, name, arguments: args });
const chat = (...messages: Partial<Message>[]) =>
  toChat({ messages: messages.map(message), turns: [] }, 'native', textHead);

describe('the conversation as a model gets it', () => {
  it('leaves out the calls that were not carried out, so that every call has its response', () => {
    const [reply] = chat(
      { role: 'assistant', toolCalls: [call('a'), call('b'), call('c')] },
      { role: 'tool', content: 'found', toolCallId: 'a' },
    );

    expect(reply).toMatchObject({ toolCalls: [call('a')] });
  });

  it('does not take an old response for an answer when a server numbers its calls anew each turn', () => {
    const messages = chat(
      { role: 'assistant', toolCalls: [call('0')] },
      { role: 'tool', content: 'one', toolCallId: '0' },
      { role: 'assistant', content: 'hm', toolCalls: [call('0')] },
      { role: 'user', content: 'Error: …' },
    );

    expect(messages[2]).toEqual({ role: 'assistant', content: 'hm', toolCalls: [] });
  });

  it('keeps the words of arguments that would make a server refuse the conversation', () => {
    const [reply] = chat(
      { role: 'assistant', toolCalls: [call('a', 'find user!', '{"q": ')] },
      { role: 'tool', content: 'Error: …', toolCallId: 'a', name: 'find user!' },
    );

    expect(reply).toMatchObject({
      toolCalls: [{ id: 'a', name: 'find_user_', arguments: '{"unreadable":"{\\"q\\": "}' }],
    });
  });

  it('makes one message of neighbouring user messages', () => {
    expect(chat({ content: 'response' }, { content: 'a note' })).toEqual([
      { role: 'user', content: 'response\n\na note' },
    ]);
  });

  it('has no empty reply in it', () => {
    expect(
      chat(
        { content: 'task' },
        { role: 'assistant', content: ' ' },
        { content: 'Error: your reply was empty' },
      ),
    ).toHaveLength(1);
  });
});

describe('reasoning in the conversation', () => {
  const thinking = (turn: number, from: string): Turn =>
    ({ turn, reasoning: `thought ${String(turn)}`, thought: { field: 'reasoning', from } }) as Turn;
  const reply = (turn: number, content = 'so'): Partial<Message> => ({ role: 'assistant', turn, content });
  const thoughts = (messages: readonly Partial<Message>[], turns: Turn[]): (string | null)[] =>
    toChat({ messages: messages.map(message), turns }, 'native', textHead).flatMap((one) =>
      one.role === 'assistant' ? [one.thought?.value ?? null] : [],
    );

  it('stands beside the replies since somebody last spoke to the model', () => {
    const turns = [1, 2, 3].map((turn) => thinking(turn, 'm'));

    expect(thoughts([{}, reply(1), reply(2), {}, reply(3)], turns)).toEqual([null, null, 'thought 3']);
    expect(thoughts([{}, reply(1), reply(2), reply(3)], turns)).toEqual(
      turns.map(({ reasoning }) => reasoning),
    );
  });

  it('is of the last model alone where an episode went on with another', () => {
    const turns = [thinking(1, 'm'), thinking(2, 'other'), thinking(3, 'm')];

    expect(thoughts([{}, reply(1), reply(2), reply(3)], turns)).toEqual([null, null, 'thought 3']);
  });

  it('among the words is left out with the rest of it', () => {
    const words = '<think>thought 1</think>\n\nHello.';
    const turns = [{ turn: 1, reasoning: null, thought: { field: 'content', from: 'm' } } as Turn];
    const [, said, , last] = toChat(
      { messages: [{}, reply(1, words), {}, reply(9, 'No thought.')].map(message), turns },
      'native',
      textHead,
    );

    expect(said).toEqual({ role: 'assistant', content: 'Hello.', toolCalls: [] });
    expect(last).toEqual({ role: 'assistant', content: 'No thought.', toolCalls: [] });
  });
});

describe('a native call where calls are tags', () => {
  const xml = (...messages: Partial<Message>[]) =>
    toChat({ messages: messages.map(message), turns: [] }, 'xml', textHead);

  it('is read as the text it should have been, digit by digit, its result as words', () => {
    const args = '{"id": 9007199254740993, "sum": 1.10}';

    expect(
      xml(
        {
          role: 'assistant',
          content: 'I look.',
          toolCalls: [call('a', 'find', args), call('b', 'ask_expert', '')],
        },
        { role: 'tool', content: 'found', toolCallId: 'a' },
      ),
    ).toEqual([
      {
        role: 'assistant',
        content:
          'I look.\n' +
          `<tool_call>\n{"name":"call_tool","arguments":{"tool_name":"find","arguments":${args}}}\n</tool_call>\n` +
          '<tool_call>\n{"name":"ask_expert","arguments":{}}\n</tool_call>',
        toolCalls: [],
      },
      { role: 'user', content: 'Tool response:\nfound' },
    ]);
  });
});
