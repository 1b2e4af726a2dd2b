// Logs of situations that other tools report, where the project keeps them beside its checkout.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { root } from '../../support/worlds.ts';
import { codes, createBench, story, type Bench } from './support.ts';

const logs = join(root, '../shared/fixtures/logs');
const INDEX = join(logs, 'INDEX.tsv');

let bench: Bench;
beforeEach(() => (bench = createBench()));
afterEach(() => bench.close());

/** Episodes, what was skipped, what is said of the file, and what of it was not read. */
const GIVES: Record<string, [number, number, string[], string[]]> = {
  '01-mostly-other-lines.jsonl': [1, 200, ['no_messages', 'not_all_read'], ['records of type note']],
  '02-nul-line.jsonl': [2, 1, ['broken_json', 'not_all_read'], ['what is no JSON']],
  '04-nan.jsonl': [2, 0, ['not_a_number'], []],
  '13-pairing.jsonl': [1, 0, ['order_of_results', 'no_call'], []],
  '15-session-tree.jsonl': [
    3,
    1,
    ['unknown_line', 'repeated_line', 'no_parent'],
    ['records of type compaction'],
  ],
  '17-image-chat.jsonl': [1, 0, ['media'], ['messages.*.content.*.image_url.url']],
  '19-bom-crlf.jsonl': [2, 0, [], []],
  '20-utf16.jsonl': [1, 0, ['encoding'], []],
  '24-loss-weight.jsonl': [2, 0, [], []],
  '26-rewards.jsonl': [8, 0, ['not_all_read'], ['reward.total', 'reward.style', 'reward.*']],
  '28-times.jsonl': [1, 0, ['time_backwards'], []],
  '31-other-parts.jsonl': [5, 0, [], []],
};

describe.skipIf(!existsSync(INDEX))('a log of a situation that is known to go wrong', () => {
  it.each(Object.entries(GIVES))('gives what it should, and says what is odd: %s', async (name, gives) => {
    expect(readFileSync(INDEX, 'utf8')).toContain(name);
    const [episodes, skipped, said, unread] = gives;
    const { report, records } = await bench.read(join(logs, name));

    expect(report).toMatchObject({ episodes, skipped, failure: null });
    for (const code of said) expect(codes(report)).toContain(code);
    const paths = report.conservation?.not_read.map(({ path }) => path) ?? [];
    if (name.startsWith('15')) expect(paths).toContain(unread[0]);
    else expect(paths.toSorted()).toEqual(unread.toSorted());
    expect(records.flatMap(story).join()).not.toMatch(/\[(?:text|toolCall)\]/);
  });

  it.each([
    ['13-pairing.jsonl', ['north({}) -> north says twenty', 'south({}) -> south says forty']],
    ['31-other-parts.jsonl', ['weigh({"anchor":"port side"}) -> nine hundred kilos']],
  ])('pairs calls and results: %s', async (name, told) => {
    const { records } = await bench.read(join(logs, name));
    expect(records.flatMap(story)).toEqual(expect.arrayContaining(told));
  });

  it('has a reward that is a number, also one as text, and names every other', async () => {
    const { records } = await bench.read(join(logs, '26-rewards.jsonl'));
    expect(records.map(({ ended }) => ended?.reward)).toEqual([1, 1, null, null, null, null, null, null]);
  });

  it('keeps a time in nanoseconds', async () => {
    const { ids } = await bench.read(join(logs, '28-times.jsonl'));
    const years = ids.flatMap((id) => bench.log.read(id)).map(({ at }) => new Date(at).getUTCFullYear());
    expect(new Set(years)).toEqual(new Set([2026]));
  });
});
