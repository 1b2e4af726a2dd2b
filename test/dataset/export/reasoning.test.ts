import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveEnvironment } from '../../support/flow.ts';
import { makeRows, type RowKind } from '../../support/exporting.ts';
import { asking, ME, native, replies, reply, startStepIn } from '../../support/stepIn.ts';
import { playScene, SCENES, trainedReplies, type ChatMessage } from '../../support/thinkingEpisodes.ts';
import { rowsOf, type Made, type Row, type Said } from './episodes.ts';

const WRONG = 'THOUGHT-OF-THE-FIRST';
const RIGHT = 'THOUGHT-OF-THE-SECOND';
const LAST = 'THOUGHT-OF-THE-END';

/** The agent thinks before each of three replies; a person decides about its first call. */
async function thinking(url: string, decide: 'approve' | 'edit' | 'reject'): Promise<Made> {
  const policy = replies(
    { ...native('rename_workflow', { id: 1 }), content: 'OLD-WORDS', reasoning: WRONG },
    { ...native('rename_workflow', { id: 2 }), reasoning: RIGHT },
    reply({ content: 'It is renamed.', reasoning: LAST }),
  );
  const flow = startStepIn(
    url,
    policy,
    asking([{ glob: 'rename_*', argument: null, does: 'first', count: 1 }]),
  );
  await flow.held();
  const about = flow.about('t1');
  if (decide === 'approve')
    await flow.commands['call.decide']({ act: 'approve', ...about, similar: false }, ME);
  else if (decide === 'reject')
    await flow.commands['call.decide']({ act: 'reject', ...about, reason: 'not that one' }, ME);
  else {
    const call = { tool_name: 'rename_workflow', arguments: { id: 2 }, is_unchecked: false };
    await flow.commands['call.decide']({ act: 'edit', ...about, ...call, reason: 'the second is meant' }, ME);
  }
  await flow.ended;
  return { log: flow.log, id: flow.id };
}

let environment: Awaited<ReturnType<typeof serveEnvironment>>;
beforeAll(async () => void (environment = await serveEnvironment()));
afterAll(() => environment.close());

const MESSAGES = ['prompt', 'completion', 'messages', 'chosen', 'rejected'] as const;
const thoughts = (row: Row): string[] =>
  MESSAGES.flatMap((name) => (row[name] ?? []) as (Said & { reasoning_content?: string })[]).flatMap(
    ({ reasoning_content: thought }) => thought ?? [],
  );

describe('what the agent thought', () => {
  it.each<RowKind>(['sft', 'sft_messages', 'kto', 'demonstrations'])(
    'stands as reasoning_content beside each of its messages in %s, unless it is left out',
    async (format) => {
      const { log } =
        format === 'demonstrations' ? await alone() : await thinking(environment.url, 'approve');
      const rules = { verdict: format === 'demonstrations' ? null : ('any' as const), conditions: null };

      const kept = (await makeRows(log, format, rules)).rows as Row[];
      const without = (await makeRows(log, format, { ...rules, reasoning: false })).rows as Row[];

      expect(kept.flatMap(thoughts)).toEqual(expect.arrayContaining([LAST]));
      expect(JSON.stringify(without)).not.toContain('THOUGHT');
    },
  );

  it('stands on both sides of a pair or on neither', async () => {
    const pairs = async (decide: 'edit' | 'reject') => {
      const { log } = await thinking(environment.url, decide);
      return (await makeRows(log, 'preference', { include: ['contrary'] })).rows as Row[];
    };

    const [edited] = await pairs('edit');
    const [rejected] = await pairs('reject');

    expect([...(edited?.chosen ?? []), ...(edited?.rejected ?? [])].map((one) => Object.keys(one))).toEqual([
      ['role', 'content', 'tool_calls'],
      ['role', 'content', 'tool_calls'],
    ]);
    expect(rejected?.chosen[0]).toMatchObject({ reasoning_content: RIGHT });
    expect(rejected?.rejected[0]).toMatchObject({ reasoning_content: WRONG });
  });

  it.each<RowKind>(['sft', 'sft_messages', 'atif'])(
    'never argues in %s for a call that a person changed, nor do the words that stood before it',
    async (format) => {
      const { log } = await thinking(environment.url, 'edit');

      const { rows } = await makeRows(log, format, { verdict: 'any' });

      const trained = JSON.stringify(rows, (key, value: unknown) => (key === 'extra' ? undefined : value));
      expect(rows).toHaveLength(1);
      expect(trained).not.toContain('the second is meant');
      expect(trained).not.toContain(WRONG);
      expect(trained).not.toContain('OLD-WORDS');
    },
  );
});

async function alone(): Promise<Made> {
  const call = { ...native('rename_workflow', { id: 2 }), reasoning: RIGHT };
  const flow = startStepIn(environment.url, replies(call, reply({ content: 'Done.', reasoning: LAST })));
  await flow.ended;
  return { log: flow.log, id: flow.id };
}

/** What a message says, whatever its fields are called. */
function told({ role, content, ...more }: ChatMessage) {
  const details = (more['reasoning_details'] ?? []) as { text: string }[];
  const calls = (more['tool_calls'] ?? []) as {
    id: string;
    function: { name: string; arguments: unknown };
  }[];
  return {
    role,
    content,
    thought: more['reasoning_content'] ?? more['reasoning'] ?? details[0]?.text ?? null,
    calls: calls.map(({ id, function: { name, arguments: args } }) => [
      id,
      name,
      typeof args === 'string' ? (JSON.parse(args) as unknown) : args,
    ]),
    answers: more['tool_call_id'] ?? null,
  };
}

