// What a file of each format becomes when it is imported: the report of it, and every event that is written.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createUnique } from '../../dataset/import/mutate.ts';
import { RECORDS } from '../../dataset/import/records.ts';
import { createBench, lines, WITHOUT_IDS, type Bench, type Content } from '../../dataset/import/support.ts';
import { zip } from '../../dataset/import/zip.ts';
import { createMask, pinsOf } from './pinned.ts';

const pin = pinsOf('imports');
let bench: Bench;
beforeEach(() => (bench = createBench()));
afterEach(() => bench.close());

/** Imports one file and pins its report, how many events of each kind there are, and the events. */
async function hold(name: string, content: Content, file = 'a.jsonl'): Promise<void> {
  const path = bench.write({ [file]: content }, 'in');
  const { report, ids } = await bench.read(path);
  const mask = createMask([bench.folder]);
  const events = ids.flatMap((id) => bench.log.read(id));
  const counts: Record<string, number> = {};
  for (const { event } of events) counts[event.kind] = (counts[event.kind] ?? 0) + 1;
  await pin(name, {
    report: mask(JSON.stringify(report, null, 1)),
    'events of each kind': Object.entries(counts)
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([kind, count]) => `${String(count)} ${kind}`)
      .join('\n'),
    events: mask(events.map((event) => JSON.stringify(event)).join('\n')),
  });
}

/** Texts and numbers that are the same in every run. */
const unique = () => createUnique(() => 0);

describe('an imported file becomes the same episodes as ever:', () => {
  it.each(Object.entries(RECORDS))('%s', (format, records) => hold(format, lines(...records(unique()))));

  it('calls without ids', () => hold('calls-without-ids', lines(...WITHOUT_IDS)));

  it('a log of Inspect in its own file', () => {
    const [log] = RECORDS['inspect']?.(unique()) ?? [];
    const { samples, ...header } = log as { samples: { id: string; epoch: number }[] };
    const members = samples.map(
      (sample) =>
        [`samples/${sample.id}_epoch_${String(sample.epoch)}.json`, JSON.stringify(sample)] as const,
    );
    return hold('inspect-eval', zip([['header.json', JSON.stringify(header)], ...members]), 'a.eval');
  });

  it('a file in which lines are broken', () => {
    const [whole] = RECORDS['chat']?.(unique()) ?? [];
    return hold('broken-lines', `${lines(whole)}{"messages":\n${lines({ messages: 'none' }, whole)}`);
  });

  it('a file that nobody reads', async () => {
    await hold('unknown', lines({ colour: 'red' }));
    expect(bench.log.streams('')).toEqual([]);
  });
});
