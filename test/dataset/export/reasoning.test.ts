import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveEnvironment } from '../../support/flow.ts';
import { makeRows, type RowKind } from '../../support/exporting.ts';
import { asking, ME, native, replies, reply, startStepIn } from '../../support/stepIn.ts';
import type { Made, Row, Said } from './episodes.ts';

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
