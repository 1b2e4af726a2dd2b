import { describe, expect, it } from 'vitest';
import { type MoveReading, readMove } from '../../src/main/agent/readMove.ts';
import { REPLY_MAX, type LlmReply } from '../../src/main/llm/port.ts';

const tool = (name: string, properties: Record<string, unknown> = {}) => ({
  name,
  description: '',
  input_schema: { type: 'object', properties },
});
const TOOLS = [
  tool('add_member', { name: {} }),
  tool('find_user', { query: { type: 'string' }, limit: { type: 'integer' } }),
  tool('my.dotted tool'),
];

const reply = (more: Partial<LlmReply>): LlmReply => ({
  content: '',
  reasoning: null,
  toolCalls: [],
  model: null,
  stopReason: 'stop',
  usage: null,
  ...more,
});
const xml = (content: string, more: Partial<LlmReply> = {}): MoveReading =>
  readMove(reply({ content, ...more }), { protocol: 'xml', tools: TOOLS });
const native = (name: string, written: string, more: Partial<LlmReply> = {}): MoveReading =>
  readMove(reply({ toolCalls: [{ id: 'c1', name, arguments: written }], ...more }), {
    protocol: 'native',
    tools: TOOLS,
  });
/** The call as it is written in text. */
const ADD_ADA = '{"name":"add_member","arguments":{"name":"Ada"}}';
const add = { type: 'call_tool', tool_name: 'add_member', arguments: { name: 'Ada' } };

describe('a native call is read as it is meant', () => {
  it('by the tool’s own name', () => {
    expect(native('add_member', '{"name":"Ada"}')).toEqual({
      move: add,
      repairs: [],
      ignoredCalls: 0,
      nativeCallId: 'c1',
      calledName: 'add_member',
    });
  });

  it.each([
    [
      'call_tool with arguments as an object',
      'call_tool',
      { tool_name: 'add_member', arguments: { name: 'Ada' } },
      ['call_tool_meta'],
    ],
    [
      'call_tool with arguments as a string',
      'call_tool',
      { tool_name: 'add_member', arguments: '{"name":"Ada"}' },
      ['call_tool_meta', 'string_arguments'],
    ],
    [
      'call_tool with a string inside a string',
      'call_tool',
      { tool_name: 'add_member', arguments: JSON.stringify('{"name":"Ada"}') },
      ['call_tool_meta', 'string_arguments', 'nested_string_arguments'],
    ],
    [
      'call_tool with name and parameters',
      'call_tool',
      { name: 'add_member', parameters: { name: 'Ada' } },
      ['call_tool_meta', 'name_for_tool_name', 'parameters_key'],
    ],
    [
      'call_tool with the arguments beside the name',
      'call_tool',
      { tool_name: 'add_member', name: 'Ada' },
      ['call_tool_meta', 'flat_arguments'],
    ],
    ['functions. before the name', 'functions.add_member', { name: 'Ada' }, ['name_prefix']],
    ['mcp_tool_ before the name', 'mcp_tool_add_member', { name: 'Ada' }, ['name_prefix']],
    [
      'mcp_server_ and mcp_tool_ before the name',
      'mcp_server_mcp_tool_add_member',
      { name: 'Ada' },
      ['name_prefix'],
    ],
    [
      'a token of the template behind the name',
      'add_member<|channel|>json',
      { name: 'Ada' },
      ['name_prefix'],
    ],
  ])('with %s', (_, name, args, repairs) => {
    const reading = native(name, JSON.stringify(args));

    expect(reading.move).toEqual(add);
    expect(reading.repairs).toEqual(repairs);
    expect(reading.calledName).toBe(name);
  });

  it('with a prefix on the inner name of call_tool', () => {
    const reading = native(
      'mcp_tool_call_tool',
      JSON.stringify({ tool_name: 'mcp_server_add_member', arguments: { name: 'Ada' } }),
    );

    expect(reading.move).toEqual(add);
  });

  it('with no arguments, null or an empty string', () => {
    for (const written of ['', 'null', '{}', '  ']) {
      expect(native('find_user', written).move).toEqual({
        type: 'call_tool',
        tool_name: 'find_user',
        arguments: {},
      });
    }
  });

  it('under the name that stands in for one that does not fit', () => {
    expect(native('my_dotted_tool', '{}').move).toMatchObject({
      type: 'call_tool',
      tool_name: 'my.dotted tool',
    });
  });

  it('as list_tools, directly and through call_tool', () => {
    expect(native('list_tools', '').move).toEqual({ type: 'list_tools' });
    expect(native('call_tool', '{"tool_name":"list_tools"}').move).toEqual({ type: 'list_tools' });
  });

  it('as ask_expert, with its words and everything else that was written', () => {
    const args = {
      task: 'Add Ada',
      available_tools: ['add_member', 'find_user'],
      context: 'It failed.',
      urgency: 2,
    };

    expect(native('ask_expert', JSON.stringify(args)).move).toEqual({
      type: 'ask_expert',
      task: 'Add Ada',
      available_tools: 'add_member, find_user',
      context: 'It failed.',
      arguments: args,
    });
  });

  it('as ask_expert when all that was written is the question', () => {
    expect(native('ask_expert', 'Which Ada is meant?')).toMatchObject({
      move: { type: 'ask_expert', task: null, context: 'Which Ada is meant?' },
      repairs: ['bare_question'],
    });
  });

  it('when it is the first of several; the others are counted', () => {
    const calls = ['add_member', 'find_user', 'find_user'].map((name, i) => ({
      id: `c${String(i)}`,
      name,
      arguments: '{}',
    }));
    const reading = readMove(reply({ toolCalls: calls }), { protocol: 'native', tools: TOOLS });

    expect(reading).toMatchObject({ move: { tool_name: 'add_member' }, ignoredCalls: 2, nativeCallId: 'c0' });
  });

  it('when no such tool exists: the environment is to say so', () => {
    expect(native('delete_everything', '{"a":1}').move).toEqual({
      type: 'call_tool',
      tool_name: 'delete_everything',
      arguments: { a: 1 },
    });
  });

  it('when it asks for a reserved tool: that is for the gate to refuse', () => {
    expect(native('verify', '{}').move).toMatchObject({ type: 'call_tool', tool_name: 'verify' });
  });

  it('from tags in the text, when the model wrote it there', () => {
    const content = `<tool_call>${ADD_ADA}</tool_call>`;
    const reading = readMove(reply({ content }), { protocol: 'native', tools: TOOLS });

    expect(reading).toMatchObject({ move: add, repairs: ['text_in_native'], nativeCallId: null });
  });
});

