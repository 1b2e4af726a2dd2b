import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeRows } from '../support/exporting.ts';
import { startOpenAiServer, type OpenAiServer, type ScriptedAnswer } from '../support/openaiServer.ts';
import { openProduct, removeFolder, startInput, type Product } from '../support/product.ts';

let product: Product;
let server: OpenAiServer | null = null;
beforeEach(async () => {
  product = await openProduct();
});
afterEach(async () => {
  await product.close();
  removeFolder(product.folder);
  await server?.close();
  server = null;
});

const call = (id: string, name: string, args: object = {}) => ({ id, name, arguments: JSON.stringify(args) });
/** Three reads in one reply, the second of a tool that there is none of. */
const THREE: ScriptedAnswer = {
  content: 'I look at three things.',
  toolCalls: [
    call('a', 'list_tags', { workspace_id: 1 }),
    call('b', 'no_such_tool', { x: 1 }),
    call('c', 'list_connections', { workspace_id: 1 }),
  ],
  usage: { prompt_tokens: 100, completion_tokens: 30 },
};
const END: ScriptedAnswer = { content: 'Done.' };

async function play(script: ScriptedAnswer[], over: Parameters<typeof startInput>[0] = {}): Promise<string> {
  server = await startOpenAiServer(script);
  product.settings.write({ agent: { base_url: server.url, model: 'm' } });
  const agent = { policy: 'chat' as const, protocol: 'native' as const, model: 'm' };
  const input = startInput({ agent, condition: 'none', ...over });
  const { episodes } = await product.as('seat-one')('episode.start', input);
  return episodes[0] ?? '';
}

type Sent = { role: string; tool_call_id?: string; content?: string; tool_calls?: { id: string }[] };
const sentMessages = (nth: number): Sent[] => server?.requests[nth]?.body['messages'] as Sent[];
const shape = (messages: readonly Sent[]): string[] =>
  messages.map(({ role, tool_call_id, tool_calls = [] }) =>
    [role, tool_call_id ?? '', ...tool_calls.map(({ id }) => id)].filter(Boolean).join(' '),
  );

