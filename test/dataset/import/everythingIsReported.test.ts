import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FileReport } from '../../../src/shared/contract/import.ts';
import { createRandom, createUnique, HUGE, leavesOf, mutate, written, type Leaf } from './mutate.ts';
import { RECORDS } from './records.ts';
import { createBench, type Bench } from './support.ts';

let bench: Bench;
beforeAll(() => {
  bench = createBench();
});
afterAll(() => bench.close());

const VARIANTS = 60;
const isMarked = ({ value }: Leaf): boolean =>
  value === HUGE || (typeof value === 'string' ? value.length >= 24 : value >= 7_000_000);

const isLeftOut = ({ diagnostics }: FileReport, line: number): boolean =>
  diagnostics.some(({ code, pointer }) => code === 'unknown_line' && pointer === `line ${String(line)}`);

/** Without the marks by which JSON in JSON is spelled. */
const plain = (text: string): string => text.replaceAll(/[\\"\s]/g, '');

/** A second road to the same claim: plain search in the stored rows, and the paths of the report. */
function isAccountedFor(
  leaf: Leaf,
  rows: string,
  { conservation, passed_over: passed, skipped }: FileReport,
): boolean {
  const text = leaf.value === HUGE ? '9007199254740993' : plain(String(leaf.value));
  if (rows.includes(text)) return true;
  // What was left out as a whole is counted and named.
  if (conservation === null) return skipped > 0;
  return (
    conservation.further > 0 ||
    conservation.not_read.some(({ path }) => path.split('.').includes(leaf.name)) ||
    passed.some(({ path }) => leaf.path.startsWith(path))
  );
}

describe.each(Object.keys(RECORDS))(
  'a record of %s, changed as other versions of its program may',
  (format) => {
    it('loses nothing that is not reported', async () => {
      const lost: string[] = [];
      let episodes = 0;
      for (let seed = 0; seed < VARIANTS; seed += 1) {
        const random = createRandom(seed * 7919 + 17);
        const unique = createUnique(random);
        const records = (RECORDS[format] ?? (() => []))(unique);
        for (let times = seed % 5; times > 0; times -= 1)
          mutate(records[random(records.length)], random, unique);
        const content = records.map((record) => `${written(record)}\n`).join('');
        const path = bench.write({ 'a.jsonl': content });
        const { report, ids } = await bench.read(path, undefined, true);
        episodes += ids.length;
        if (report.failure !== null && report.conservation === null) continue;
        const rows = plain(ids.map((id) => JSON.stringify(bench.log.read(id))).join('\n'));
        // A line that is left out as a whole is named by its number.
        const read = records.filter((_, index) => !isLeftOut(report, index + 1));
        for (const leaf of read.flatMap((record) => leavesOf(record)).filter(isMarked))
          if (!isAccountedFor(leaf, rows, report))
            lost.push(`seed ${String(seed)}: ${leaf.path} ${JSON.stringify(report.diagnostics)}`);
      }

      expect(lost).toEqual([]);
      expect(episodes).toBeGreaterThan(VARIANTS / 3);
    });
  },
);
