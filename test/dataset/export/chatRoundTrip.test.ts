// A chat form we write, read again through our own import and written again: what a trainer reads of it is the same.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonLine } from '../../../src/main/dataset/export/lineWriter.ts';
import { Doubtful, type ExportRules } from '../../../src/shared/contract/export.ts';
import { seededRandom } from '../../../src/shared/statistics/random.ts';
import type { EventLog } from '../../../src/main/log/eventLog.ts';
import { makeRows, type RowKind } from '../../support/exporting.ts';
import { serveEnvironment } from '../../support/flow.ts';
import { call, createBench, lines } from '../import/support.ts';
import * as episodes from './episodes.ts';

type Rows = Record<string, unknown>[];

/** What a trainer reads of rows, and what they are about; who advised, when and in which episode is not in a conversation. */
const READ = [
  'prompt',
  'completion',
  'messages',
  'chosen',
  'rejected',
  'label',
  'tools',
  'scenario',
  'task_idx',
  'reward',
  'reward_type',
];
const read = (rows: Rows): string[] =>
  rows
    .map((row) =>
      JSON.stringify(READ.map((name) => [name, name === 'tools' ? (row[name] ?? []) : row[name]])),
    )
    .toSorted((a, b) => (a < b ? -1 : 1));

const rules = (over: Partial<ExportRules>) =>
  ({
    verdict: 'any' as const,
    include: [...Doubtful.options],
    ...over,
  }) satisfies Partial<ExportRules>;

/** The rows of a log, and those of what they become when they are imported. */
async function thereAndBack(
  log: EventLog,
  kind: RowKind,
  over: Partial<ExportRules>,
): Promise<[first: string[], again: string[]]> {
  const { rows } = await makeRows(log, kind, rules(over));
  if (rows.length === 0) return [[], []];
  const bench = createBench();
  const { report } = await bench.one(rows.map((row) => `${jsonLine(row)}\n`).join(''), 'rows.jsonl');
  expect(report).toMatchObject({ skipped: 0, failure: null });
  expect(report.conservation).toMatchObject({ kept: report.conservation?.characters });
  const format = kind === 'advisor' ? 'sft' : kind === 'demonstrations' ? 'sft_messages' : kind;
  const again = await makeRows(bench.log, format, rules(over));
  bench.close();
  return [read(rows), read(again.rows)];
}

const FORMS: RowKind[] = ['sft', 'sft_messages', 'preference', 'kto', 'advisor', 'demonstrations'];
const STYLES: Partial<ExportRules>[] = [{}, { arguments: 'string' }, { reasoning: false }];

describe('rows of an episode, imported and exported again,', () => {
  let made: Record<string, episodes.Made>;
  const open: { close: () => void }[] = [];
  const environment = async () => {
    const one = await serveEnvironment();
    open.push(one);
    return one;
  };
  beforeAll(async () => {
    made = {
      solo: await episodes.solo(await environment()),
      advised: await episodes.advised(await environment(), { ask: 1, do: 'send', text: episodes.GOOD }),
      declined: await episodes.advised(await environment(), {
        ask: 1,
        do: 'decline',
        reason: 'You know it.',
      }),
      edited: await episodes.edited(await environment()),
      'edited in XML': await episodes.edited(await environment(), 'xml'),
      rejected: await episodes.rejected(await environment()),
      answered: await episodes.answered(await environment()),
      labelled: await episodes.labelled(await environment()),
      stumbled: await episodes.stumbled(await environment()),
      'several calls': await episodes.severalCalls(await environment()),
    };
  });
  afterAll(() => open.forEach((one) => one.close()));

  it.each(FORMS)('are the same rows: %s', async (form) => {
    let count = 0;
    for (const [name, { log }] of Object.entries(made))
      for (const style of STYLES) {
        const [first, again] = await thereAndBack(log, form, style);
        expect([name, style, again]).toEqual([name, style, first]);
        count += first.length;
      }
    expect(count).toBeGreaterThan(0);
  });
});

/** Conversations of any kind that a file may hold: a row of messages, one with a label, or a pair. */
function randomRows(count: number, seed: string): object[] {
  const random = seededRandom(seed);
  const below = (end: number): number => Math.floor(random() * end);
  const of = <T>(...all: readonly T[]): T => all[below(all.length)] as T;
  const is = (share: number): boolean => random() < share;
  let made = 0;
  const words = (): string => {
    made += 1;
    return `${of('Weigh', 'Жито', '“quoted”', '{"a": 1}', 'two\nlines', '  spaced ', '<b>', '💚')} ${String(made)}`;
  };
  const value = (): unknown =>
    of<unknown>(
      words(),
      below(9),
      -1.5,
      true,
      null,
      [1, 'b'],
      { deep: [words()] },
      9_007_199_254_740_991,
      '',
      {},
    );
  const messages = (): object[] => {
    const all: object[] = is(0.5) ? [{ role: 'system', content: words() }] : [];
    all.push({ role: 'user', content: words() });
    for (let turns = 1 + below(4); turns > 0; turns -= 1) {
      const calls = is(0.6)
        ? Array.from({ length: of(1, 1, 2, 3) }, () =>
            call(
              `c${String((made += 1))}`,
              of('weigh', 'look_up', 'list_tools'),
              JSON.stringify({ [of('a', 'b')]: value() }),
            ),
          )
        : [];
      all.push({
        role: 'assistant',
        content: calls.length > 0 && is(0.5) ? '' : words(),
        ...(is(0.3) ? { reasoning_content: words() } : {}),
        ...(calls.length === 0 ? {} : { tool_calls: calls }),
        ...(is(0.2) ? { weight: of(0, 1) } : {}),
      });
      for (const { id } of calls)
        if (is(0.95))
          all.push({
            role: 'tool',
            tool_call_id: id,
            content: is(0.9) ? words() : '',
            ...(is(0.3) ? { name: 'weigh' } : {}),
          });
      if (is(0.3)) all.push({ role: 'user', content: words() });
    }
    if (is(0.7)) all.push({ role: 'assistant', content: words() });
    return all;
  };
  const tools = () =>
    is(0.5)
      ? {
          tools: [
            {
              type: 'function',
              function: { name: 'weigh', description: words(), parameters: { type: 'object' } },
            },
          ],
        }
      : {};
  const about = () => ({
    ...(is(0.5) ? { scenario: 'harbour', task_idx: below(3) } : {}),
    ...(is(0.5) ? { reward: of(0, 1, 0.25), reward_type: of('complete', 'incomplete') } : {}),
  });
  const reply = () => [{ role: 'assistant', content: words() }];
  return Array.from({ length: count }, () => {
    const row = { ...tools(), ...about() };
    const kind = below(4);
    if (kind === 0)
      return { ...row, prompt: messages().slice(0, 2 + below(3)), chosen: reply(), rejected: reply() };
    if (kind === 1)
      return { ...row, prompt: [{ role: 'user', content: words() }], completion: reply(), label: is(0.5) };
    return { ...row, messages: messages() };
  });
}

describe('rows of conversations of any kind, imported and exported again,', () => {
  it.each(FORMS.slice(0, 4))('are the same rows: %s', async (form) => {
    const source = createBench();
    const { report } = await source.one(lines(...randomRows(150, form)), 'all.jsonl');
    expect(report).toMatchObject({ skipped: 0, failure: null });
    for (const style of STYLES) {
      const [first, again] = await thereAndBack(source.log, form, style);
      expect(first.length).toBeGreaterThan(10);
      expect(again).toEqual(first);
    }
    source.close();
  });
});
