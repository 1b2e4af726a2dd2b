import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ExportFormat } from '../../../src/shared/contract/export.ts';
import { jsonLine } from '../../../src/main/dataset/export/lines.ts';
import type { EpisodeRecord } from '../../../src/shared/episode/record.ts';
import { serveEnvironment } from '../../support/flow.ts';
import { createBench, first, story, type Bench } from '../import/support.ts';
import { advised, callsOf, edited, GOOD, recordOf, rowsOf, solo, type Made } from './episodes.ts';

let environment: Awaited<ReturnType<typeof serveEnvironment>>;
let made: { solo: Made; advised: Made; edited: Made };
beforeAll(async () => {
  environment = await serveEnvironment();
  made = {
    solo: await solo(environment),
    advised: await advised(environment, { ask: 1, do: 'send', text: GOOD }),
    edited: await edited(environment),
  };
}, 60_000);
afterAll(() => environment.close());
let bench: Bench;
beforeEach(() => {
  bench = createBench();
});
afterEach(() => bench.close());

/** What a format wrote of an episode, imported again. */
async function again(format: ExportFormat, one: Made): Promise<EpisodeRecord> {
  const lines = rowsOf(format, one).made.flatMap(({ row, more = [] }) => [row, ...more]);
  const { report, records } = await bench.one(lines.map((line) => `${jsonLine(line)}\n`).join(''));
  expect(report).toMatchObject({ episodes: 1, skipped: 0, diagnostics: [], failure: null });
  return first(records);
}
const words = ({ messages }: EpisodeRecord) => messages.map(({ role, content }) => [role, content]);
const ending = ({ ended }: EpisodeRecord) => [ended?.reward, ended?.rewardType, ended?.finalAnswer];

describe('what an export wrote and an import reads', () => {
  it('is, of our own events, the same stream', async () => {
    const record = await again('events', made.edited);
    expect(bench.log.read(record.id).map(({ n, at, actor, event }) => ({ n, at, actor, event }))).toEqual(
      made.edited.log.read(made.edited.id).map(({ n, at, actor, event }) => ({ n, at, actor, event })),
    );
  });

  it.each(['solo', 'advised'] as const)(
    'is, of a record of OpenEnv, the same words, calls, rewards and end (%s)',
    async (name) => {
      const before = recordOf(made[name]);
      const record = await again('episode_record', made[name]);

      expect(words(record)).toEqual(words(before));
      expect(story(record)).toEqual(story(before));
      expect(ending(record)).toEqual(ending(before));
      expect(record.turns.map(({ call }) => call?.returned?.reward ?? null)).toEqual(
        before.turns.map(({ call }) => call?.returned?.reward ?? null),
      );
      expect(record.offered.map(({ name: tool }) => tool)).toEqual(
        before.offered.map(({ name: tool }) => tool),
      );
    },
  );

  it('is, of a trajectory, the same words, calls, times and end; that a call failed is in its text alone', async () => {
    const before = recordOf(made.advised);
    const record = await again('atif', made.advised);

    expect(words(record)).toEqual(words(before));
    expect(record.turns.map(({ move }) => move)).toEqual(before.turns.map(({ move }) => move));
    expect(record.turns.map(({ at, model }) => [at, model])).toEqual(
      before.turns.map(({ at, model }) => [at, model]),
    );
    expect(ending(record)).toEqual(ending(before));
  });

  it('is, of a server’s trajectory, the calls and the verdict, and no word', async () => {
    const before = recordOf(made.solo);
    const record = await again('awm', made.solo);
    const calls = (one: EpisodeRecord) => story(one).filter((line) => line.includes('('));

    expect(calls(record)).toEqual(calls(before));
    expect(record.verified).toMatchObject({ reward_type: 'complete', reward: 1, verifier_mode: 'code' });
    expect(record.turns.every(({ hasText }) => !hasText)).toBe(true);
  });

  it('is, of a session trace, the same words and calls, and no reward', async () => {
    const before = recordOf(made.advised);
    const record = await again('session', made.advised);

    expect(words(record)).toEqual(words(before));
    expect(record.turns.map(({ move }) => move)).toEqual(before.turns.map(({ move }) => move));
    expect(record.ended?.reward).toBeNull();
  });

  it('is, of messages, the conversation as it trains: a call a person changed is the changed one', async () => {
    const record = await again('sft_messages', made.edited);
    const [row] = rowsOf('sft_messages', made.edited).rows;

    expect(words(record)).toEqual(row?.messages.map(({ role, content }) => [role, content]));
    expect(callsOf(row?.messages ?? [])[0]).toBe('rename_workflow {"id":2}');
    expect(record.turns[0]?.move).toMatchObject({ type: 'call_tool', arguments: { id: 2 } });
    expect(ending(record).slice(0, 2)).toEqual([1, 'complete']);
  });
});
