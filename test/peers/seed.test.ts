// A world's first database as Python's own SQLite makes it, against ours: the same rows and the same refusals, but for
// the rows that mended quotes let in.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { seedDatabase } from '../../src/main/state/seed.ts';
import { createAwmData } from '../../src/main/environments/awmData.ts';
import { writeAwmFolder } from '../support/awmFolder.ts';
import { pythonRows, RELEASES } from './support.ts';

it('makes the first database of a scenario as Python does, and says which rows it mended', async () => {
  const folder = writeAwmFolder();
  const scratch = mkdtempSync(join(tmpdir(), 'interject-seed-'));
  try {
    const statements = (await createAwmData(folder).seed('s_1')) ?? [];
    const file = join(scratch, 'statements.json');
    writeFileSync(file, JSON.stringify(statements.map(({ sql }) => sql)));
    const [theirs] = await pythonRows(RELEASES[0], 'seed_rows.py', [file]);
    const { failed, tables } = theirs as { failed: number[]; tables: { workflows: unknown[] } };
    const { image, problems } = seedDatabase(statements);

    const db = new Sqlite(Buffer.from(image), { readonly: true });
    const ours = db.prepare<[], unknown[]>('SELECT * FROM workflows ORDER BY 1').raw().all();
    db.close();
    const mended = problems.filter(({ is_repaired: isRepaired }) => isRepaired);
    const isAt = ({ file: at, table, number }: { file: string; table: string; number: number }): number =>
      statements.findIndex((one) => one.file === at && one.table === table && one.number === number);

    expect(problems.map(isAt)).toEqual(failed);
    expect(mended.map(({ number }) => number)).toEqual([3]);
    expect(ours.filter(([id]) => id !== 3)).toEqual(tables.workflows);
  } finally {
    rmSync(folder, { recursive: true });
    rmSync(scratch, { recursive: true });
  }
});
