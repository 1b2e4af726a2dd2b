import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExportRules } from '../../../src/shared/contract/export.ts';
import { jsonLine } from '../../../src/main/dataset/export/lineWriter.ts';
import { checkExport } from '../../../src/main/dataset/export/runExport.ts';
import { HOOKS } from '../../support/exported.ts';
import { asked, type RowKind } from '../../support/exporting.ts';
import { serveEnvironment } from '../../support/flow.ts';
import { native, replies, reply, startStepIn } from '../../support/stepIn.ts';
import { createBench, type Bench } from '../import/support.ts';
import { advised, edited, GOOD, rowsOf, solo, type Made } from './episodes.ts';

/** The agent thinks before the call, or before its last words too. */
async function thinking(url: string, isSilentAtTheEnd = false): Promise<Made> {
  const call = { ...native('rename_workflow', { id: 2 }), reasoning: 'The second is meant.' };
  const end = reply({ content: 'Done.', reasoning: isSilentAtTheEnd ? null : 'It is renamed.' });
  const flow = startStepIn(url, replies(call, end));
  await flow.ended;
  return { log: flow.log, id: flow.id };
}

const NAMES = ['thinking', 'halfThinking', 'solo', 'advised', 'edited'] as const;
type Name = (typeof NAMES)[number];
let bench: Bench;
let idOf: Record<Name, string>;
beforeAll(async () => {
  const environment = await serveEnvironment();
  const play: Record<Name, () => Promise<Made>> = {
    thinking: () => thinking(environment.url),
    halfThinking: () => thinking(environment.url, true),
    solo: () => solo(environment),
    advised: () => advised(environment, { ask: 1, do: 'send', text: GOOD }),
    edited: () => edited(environment),
  };
  // Each was played in a log of its own: all of them together lie in the log they are imported into.
  bench = createBench();
  const ids: Partial<typeof idOf> = {};
  for (const name of NAMES) {
    environment.calls.length = 0;
    const made = await play[name]();
    const text = rowsOf('events', made)
      .made.flatMap(({ row, more = [] }) => [row, ...more])
      .map((line) => `${jsonLine(line)}\n`)
      .join('');
    const { ids: imported } = await bench.one(text.replaceAll(`"${made.id}`, `"${name}`));
    ids[name] = imported[0] ?? '';
  }
  idOf = ids as typeof idOf;
  environment.close();
});
afterAll(() => bench.close());

/** What one check says of some of the episodes; null where it finds nothing. */
async function said(check: string, kind: RowKind, names: readonly Name[], over: Partial<ExportRules> = {}) {
  const { format, rules } = asked(kind, {
    episodes: names.map((name) => idOf[name]),
    include: ['contrary', 'duplicates'],
    ...over,
  });
  const report = await checkExport(bench.log, { format, rules }, HOOKS);
  expect(report.rows).toBeGreaterThan(0);
  return report.findings.find((finding) => finding.check === check) ?? null;
}
const placesOf = (finding: Awaited<ReturnType<typeof said>>): string[] => [
  ...new Set(finding?.at.map(({ episode }) => episode)),
];

const WITH_REASONING = ['sft', 'sft_messages', 'kto', 'demonstrations'] as const;
const WITHOUT_A_CHOICE = ['grpo', 'episode_record', 'atif', 'awm', 'scores', 'events'] as const;

describe('reasoning that is in the log and not in the row', () => {
  it.each(WITH_REASONING)('is told of, where it was asked to be left out of %s', async (format) => {
    const left = await said('reasoning_left_out', format, ['thinking', 'solo'], { reasoning: false });

    expect(left?.level).toBe('warning');
    expect(left?.message).toMatch(/reasoning is in the log and not in the row/);
    expect(placesOf(left)).toEqual([idOf.thinking]);
    expect(await said('reasoning_left_out', format, ['thinking', 'solo'])).toBeNull();
  });

  it.each(WITHOUT_A_CHOICE)(
    'is no finding in %s, where reasoning is no choice of an export',
    async (format) => {
      expect(await said('reasoning_left_out', format, ['thinking'], { reasoning: false })).toBeNull();
    },
  );
});

describe('replies that were recorded without reasoning', () => {
  it.each(WITH_REASONING)('are told of in %s, and only those', async (format) => {
    for (const reasoning of [true, false]) {
      const none = await said('no_reasoning', format, ['thinking', 'solo'], { reasoning });
      expect(none?.level).toBe('note');
      expect(none?.message).toMatch(/recorded without reasoning/);
      expect(placesOf(none)).toEqual([idOf.solo]);
    }
    expect(await said('no_reasoning', format, ['thinking'])).toBeNull();
  });

  it('are no finding in a conversation of which one reply was thought over', async () => {
    expect(await said('no_reasoning', 'sft_messages', ['halfThinking'])).toBeNull();
  });

  it.each(WITHOUT_A_CHOICE)(
    'are no finding in %s, where reasoning is no choice of an export',
    async (format) => {
      expect(await said('no_reasoning', format, ['solo'])).toBeNull();
    },
  );
});

describe('pairs of advice beside pairs of the agent', () => {
  it('are told of, as many as there are, with a way to part them', async () => {
    const both = await said('two_learners', 'preference', ['advised', 'edited']);

    expect(both).toMatchObject({ level: 'warning', count: 1 });
    expect(both?.message).toBe(
      '1 row prefers one advice over another, to train an advisor. The others train the agent: select by `pair`.',
    );
  });

  it('are no finding where only one of the two is there', async () => {
    expect(await said('two_learners', 'preference', ['advised'])).toBeNull();
    expect(await said('two_learners', 'preference', ['edited'])).toBeNull();
  });

  it.each(['sft', 'kto', 'when_to_ask'] as const)(
    'are no finding in %s, which has classes of another kind or none',
    async (format) => {
      expect(await said('two_learners', format, ['advised', 'edited'])).toBeNull();
    },
  );
});