describe('what a reply trains on', () => {
  it.each(Object.keys(SCENES))('is what its model read: %s', async (name) => {
    const played = await playScene(name);
    const replies = await Promise.all(
      (['sft', 'sft_messages', 'kto'] as const).map((format) => trainedReplies(played, format)),
    );

    expect(replies[0]?.length).toBeGreaterThan(0);
    for (const { row, asked } of replies.flat()) {
      expect(row.messages.map(told)).toEqual(asked.messages.map(told));
      // The reply itself stands as a later request shows it, with what it thought.
      const later = played.exchanges.find(({ messages }) => messages.length > asked.messages.length);
      const sent = later?.messages[asked.messages.length] ?? asked.reply;
      const isInWords = asked.reply.content.includes('<think>');
      expect(told(row.reply).calls).toEqual(told(sent).calls);
      expect(told(row.reply).thought).toEqual(told(asked.reply).thought);
      expect(row.reply.content).toBe(isInWords ? asked.reply.content : sent.content);
    }
  });

  it('is whole where the model read all of it, and else says why no row of the whole episode is made', async () => {
    const rows = async (name: string, over = {}) => {
      const { rows: made, dropped } = rowsOf('sft_messages', await playScene(name), {
        verdict: 'any',
        ...over,
      });
      return { made: made.length, dropped };
    };

    expect(await rows('reasoning_content')).toEqual({ made: 1, dropped: {} });
    expect(await rows('never sent back')).toEqual({ made: 0, dropped: { reasoning_unread: 1 } });
    expect(await rows('never sent back', { reasoning: false })).toEqual({ made: 1, dropped: {} });
  });

  it('holds no reasoning at all where it is left out, in whatever field or words it came', async () => {
    for (const name of ['reasoning_content', 'among the words', 'calls in tags, reasoning among the words']) {
      const { log } = await playScene(name);
      for (const format of ['sft', 'sft_messages', 'kto', 'when_to_ask'] as const) {
        const { rows } = await makeRows(log, format, { verdict: 'any', reasoning: false });
        expect(JSON.stringify(rows)).not.toContain('I think');
      }
    }
  });
});

/** The agent thinks and looks, and a person takes over and renames. */
async function takenOver(): Promise<Row[]> {
  const thought = { field: 'reasoning_content', from: 'http://here/v1 m' };
  const look = { ...native('find_workflow', { id: 1 }), reasoning: RIGHT, thought };
  const flow = startStepIn(
    environment.url,
    replies(look, native('rename_workflow', { id: 1 })),
    asking([{ glob: 'rename_*', argument: null, does: 'ask', count: null }]),
  );
  await flow.held();
  await flow.control('take_over');
  const move = { type: 'call_tool' as const, tool_name: 'rename_workflow', arguments: { id: 2 } };
  const { turn } = await flow.commands['takeover.move'](
    { episode: flow.id, move, say: 'I do it.', is_unchecked: false },
    ME,
  );
  await flow.until(({ turns }) => turns.find((one) => one.turn === turn)?.call?.returned);
  await flow.control('hand_back');
  await flow.ended;
  const { rows } = await makeRows(flow.log, 'sft', { verdict: 'any' });
  return (rows as Row[]).filter(({ act }) => act === 'take_over');
}

describe('what stands before a person’s own move', () => {
  it('is what the agent’s model would have read: what it thought since somebody spoke to it', async () => {
    const [row] = await takenOver();

    expect(row && thoughts(row)).toEqual([RIGHT]);
  });
});

describe('a call beside the text, where calls are tags', () => {
  const SCENE = 'calls beside the text where they are tags';
  const CALL =
    '<tool_call>\n{"name":"call_tool","arguments":{"tool_name":"rename_workflow","arguments":{"id":2}}}\n</tool_call>';

  it.each<RowKind>(['sft', 'kto', 'sft_messages', 'demonstrations', 'episode_record'])(
    'is written as a tag in %s',
    async (format) => {
      const { log, exchanges } = await playScene(SCENE);

      const { rows } = await makeRows(log, format, { verdict: 'any', conditions: null, reasoning: false });

      expect(exchanges.at(-1)?.messages.map(({ content }) => content)).toContain(CALL);
      const messages = (rows as Row[]).flatMap((row) =>
        MESSAGES.flatMap((name) => (row[name] ?? []) as Said[]),
      );
      expect(messages.map(({ content }) => content)).toContain(CALL);
      expect(messages.map(({ role }) => role)).not.toContain('tool');
      expect(JSON.stringify(messages)).not.toContain('tool_calls');
    },
  );

  it('is written as a tag on both sides of a pair', async () => {
    const flow = startStepIn(environment.url, replies(native('rename_workflow', { id: 1 })), {
      agent: { policy: 'chat', protocol: 'xml', model: 'm' },
      ...asking([{ glob: 'rename_*', argument: null, does: 'first', count: 1 }]),
    });
    await flow.held();
    const call = { tool_name: 'rename_workflow', arguments: { id: 2 }, is_unchecked: false };
    await flow.commands['call.decide']({ act: 'edit', ...flow.about('t1'), ...call, reason: null }, ME);
    await flow.ended;

    const { rows } = await makeRows(flow.log, 'preference', { include: ['contrary'] });

    const [{ chosen, rejected }] = rows as [Row];
    expect(chosen).toEqual([{ role: 'assistant', content: CALL }]);
    expect(rejected).toEqual([{ role: 'assistant', content: CALL.replace('"id":2', '"id":1') }]);
  });
});
