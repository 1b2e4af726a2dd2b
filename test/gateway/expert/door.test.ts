import { AzureOpenAI } from 'openai';
import { afterEach, describe, expect, it } from 'vitest';
import type { Text } from '../../../src/shared/events/text.ts';
import { serveDoors, type Doors } from '../../support/doors.ts';

let doors: Doors;
afterEach(() => doors.close());

const ask = (content: string, over: object = {}) => ({
  model: 'gpt-anything',
  messages: [
    { role: 'system' as const, content: 'You advise an agent.' },
    { role: 'user' as const, content },
  ],
  ...over,
});
const shown = (text: Text | null | undefined): string => (typeof text === 'string' ? text : '');
const recipe = (criteria: string) =>
  `TASK: Rename the second workflow.\n\nAVAILABLE TOOLS (with parameter schemas):\n1. rename_workflow\n\n` +
  `SUCCESS CRITERIA (what the checker requires):\n${criteria}\n\nAGENT CONTEXT: The agent has just started.\n\n` +
  'Provide a precise, ordered plan.';

describe('the expert as a model', () => {
  it('gives the same in chunks to a client that streams, after comments that keep it waiting', async () => {
    doors = await serveDoors({ keepAliveMs: 20 });
    const comments: string[] = [];
    const stream = await doors
      .openai({ fetch: hearingComments(comments) })
      .chat.completions.create(
        ask('Which one?', { stream: true, stream_options: { include_usage: true } }) as never,
      );
    const text = 'Workflow 2. '.repeat(100);
    await expect.poll(() => comments.length).toBeGreaterThan(2);
    doors.answer(await doors.waiting(), text);

    let content = '';
    const finishes: (string | null)[] = [];
    let usage: unknown = null;
    for await (const chunk of stream as unknown as AsyncIterable<{
      choices: { delta: { content?: string }; finish_reason: string | null }[];
      usage?: unknown;
    }>) {
      content += chunk.choices[0]?.delta.content ?? '';
      finishes.push(chunk.choices[0]?.finish_reason ?? null);
      usage = chunk.usage ?? usage;
    }

    expect(content).toBe(text);
    expect(finishes).toContain('stop');
    expect(usage).toMatchObject({ total_tokens: expect.any(Number) as number });
  });

  it('puts a question of nobody’s episode into an episode of its own, which ends when it was delivered', async () => {
    doors = await serveDoors();
    const completion = doors.openai().chat.completions.create(ask('TASK: Rename it.\n\nWhich one?'));
    const item = await doors.waiting();
    const open = doors.log.projections.episode(item.episode);
    doors.answer(item, 'The second.');
    await completion;

    expect(open).toMatchObject({ source: 'ask', status: 'waiting', task: 'Rename it.', waiting: 1 });
    expect(item).toMatchObject({ via: 'chat_completions', task: 'Rename it.', link: { by: 'none' } });
    const record = doors.log.record(item.episode);
    expect(record).toMatchObject({ status: 'ended', ended: { outcome: 'done' } });
    expect(record.consultations[0]?.delivered).toMatchObject({
      as: 'advice',
      text: 'The second.',
      to: 'client',
    });
  });

  it('shows the person the whole request', async () => {
    doors = await serveDoors();
    const tools = [
      { type: 'function', function: { name: 'rename_workflow', parameters: { type: 'object' } } },
    ];
    const completion = doors.openai().chat.completions.create(ask('Which one?', { tools }) as never);
    const item = await doors.waiting();
    doors.answer(item, 'x');
    await completion;

    const request = JSON.parse(shown(item.request)) as Record<string, unknown>;
    expect(request).toMatchObject({
      model: 'gpt-anything',
      tools,
      messages: [{}, { content: 'Which one?' }],
    });
  });

  it.each([
    ['declined', (d: Doors) => d.waiting().then((item) => d.decline(item, 'not worth it')), 'not worth it'],
    ['out of time', () => Promise.resolve(), 'No advice: the expert did not answer in time'],
  ])('says in words that a question was %s, never as an error', async (_, act, words) => {
    doors = await serveDoors({ settings: { ask_deadline_ms: 300 } });
    const completion = doors.openai().chat.completions.create(ask('Which one?'));
    await act(doors);

    expect((await completion).choices[0]?.message.content).toContain(words);
  });

  it('says that no advice came in full, whatever the client cuts of an answer', async () => {
    doors = await serveDoors({ isAttended: false });

    const { choices } = await doors
      .openai()
      .chat.completions.create(ask('Which one?', { stop: ['e', 'a'], max_tokens: 2 }));

    expect(choices[0]).toMatchObject({
      finish_reason: 'stop',
      message: { content: expect.stringContaining('No advice: no expert is there') as string },
    });
  });

  it('tells the person how many characters the client takes, where it said so', async () => {
    doors = await serveDoors();
    const completion = doors.openai().chat.completions.create(ask('Which one?', { max_tokens: 5 }));
    const item = await doors.waiting();
    doors.answer(item, 'The second, and then the third.');

    expect(item.limit_chars).toBe(20);
    expect((await completion).choices[0]).toMatchObject({
      finish_reason: 'length',
      message: { content: 'The second, and then' },
    });
  });

  it('sends the draft at the deadline, made from the client’s own messages', async () => {
    doors = await serveDoors({ advises: () => 'Take the second.', settings: { ask_deadline_ms: 300 } });

    const { choices } = await doors.openai().chat.completions.create(ask('Which one?'));

    expect(choices[0]?.message.content).toBe('Take the second.');
    expect(doors.seen[0]?.messages).toEqual([
      { role: 'system', content: 'You advise an agent.' },
      { role: 'user', content: 'Which one?' },
    ]);
  });

  it('answers in words when the advisor’s model fails', async () => {
    doors = await serveDoors({
      advises: () => {
        throw new Error('down');
      },
    });

    const { choices } = await doors
      .openai()
      .chat.completions.create({ ...ask('Which one?'), model: 'expert-draft' });

    expect(choices[0]?.message.content).toContain('No advice:');
  });

  it('answers Azure’s client, which names a deployment in the path', async () => {
    doors = await serveDoors();
    const azure = new AzureOpenAI({
      endpoint: doors.url,
      apiKey: 'k',
      apiVersion: '2024-10-21',
      deployment: 'gpt-4o',
      maxRetries: 0,
    });
    const completion = azure.chat.completions.create(ask('TASK: Rename it.\n\nWhich one?'));
    doors.answer(await doors.waiting(), 'The second.');

    expect((await completion).choices[0]?.message.content).toBe('The second.');
  });
});