describe('several calls in one reply', () => {
  it('are turns of their own, and the model reads its one reply and the results after it', async () => {
    const record = await product.ended(await play([THREE, END]));

    expect(record.turns.map(({ turn, replyOf, move, usage }) => [turn, replyOf, move?.type, usage])).toEqual([
      [1, undefined, 'call_tool', { input_tokens: 100, output_tokens: 30 }],
      [2, 1, 'call_tool', null],
      [3, 1, 'call_tool', null],
      [4, undefined, 'final', { input_tokens: 10, output_tokens: 5 }],
    ]);
    expect(record.turns.map(({ call: made }) => made?.sent?.toolName)).toEqual([
      'list_tags',
      'no_such_tool',
      'list_connections',
      undefined,
    ]);
    expect(record.turns[0]?.ignoredCalls).toBe(0);
    expect(shape(sentMessages(1))).toEqual([
      'system',
      'user',
      'assistant a b c',
      'tool a',
      'tool b',
      'tool c',
    ]);
    expect(sentMessages(0)[0]?.content).toContain('A reply may hold several calls');
    expect(server?.requests[0]?.body).not.toHaveProperty('parallel_tool_calls');
  });

  it('wait for a person one by one: each is approved, edited or rejected by itself', async () => {
    const rules = [{ glob: '*', argument: null, does: 'ask' as const, count: null }];
    const id = await play([THREE, END], {
      approval: { rules, deadline_ms: null, fallback: 'wait' },
    });
    const seat = product.as('seat-one');
    const held = async (callId: string) => {
      const record = await product.until(id, ({ turns }) =>
        turns.some(({ call: one }) => one?.id === callId && one.held !== null && one.decision === null),
      );
      return {
        episode: id,
        call: callId,
        seen_seq: record.seq,
        timing: { first_seen_at: null, active_ms: null },
      };
    };
    await seat('call.decide', { act: 'approve', ...(await held('t1')), similar: false });
    await seat('call.decide', {
      act: 'edit',
      ...(await held('t2')),
      tool_name: 'list_tags',
      arguments: { workspace_id: 1 },
      reason: 'there is no such tool',
      is_unchecked: false,
    });
    await seat('call.decide', { act: 'reject', ...(await held('t3')), reason: 'not needed' });
    const record = await product.ended(id);

    expect(record.turns.map(({ call: one }) => one?.decision?.type)).toEqual([
      'approved',
      'edited',
      'rejected',
      undefined,
    ]);
    expect(record.turns[2]?.call?.sent).toBeNull();
    expect(shape(sentMessages(1))).toEqual([
      'system',
      'user',
      'assistant a b c',
      'tool a',
      'tool b',
      'tool c',
    ]);
    expect(sentMessages(1).at(-1)?.content).toContain('not needed');

    // As a preference it is the one reply that the model wrote, against the one that a person made of it.
    const { rows } = await makeRows(product.log, 'preference', { verdict: 'any', include: ['contrary'] });
    const named = (messages: unknown): unknown =>
      (messages as { tool_calls?: { id: string; function: { name: string } }[] }[]).map(({ tool_calls }) =>
        tool_calls?.map((one) => [one.id, one.function.name]),
      );
    const [row] = rows.filter(({ pair }) => pair === 'edited');
    expect(shape(row?.['prompt'] as Sent[])).toEqual(['system', 'user']);
    expect(named(row?.['rejected'])).toEqual([
      [
        ['a', 'list_tags'],
        ['b', 'no_such_tool'],
        ['c', 'list_connections'],
      ],
    ]);
    expect(named(row?.['chosen'])).toEqual([
      [
        ['a', 'list_tags'],
        ['b', 'list_tags'],
      ],
    ]);
    // So it is where a reply is judged good or bad.
    const kto = await makeRows(product.log, 'kto', { verdict: 'any', include: ['contrary'] });
    const judged = kto.rows.filter(({ source }) => source === 'approval');
    expect(judged.map(({ prompt }) => shape(prompt as Sent[]))).toEqual([
      ['system', 'user'],
      ['system', 'user'],
    ]);
    expect(judged.map(({ completion, label }) => [named(completion), label])).toEqual([
      [named(row?.['rejected']), false],
      [named(row?.['chosen']), true],
    ]);
  });

  it('are left behind by a person who takes over between them', async () => {
    const rules = [{ glob: 'no_such_tool', argument: null, does: 'ask' as const, count: null }];
    const id = await play([THREE, END], {
      approval: { rules, deadline_ms: null, fallback: 'wait' },
    });
    const seat = product.as('seat-one');
    await product.until(id, ({ turns }) => turns.some(({ call: one }) => one?.held));
    const control = { episode: id, at_once: false, reason: null, note: null, is_discarded: false };
    await seat('episode.control', { ...control, act: 'take_over' });
    const { turn } = await seat('takeover.move', {
      episode: id,
      say: '',
      move: { type: 'list_tools' },
      is_unchecked: true,
    });
    await product.until(id, ({ messages }) =>
      messages.some((one) => one.role !== 'assistant' && one.turn === turn),
    );
    await seat('episode.control', { ...control, act: 'hand_back' });
    const record = await product.ended(id);

    expect(record.turns.map(({ call: one }) => one?.toolName)).not.toContain('list_connections');
  });

  it('are branched from at any of them: what the branch had not made yet is not made', async () => {
    const id = await play([THREE, END, END]);
    await product.ended(id);
    const { episode } = await product.as('seat-one')('episode.fork', { episode: id, turn: 2 });
    const branch = await product.ended(episode);

    expect(branch.turns.map(({ call: one, isCopied }) => [one?.toolName, isCopied])).toEqual([
      ['list_tags', true],
      ['no_such_tool', true],
      [undefined, false],
    ]);
    expect(shape(sentMessages(2))).toEqual(['system', 'user', 'assistant a b', 'tool a', 'tool b']);
  });

  it('are written as one message with its results after it, in every format that holds the conversation', async () => {
    const id = await play([THREE, END]);
    await product.ended(id);
    const first = async (format: Parameters<typeof makeRows>[1], failed_calls: 'keep' | 'skip' = 'keep') =>
      (await makeRows(product.log, format, { verdict: 'any', failed_calls })).rows[0] as Record<
        string,
        unknown
      >;

    const chat = ['system', 'user', 'assistant a b c', 'tool a', 'tool b', 'tool c', 'assistant'];
    const { prompt, completion } = await first('sft');
    expect(shape([...(prompt as Sent[]), ...(completion as Sent[])])).toEqual(chat);
    // The second call failed: what the agent said with it is read as a whole, and not trained.
    expect(shape((await first('sft', 'skip'))['prompt'] as Sent[])).toEqual(chat.slice(0, -1));
    expect(shape((await first('sft_messages'))['messages'] as Sent[])).toEqual(chat);
    const record = await first('episode_record');
    expect(shape(record['messages'] as Sent[])).toEqual(chat);
    const trace = record['tool_trace'] as { tool_name: string; result: { error: string | null } }[];
    expect(trace.map(({ tool_name, result }) => [tool_name, result.error === null])).toEqual([
      ['list_tags', true],
      ['no_such_tool', false],
      ['list_connections', true],
    ]);
    const { steps } = await first('atif');
    const step = (steps as unknown[])[2] as {
      tool_calls: { tool_call_id: string }[];
      observation: { results: { source_call_id: string }[] };
      metrics: object;
    };
    expect(step.tool_calls.map((one) => one.tool_call_id)).toEqual(['a', 'b', 'c']);
    expect(step.observation.results.map((one) => one.source_call_id)).toEqual(['a', 'b', 'c']);
    expect(step.metrics).toEqual({ prompt_tokens: 100, completion_tokens: 30 });
  });

  it('among which is a question wait for its answer, and the next one is made after it', async () => {
    const ASKING: ScriptedAnswer = {
      content: '',
      toolCalls: [
        call('a', 'list_tags', { workspace_id: 1 }),
        call('q', 'ask_expert', { context: 'Which tag?' }),
        call('c', 'list_connections', { workspace_id: 1 }),
      ],
    };
    const id = await play([ASKING, END], { condition: 'human' });
    const asked = await product.until(id, ({ consultations }) => consultations[0]);
    expect(asked.turns.map(({ call: one }) => one?.toolName)).toEqual(['list_tags', undefined]);

    await product.as('seat-one')('desk.answer', {
      episode: id,
      consultation: asked.consultations[0]?.id ?? '',
      text: 'The first one.',
      draft: null,
      seen_seq: asked.seq,
      timing: { first_seen_at: null, active_ms: null },
    });
    await product.ended(id);

    const read = sentMessages(1).slice(2);
    expect(shape(read)).toEqual(['assistant a q c', 'tool a', 'tool q', 'tool c']);
    expect(read[2]?.content).toContain('The first one.');
  });

  it('count each against the turn limit, and what was not made is in no history', async () => {
    const record = await product.ended(await play([THREE], { limits: { turns: 2 } }));

    expect(record.turns).toHaveLength(2);
    expect(record.ended).toMatchObject({ outcome: 'limit' });
  });
});

describe('several calls in one reply where calls are text', () => {
  it('are the first and no other, and the agent is told how many were not made', async () => {
    const tagged = (name: string) =>
      `<tool_call>{"name": "${name}", "arguments": {"workspace_id": 1}}</tool_call>`;
    const content = ['list_tags', 'list_connections'].map(tagged).join('\n');
    const agent = { policy: 'chat' as const, protocol: 'xml' as const, model: 'm' };
    const record = await product.ended(await play([{ content }, END], { agent }));

    expect(record.turns[0]).toMatchObject({ ignoredCalls: 1, call: { toolName: 'list_tags' } });
    expect(record.turns).toHaveLength(2);
  });
});