describe('a call in tags is read as it is meant', () => {
  it.each([
    [
      'as the prompt shows it',
      '<tool_call>\n{"name":"call_tool","arguments":{"tool_name":"add_member","arguments":{"name":"Ada"}}}\n</tool_call>',
      [],
    ],
    [
      'with arguments as a JSON string',
      '<tool_call>\n{"name":"call_tool","arguments":{"tool_name":"add_member","arguments":"{\\"name\\":\\"Ada\\"}"}}\n</tool_call>',
      ['string_arguments'],
    ],
    ['by the tool’s own name', `<tool_call>${ADD_ADA}</tool_call>`, []],
    ['with words before and after', `I will add her.\n<tool_call>${ADD_ADA}</tool_call>\nThen I look.`, []],
    ['with the tag never closed', `<tool_call>\n${ADD_ADA}`, ['unclosed_tag']],
    ['with the tag never opened', `${ADD_ADA}\n</tool_call>`, ['missing_open_tag']],
    ['wrapped in a list', `<tool_call>[${ADD_ADA}]</tool_call>`, ['list_wrapped']],
    [
      'in a fence inside the tag',
      '<tool_call>\n```json\n{"name":"add_member","arguments":{"name":"Ada"}}\n```\n</tool_call>',
      ['fenced_json'],
    ],
    [
      'in a fence without any tag',
      'I will add her.\n```json\n{"name":"add_member","arguments":{"name":"Ada"}}\n```',
      ['missing_tag', 'fenced_json'],
    ],
    ['as nothing but JSON', ADD_ADA, ['missing_tag']],
    [
      'after thinking',
      `<think>I could call <tool_call>{"name":"find_user"}</tool_call></think><tool_call>${ADD_ADA}</tool_call>`,
      ['thinking_removed'],
    ],
    [
      'after thinking that the template opened',
      `Hm.</think>\n<tool_call>${ADD_ADA}</tool_call>`,
      ['thinking_removed'],
    ],
    [
      'with tool_name at the top',
      '<tool_call>{"tool_name":"add_member","arguments":{"name":"Ada"}}</tool_call>',
      ['tool_name_at_top'],
    ],
    [
      'with parameters instead of arguments',
      '<tool_call>{"name":"add_member","parameters":{"name":"Ada"}}</tool_call>',
      ['parameters_key'],
    ],
    [
      'in single quotes',
      "<tool_call>{'name': 'add_member', 'arguments': {'name': 'Ada'}}</tool_call>",
      ['single_quotes'],
    ],
    [
      'with a trailing comma',
      '<tool_call>{"name":"add_member","arguments":{"name":"Ada",},}</tool_call>',
      ['trailing_comma'],
    ],
    [
      'with the last brace forgotten',
      '<tool_call>{"name":"add_member","arguments":{"name":"Ada"}</tool_call>',
      ['missing_bracket'],
    ],
    ['with a brace too many', `<tool_call>${ADD_ADA}}</tool_call>`, ['trailing_text']],
    [
      'as OpenAI writes it',
      '<tool_call>{"type":"function","function":{"name":"add_member","arguments":"{\\"name\\":\\"Ada\\"}"}}</tool_call>',
      ['wrapped_in_function', 'string_arguments'],
    ],
    ['with the tool as the key', '<tool_call>{"add_member":{"name":"Ada"}}</tool_call>', ['name_as_key']],
    [
      'with the name before the JSON',
      '<tool_call>add_member\n{"name":"Ada"}</tool_call>',
      ['name_before_json'],
    ],
    ['in function_call tags', `<function_call>${ADD_ADA}</function_call>`, []],
    [
      'as action and action_input',
      '<tool_call>{"action":"add_member","action_input":{"name":"Ada"}}</tool_call>',
      ['action_at_top', 'action_input_key'],
    ],
  ])('%s', (_, content, repairs) => {
    const reading = xml(content);

    expect(reading.move).toEqual(add);
    expect(reading.repairs).toEqual(repairs);
    expect(reading).toMatchObject({ ignoredCalls: 0, nativeCallId: null });
  });

  it.each([
    [
      'Qwen3-Coder',
      '<tool_call>\n<function=find_user>\n<parameter=query>\n42\n</parameter>\n<parameter=limit>\n7\n</parameter>\n</function>\n</tool_call>',
      ['tagged_arguments'],
    ],
    [
      'Qwen3-Coder, without the outer tag',
      'I look.\n<function=find_user>\n<parameter=query>\n42\n</parameter>\n<parameter=limit>\n7\n</parameter>\n</function>',
      ['missing_tag', 'tagged_arguments'],
    ],
    [
      'GLM',
      '<tool_call>find_user\n<arg_key>query</arg_key>\n<arg_value>42</arg_value>\n<arg_key>limit</arg_key>\n<arg_value>7</arg_value>\n</tool_call>',
      ['tagged_arguments'],
    ],
    [
      'invoke',
      '<function_calls>\n<invoke name="find_user">\n<parameter name="query">42</parameter>\n<parameter name="limit">7</parameter>\n</invoke>\n</function_calls>',
      ['tagged_arguments'],
    ],
    [
      'Mistral',
      '[TOOL_CALLS] [{"name":"find_user","arguments":{"query":"42","limit":7}}]',
      ['template_marker', 'list_wrapped'],
    ],
    ['Mistral, newer', '[TOOL_CALLS]find_user[ARGS]{"query":"42","limit":7}', ['template_marker']],
    [
      'Llama',
      '<|python_tag|>{"name":"find_user","parameters":{"query":"42","limit":7}}',
      ['template_marker', 'parameters_key'],
    ],
  ])('in the form of %s, values typed as the tool says', (_, content, repairs) => {
    expect(xml(content)).toMatchObject({
      move: { type: 'call_tool', tool_name: 'find_user', arguments: { query: '42', limit: 7 } },
      repairs,
    });
  });

  it('with null as arguments', () => {
    expect(xml('<tool_call>\n{"name":"list_tools","arguments":null}\n</tool_call>').move).toEqual({
      type: 'list_tools',
    });
  });

  it('when it is the first of several; the others are counted, however they are written', () => {
    const one = ADD_ADA;

    expect(
      xml(`<tool_call>${one}</tool_call><tool_call>${one}</tool_call><tool_call>oops</tool_call>`),
    ).toMatchObject({ move: add, ignoredCalls: 2 });
    expect(xml(`<tool_call>[${one},${one}]</tool_call>`)).toMatchObject({ move: add, ignoredCalls: 1 });
    expect(xml(`<tool_call>${one}\n${one}</tool_call>`)).toMatchObject({ move: add, ignoredCalls: 1 });
    expect(xml(`<tool_calls><tool_call>${one}</tool_call></tool_calls>`)).toMatchObject({
      move: add,
      ignoredCalls: 0,
    });
  });

  it('when an argument itself holds tags', () => {
    const text = 'Write <tool_call>{}</tool_call> like this';
    const content = `<tool_call>${JSON.stringify({ name: 'add_member', arguments: { name: text } })}</tool_call>`;

    expect(xml(content)).toMatchObject({ move: { arguments: { name: text } }, ignoredCalls: 0, repairs: [] });
  });

  it('when a text spans lines as no JSON may', () => {
    expect(
      xml('<tool_call>{"name":"add_member","arguments":{"name":"Ada\nLovelace"}}</tool_call>'),
    ).toMatchObject({
      move: { arguments: { name: 'Ada\nLovelace' } },
      repairs: ['raw_control_character'],
    });
  });

  it('as ask_expert in the shape of the recipe', () => {
    const content =
      '<tool_call>\n{"name":"ask_expert","arguments":{"task":"Add Ada","available_tools":"add_member,find_user"}}\n</tool_call>';

    expect(xml(content).move).toMatchObject({
      type: 'ask_expert',
      task: 'Add Ada',
      available_tools: 'add_member,find_user',
      context: null,
    });
  });
});

