// What is left of the expert in rows of the built-in world's rehearsals, of which each format takes the expert out.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExportRules } from '../../../src/shared/contract/export.ts';
import type { Condition } from '../../../src/shared/events/lifecycle.ts';
import { attachAnswers, type AnswerLine } from '../../../src/main/desk/scriptedAnswers.ts';
import { makeRows, ROW_KINDS, type RowKind } from '../../support/exporting.ts';
import { createFlow, spec } from '../../support/flow.ts';
import { PACK, serveWorlds, type Served } from '../../support/worlds.ts';
import type { Made } from './episodes.ts';

const TASKS = [0, 1, 2, 3, 4];
const WAYS: Readonly<Record<string, { condition: Condition; line: AnswerLine | null }>> = {
  accept: { condition: 'human+draft', line: { ask: 1, do: 'accept' } },
  send: {
    condition: 'human',
    line: { ask: 1, do: 'send', text: 'list_workspaces({}) and then list_nothing({})' },
  },
  'send words': { condition: 'human', line: { ask: 1, do: 'send', text: 'Look at it once more.' } },
  decline: { condition: 'human', line: { ask: 1, do: 'decline', reason: 'You can do it.' } },
  model: { condition: 'model', line: null },
  none: { condition: 'none', line: null },
};
const EXPERT = /advi[cs]e|expert|consult|guidance|\bI ask/i;
const ALL = {
  verdict: 'any',
  privilege: 'strip',
  // Its rehearsals begin with a call that lacks an argument.
  failed_calls: 'keep',
  include: ['timeouts', 'contrary'],
} satisfies Partial<ExportRules>;
/** The whole log, which is never stripped, and what reviewers said, which has no conversation. */
const OTHERS: readonly RowKind[] = ['events', 'human_feedback', 'advisor'];
const FORMATS = ROW_KINDS.filter((format) => !OTHERS.includes(format));

let worlds: Served;
const episodes = new Map<string, Made[]>();

async function rehearse(way: string, task: number): Promise<Made> {
  const { condition, line } = WAYS[way] ?? { condition: 'none', line: null };
  const briefing = worlds.worlds.briefing(PACK, task);
  const { log, desk, supervisor } = createFlow({ briefing });
  const undo = attachAnswers({ log, desk }, line === null ? [] : [line]);
  const over = { scenario: PACK, task_idx: task, condition, fallback: 'proceed' as const };
  const { id, ended } = supervisor.start(spec(worlds.url, over));
  await ended;
  undo();
  return { log, id };
}

beforeAll(async () => {
  worlds = await serveWorlds();
  for (const way of Object.keys(WAYS)) {
    const made: Made[] = [];
    for (const task of TASKS) made.push(await rehearse(way, task));
    episodes.set(way, made);
  }
});
afterAll(() => worlds.close());

/** What a trainer reads; the columns of where a row comes from name the act and the condition. */
function readIn(row: Record<string, unknown>): string {
  const keys =
    'prompt completion completions chosen rejected messages tools input preferred_output ' +
    'non_preferred_output steps conversation message trajectory verification final_answer';
  return JSON.stringify(keys.split(' ').map((key) => row[key] ?? null));
}

describe('an export without the expert', () => {
  it.each(FORMATS)('tells of them in no word of a rehearsal in the built-in world: %s', async (format) => {
    for (const [way, made] of episodes)
      for (const { log } of made)
        for (const row of (await makeRows(log, format, ALL)).rows)
          expect(EXPERT.exec(readIn(row)), way).toBeNull();
  });

  it('counts the rows it leaves out for it', async () => {
    for (const { log } of episodes.get('decline') ?? [])
      expect(await makeRows(log, 'sft_messages', ALL)).toEqual({ rows: [], dropped: { expert_trace: 1 } });
  });

  it.each(['sft', 'sft_messages', 'episode_record'] as const)(
    'keeps as %s every episode that nobody helped in, whose agent never speaks of help',
    async (format) => {
      for (const { log, id } of episodes.get('none') ?? []) {
        expect(log.record(id).turns.length).toBeGreaterThan(1);
        const { rows, dropped } = await makeRows(log, format, ALL);
        expect(dropped['expert_trace'] ?? 0).toBe(0);
        expect(rows.length + (dropped['unknowable'] ?? 0)).toBe(1);
      }
    },
  );
});