describe('criteria in a request', () => {
  const criteria = 'workflows.name of id 2 is exactly "Second"\n\n- no other row changed';

  it('are covered before anything is drawn, and what answers them is marked', async () => {
    doors = await serveDoors({ advises: () => 'A plan.' });
    const completion = doors.openai().chat.completions.create(ask(recipe(criteria)));
    const item = await doors.waiting(({ draft }) => draft !== null);
    doors.answer(item, 'My own plan.');
    await completion;

    expect(JSON.stringify(item)).not.toContain('exactly');
    expect(shown(item.question)).toContain('AGENT CONTEXT: The agent has just started.');
    const { covered, decision } = doors.log.record(item.episode).consultations[0] ?? {};
    expect(covered?.[0]?.text).toBe(criteria);
    expect(decision).toMatchObject({ privilege: ['criteria'] });
    expect(shown(item.request).slice(covered?.[0]?.start, covered?.[0]?.end)).toMatch(/^⟦covered .*⟧$/);
  });

  it('reach the advisor all the same', async () => {
    doors = await serveDoors({ advises: () => 'A plan.', settings: { ask_deadline_ms: 300 } });
    await doors.openai().chat.completions.create(ask(recipe(criteria)));

    expect(doors.seen[0]?.messages[1]?.content).toBe(recipe(criteria));
  });

  it('makes advice on a request without any of unknown privilege', async () => {
    doors = await serveDoors();
    const completion = doors.openai().chat.completions.create(ask('Which one?'));
    const item = await doors.waiting();
    doors.answer(item, 'x');
    await completion;

    expect(doors.log.record(item.episode).consultations[0]?.decision).toMatchObject({ privilege: 'unknown' });
  });

  it('are distilled from a verifier by the advisor, with nobody asked, and known again in the next request', async () => {
    const told = 'The second workflow is called Second.\n\nTask rows are untouched.';
    doors = await serveDoors({ advises: () => told });
    const code =
      'def verify_task_completion(initial_db_path, final_db_path, final_answer=None):\n    import sqlite3\n\n    return {"result": "complete"}\n';
    const analysis = await doors.openai().chat.completions.create({
      model: 'gpt-5',
      messages: [
        {
          role: 'user',
          content: `Read this function and summarise the success criteria.\n\nVERIFICATION CODE:\n${code}\nTASK: Rename it.\n\nReturn requirements.`,
        },
      ],
    });
    expect(analysis.choices[0]?.message.content).toBe(told);
    expect(doors.log.projections.desk(10).total).toBe(0);

    const completion = doors.openai().chat.completions.create(ask(`Hints: ${told}\nWhat now?`));
    const item = await doors.waiting();
    doors.answer(item, 'x');
    await completion;

    expect(JSON.stringify(item)).not.toContain('untouched');
    expect(shown(item.question)).toContain('What now?');
  });
});

