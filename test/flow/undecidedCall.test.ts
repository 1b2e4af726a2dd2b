import { afterEach, beforeEach, expect, it } from 'vitest';
import { untrainable } from '../../src/main/dataset/export/transcriptLine.ts';
import { factsOf } from '../../src/main/reward/facts.ts';
import type { Turn } from '../../src/shared/episode/record.ts';
import { serveEnvironment } from '../support/flow.ts';
import { ASK_ALL, native, replies, startStepIn } from '../support/stepIn.ts';

let environment: Awaited<ReturnType<typeof serveEnvironment>>;
beforeEach(async () => {
  environment = await serveEnvironment();
});
afterEach(() => environment.close());

it('a held call is not executed when nobody decides in time: the agent reads so, nobody rejected it, and nothing counts it', async () => {
  const approval = { rules: ASK_ALL, deadline_ms: 10, fallback: 'reject' as const };
  const policy = replies(...['a', 'b', 'c', 'd'].map((q) => native('find_workflow', { q })));
  const { ended, log } = startStepIn(environment.url, policy, { approval });
  const record = await ended;

  expect(record.turns.map(({ call }) => call?.sent ?? null)).toEqual([null, null, null, null, null]);
  expect(record.turns[0]?.call).toMatchObject({ sent: null, decision: { type: 'expired' } });
  const read = record.messages.find(({ role, turn }) => role === 'tool' && turn === 1);
  const text = log.texts.loadText(read?.content ?? '');
  expect(text).toContain('nobody approved this in time');
  expect(text).not.toContain('decided against it. Reason');
  // Three in a row pause an episode that a person rejects.
  expect(record.phase).toBe('autonomous');
  expect(factsOf(record).calls).toEqual([]);
  expect(untrainable(record, record.turns[0] as Turn)).toBe('set_aside');
});
