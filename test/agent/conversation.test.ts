import { describe, expect, it } from 'vitest';
import { createConversation, type Delivery } from '../../src/main/agent/conversation.ts';
import { parsePlan } from '../../src/shared/plan.ts';
import { shippedPrompts } from '../support/prompts.ts';

const prompts = shippedPrompts();
const TOOLS = [
  {
    name: 'create_post',
    description: 'Creates a post.\n\n### Responses\n\n**200**: ok',
    input_schema: {
      type: 'object',
      title: 'CreatePost',
      properties: {
        title: { type: 'string', title: 'Title', example: 'Hello' },
        kind: { type: 'string', enum: ['example', 'title'], default: 'title' },
      },
      required: ['title'],
    },
  },
  { name: 'list.all things', description: '', input_schema: {} },
];
const conversation = (protocol: 'native' | 'xml', canAsk = true, deliveredChars = 1_000) =>
  createConversation({ prompts, protocol, canAsk, deliveredChars });
const toNative = { nativeCallId: 'c1', calledName: 'create_post', ignoredCalls: 0 };
const segment = ({ content, segments }: Delivery, type: string): string[] =>
  segments.filter((s) => s.type === type).map(({ start, end }) => content.slice(start, end));

describe.each(['native', 'xml'] as const)('the %s prompt', (protocol) => {
  it('is the same whether or not there is an expert, but for one paragraph', () => {
    const [withExpert] = conversation(protocol, true).opening({ task: 't', tools: TOOLS });
    const [without] = conversation(protocol, false).opening({ task: 't', tools: TOOLS });
    const paragraph = protocol === 'native' ? prompts.askNative.text : prompts.askXml.text;

    expect(withExpert?.content).toContain(paragraph);
    expect(withExpert?.content.replace(`\n${paragraph}`, '')).toBe(without?.content);
    expect(without?.content).not.toContain('ask_expert');
    expect(without?.content).not.toContain('expert');
  });

  it('gives the task word for word', () => {
    const task = 'Post "{title}" for $& and \\1.\n```\nx\n```';

    expect(conversation(protocol).opening({ task, tools: TOOLS })[1]).toMatchObject({
      role: 'user',
      content: task,
      origin: 'prompt',
    });
  });
});

describe('what is offered natively', () => {
  it('is the environment’s tools without noise, list_tools, and ask_expert only where there is an expert', () => {
    const offered = conversation('native').offered(TOOLS);

    expect(offered.map(({ name }) => name)).toEqual([
      'create_post',
      'list_all_things',
      'list_tools',
      'ask_expert',
    ]);
    expect(offered[0]).toEqual({
      name: 'create_post',
      description: 'Creates a post.',
      input_schema: {
        type: 'object',
        properties: {
          title: { type: 'string' },
          kind: { type: 'string', enum: ['example', 'title'], default: 'title' },
        },
        required: ['title'],
      },
    });
    expect(
      conversation('native', false)
        .offered(TOOLS)
        .map(({ name }) => name),
    ).toEqual(['create_post', 'list_all_things', 'list_tools']);
  });

  it('has names a native call can carry, all different, and none that is taken', () => {
    const tools = ['a.b', 'a b', 'a_b', 'ask_expert', 'x'.repeat(80), `${'x'.repeat(79)}y`, 'é'].map(
      (name) => ({ name, description: '', input_schema: {} }),
    );

    const names = conversation('native')
      .offered(tools)
      .map(({ name }) => name);

    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain('a_b');
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  });
});

describe('a text over the limit', () => {
  it('is never cut inside a character', () => {
    const delivery = conversation('native', true, 5).toolResponse(
      toNative,
      { text: '1234😀678', error: null },
      [],
    );

    expect(segment(delivery, 'environment')).toEqual(['1234']);
  });
});

describe('what an ask came to', () => {
  it.each([
    ['declined', 'Try harder first.'],
    ['timed_out', ''],
    ['nobody', ''],
  ] as const)('is never an error and never advice when it is %s', (as, text) => {
    const delivery = conversation('native').advice(toNative, { as, text }, []);

    expect(delivery.origin).toBe('notice');
    expect(delivery.content).toMatch(/^No advice: /);
    expect(delivery.content).toContain(text);
    expect(delivery.content).not.toMatch(/error/i);
    expect(parsePlan(delivery.content).form).toBe('none');
  });
});

describe('a refusal', () => {
  it.each([
    ['reserved', 'verify'],
    ['unknown_tool', 'nope'],
    ['budget', 'ask_expert'],
    ['condition', 'ask_expert'],
  ] as const)('for %s tells the agent why and what it can do', (reason, toolName) => {
    const delivery = conversation('native').refused(toNative, { reason, toolName }, []);

    expect(delivery).toMatchObject({ role: 'tool', toolCallId: 'c1', origin: 'notice' });
    expect(delivery.content).toMatch(
      reason === 'reserved' || reason === 'unknown_tool' ? /^Error: / : /^No advice: /,
    );
    expect(delivery.content).toContain(toolName === 'ask_expert' ? 'final answer' : toolName);
  });
});
