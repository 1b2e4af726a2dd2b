import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FormatColumn } from '../../../src/main/dataset/export/format.ts';
import { writeTable } from '../../../src/main/dataset/export/parquet.ts';
import { folderPerTest } from '../../support/temporaryFolder.ts';

const COLUMNS: FormatColumn[] = [
  { name: 'messages', type: 'json', isList: true },
  { name: 'turn', type: 'int64' },
  { name: 'reward', type: 'float64' },
];
const row = (turn: number, text = 'hello') => ({
  messages: [{ role: 'user', content: text }],
  turn,
  reward: 0.5,
});

const folder = folderPerTest();

describe('a table', () => {
  it('is written whole, the same bytes each time, and says how many rows and bytes it has', async () => {
    const [one, other] = [join(folder(), 'a.parquet'), join(folder(), 'b.parquet')];

    const written = await writeTable(one, COLUMNS, [row(1), row(2)]);
    await writeTable(other, COLUMNS, [row(1), row(2)]);

    const bytes = readFileSync(one);
    expect(written).toEqual({ rows: 2, bytes: bytes.length });
    expect(bytes.subarray(0, 4).toString()).toBe('PAR1');
    expect(bytes.subarray(-4).toString()).toBe('PAR1');
    expect(readFileSync(other).equals(bytes)).toBe(true);
  });

  it('may be empty', async () => {
    expect(await writeTable(join(folder(), 'a.parquet'), COLUMNS, [])).toMatchObject({ rows: 0 });
  });

  it('is not written with a column missing from a row', async () => {
    await expect(writeTable(join(folder(), 'a.parquet'), COLUMNS, [{ turn: 1 }])).rejects.toThrow(
      /no column messages/,
    );
  });

  it('takes rows one by one, and writes them a group at a time while more come', async () => {
    const path = join(folder(), 'a.parquet');
    const sizes: number[] = [];
    function* rows() {
      for (let i = 0; i < 400; i += 1) {
        if (i % 100 === 0) sizes.push(statSync(path).size);
        yield row(i, 'x'.repeat(100_000));
      }
    }

    const { rows: count } = await writeTable(path, COLUMNS, rows());

    expect(count).toBe(400);
    const growing = [...new Set([...sizes, statSync(path).size])].toSorted((a, b) => a - b);
    expect([...sizes, statSync(path).size]).toEqual(growing);
  });
});