describe('what cannot be read is malformed, with a code and a reason', () => {
  it.each([
    ['an empty reply', '', 'empty_reply'],
    ['a reply of spaces', ' \n ', 'empty_reply'],
    ['nothing but thinking', '<think>Hm.</think>', 'empty_reply'],
    [
      'thinking that never ends',
      '<think>I should call <tool_call>{"name":"add_member"}</tool_call>',
      'unclosed_thinking',
    ],
    ['words before thinking that never ends', 'Let me see. <think>Hm', 'unclosed_thinking'],
    ['an empty tag', '<tool_call></tool_call>', 'empty_tag'],
    ['a mention of the tag', 'I used a <tool_call> tag and it is done.', 'no_call_in_tag'],
    ['a mention of the closing tag', 'All </tool_call> tags are closed.', 'no_call_in_tag'],
    [
      'JSON that breaks in the middle',
      '<tool_call>{"name":"add_member","arguments":{"name":}}</tool_call>',
      'bad_json',
    ],
    [
      'a call longer than is read',
      `<tool_call>{"name":"add_member","arguments":{"name":"${'a'.repeat(REPLY_MAX)}"}}</tool_call>`,
      'too_long',
    ],
    ['a call cut off', '<tool_call>{"name":"add_member","arguments":{"name":"Ad', 'truncated_call'],
    ['JSON that is no call', '<tool_call>{"answer":42}</tool_call>', 'not_a_call'],
    ['another template’s marker without a call', '[TOOL_CALLS] add_member, please', 'no_call_in_tag'],
    ['an empty list', '<tool_call>[]</tool_call>', 'not_a_call'],
    [
      'call_tool without a tool',
      '<tool_call>{"name":"call_tool","arguments":{"arguments":{}}}</tool_call>',
      'missing_tool_name',
    ],
    [
      'arguments that are a list',
      '<tool_call>{"name":"add_member","arguments":["Ada"]}</tool_call>',
      'arguments_not_object',
    ],
    [
      'arguments that are a broken string',
      '<tool_call>{"name":"add_member","arguments":"{name: Ada}"}</tool_call>',
      'bad_arguments',
    ],
    [
      'an apostrophe in single quotes',
      "<tool_call>{'name':'add_member','arguments':{'name':'Ada's'}}</tool_call>",
      'bad_json',
    ],
    ['a call hidden in prose', `I will now run ${ADD_ADA} for you.`, 'untagged_call'],
  ])('%s', (_, content, code) => {
    const { move } = xml(content);

    expect(move).toMatchObject({ type: 'malformed', code });
    expect(move.type === 'malformed' ? move.detail.length : 0).toBeGreaterThan(15);
  });

  it('native arguments that are no JSON keep the call they belong to', () => {
    expect(native('add_member', '{"name": "Ada"')).toMatchObject({
      move: { type: 'malformed', code: 'bad_arguments' },
      nativeCallId: 'c1',
      calledName: 'add_member',
    });
  });

  it('a reply cut off at the output limit is no final answer', () => {
    expect(xml('I have now added', { stopReason: 'length' }).move).toMatchObject({ code: 'truncated_reply' });
    expect(native('add_member', '{"name":"A', { stopReason: 'length' }).move).toMatchObject({
      code: 'truncated_call',
    });
  });

  it('the forgotten brace of a cut-off call is not added', () => {
    const content = '<tool_call>{"name":"add_member","arguments":{"name":"Ada"}';

    expect(xml(content, { stopReason: 'length' }).move).toMatchObject({
      type: 'malformed',
      code: 'truncated_call',
    });
  });
});

describe('plain text is the final answer', () => {
  it.each([
    ['words', 'Ada is added to the team.'],
    ['JSON that is an answer', '{"name":"Ada","id":7}'],
    ['an answer with braces', 'The rows are {1, 2} and {3}.'],
    ['an answer that names a tool', 'I called add_member and it worked.'],
  ])('%s', (_, content) => {
    expect(xml(content)).toEqual({
      move: { type: 'final', text: content },
      repairs: [],
      ignoredCalls: 0,
      nativeCallId: null,
      calledName: null,
    });
  });

  it('without the thinking before it', () => {
    expect(xml('<think>Done?</think>\n\nDone.').move).toEqual({ type: 'final', text: 'Done.' });
  });
});
