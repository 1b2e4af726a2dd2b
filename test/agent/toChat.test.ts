import { describe, expect, it } from 'vitest';
import { toChat } from '../../src/main/agent/toChat.ts';
import type { Message } from '../../src/shared/episode/record.ts';
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
const chat = (...messages: Partial<Message>[]) => toChat(messages.map(message), textHead);

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