it('eight rollouts of one task have their verifier distilled once', async () => {
  doors = await serveDoors({ advises: () => 'The second workflow is called Second.' });
  const content = `Summarise what this function requires.\n\ndef verify_task(a, b):\n    return a\n\nTASK: x`;
  const body = { model: 'm', messages: [{ role: 'user' as const, content }] };
  const all = await Promise.all(
    Array.from({ length: 8 }, () => doors.openai().chat.completions.create(body)),
  );

  expect(new Set(all.map(({ choices }) => choices[0]?.message.content))).toEqual(
    new Set(['The second workflow is called Second.']),
  );
  expect(doors.seen).toHaveLength(1);
});

it('many clients at once each get their own answer, while others give up', async () => {
  doors = await serveDoors({ graceMs: 20 });
  const client = doors.openai();
  const stops = Array.from({ length: 200 }, () => new AbortController());
  const all = stops.map(({ signal }, i) =>
    client.chat.completions.create(ask(`Question ${String(i)}`), { signal }).then(
      ({ choices }) => choices[0]?.message.content,
      () => 'gone',
    ),
  );
  await expect.poll(() => doors.log.projections.desk(1).total).toBe(200);
  stops.forEach((stop, i) => (i % 4 === 0 ? stop.abort() : undefined));
  await expect.poll(() => doors.log.projections.desk(1).total).toBe(150);
  for (const item of doors.log.projections.desk(200).items) {
    doors.answer(item, `To ${shown(item.question)}`);
  }

  expect(await Promise.all(all)).toEqual(
    stops.map((_, i) => (i % 4 === 0 ? 'gone' : `To Question ${String(i)}`)),
  );
  await expect.poll(() => doors.log.projections.open()).toEqual([]);
});

it('a client that comes and goes cancels its question by giving up', async () => {
  doors = await serveDoors({ graceMs: 50 });
  const stop = new AbortController();
  const completion = doors.openai().chat.completions.create(ask('Which one?'), { signal: stop.signal });
  const item = await doors.waiting();
  stop.abort();

  await expect(completion).rejects.toThrow();
  await expect
    .poll(() => doors.log.record(item.episode).consultations[0]?.decision)
    .toMatchObject({ type: 'cancelled', reason: 'the client gave up waiting' });
  await expect.poll(() => doors.log.record(item.episode).ended?.outcome).toBe('stopped');
  expect(doors.log.projections.desk(10).total).toBe(0);
});

/** A fetch that notes the comments of a stream as they come; the client passes over them. */
const hearingComments =
  (comments: string[]): typeof fetch =>
  async (input, init) => {
    const response = await fetch(input, init);
    const note = new TransformStream<Uint8Array, Uint8Array>(
      {
        transform: (chunk, out) => {
          const text = Buffer.from(chunk).toString();
          if (text.startsWith(':')) comments.push(text);
          out.enqueue(chunk);
        },
      },
      undefined,
      // Heard before anybody reads.
      new CountQueuingStrategy({ highWaterMark: 1_000 }),
    );
    return new Response(response.body?.pipeThrough(note) ?? null, response);
  };
