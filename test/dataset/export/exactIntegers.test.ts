import { parquetReadObjects } from 'hyparquet';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonLine } from '../../../src/main/dataset/export/lineWriter.ts';
import { checkExport } from '../../../src/main/dataset/export/runExport.ts';
import { HOOKS, write } from '../../support/exported.ts';
import { asked, ROW_KINDS, type RowKind } from '../../support/exporting.ts';
import { serveEnvironment } from '../../support/flow.ts';
import { createBench, type Bench } from '../import/support.ts';
import { advised, edited, GOOD, labelled, rowsOf, solo, type Made } from './episodes.ts';

const BIG = '9007199254740993';
const ROUNDED = '9007199254740992';
/** Scores hold none of an episode's values. */
const KINDS_HERE = ROW_KINDS.filter((kind) => kind !== 'scores');
/** What the checks say of whole numbers. */
const ABOUT_INTEGERS = ['large_integers', 'exact_integers', 'schema'];

/** An episode of which each format makes rows. */
const FOR: Partial<Record<RowKind, keyof typeof PLAYED>> = {
  human_feedback: 'labelled',
  demonstrations: 'solo',
  advisor: 'advised',
  when_to_ask: 'advised',
};
const PLAYED = {
  solo,
  edited,
  labelled,
  advised: (environment: Awaited<ReturnType<typeof serveEnvironment>>) =>
    advised(environment, { ask: 1, do: 'send', text: GOOD }),
};

/** The events of an episode about workflow 2, made to be about one whose id no double holds. */
const aboutBig = (made: Made): string =>
  rowsOf('events', made)
    .made.flatMap(({ row, more = [] }) => [row, ...more])
    .map((line) => `${jsonLine(line)}\n`)
    .join('')
    .replaceAll(/(\\*"id\\*":\s?)2(?=\D)/g, `$1${BIG}`)
    .replaceAll('the second workflow', `workflow ${BIG}`);

let folder = '';
const benches = new Map<string, Bench>();
const logFor = (format: RowKind) => {
  const bench = benches.get(FOR[format] ?? 'edited');
  if (bench === undefined) throw new Error('no such episode');
  return bench.log;
};
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'interject-integers-'));
  const environment = await serveEnvironment();
  for (const [name, play] of Object.entries(PLAYED)) {
    environment.calls.length = 0;
    const text = aboutBig(await play(environment));
    const bench = createBench();
    const { report } = await bench.one(text);
    expect(report).toMatchObject({ episodes: 1, skipped: 0, failure: null });
    benches.set(name, bench);
  }
  environment.close();
});
afterAll(() => {
  for (const bench of benches.values()) bench.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Every value of the data files as text: lines as they are, Parquet as its own reader gives it. */
async function textIn(data: string): Promise<string> {
  const texts: string[] = [];
  for (const name of readdirSync(data, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(jsonl|parquet)$/.test(name)) continue;
    const bytes = readFileSync(join(data, name));
    if (!name.endsWith('.parquet')) texts.push(bytes.toString());
    else {
      const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
      for (const row of await parquetReadObjects({ file }))
        texts.push(
          ...Object.values(row).map((value) => (typeof value === 'object' ? jsonLine(value) : String(value))),
        );
    }
  }
  return texts.join('\n');
}

const KINDS = KINDS_HERE.flatMap((format) =>
  (asked(format).made.columns === null ? (['jsonl'] as const) : (['jsonl', 'parquet'] as const)).map(
    (files) => [format, files] as const,
  ),
);

describe('an imported whole number that no double holds', () => {
  it.each(KINDS)('keeps exactly its digits in the rows of %s (%s)', async (format, files) => {
    const out = join(folder, `${format}-${files}`);

    const { made: _, ...what } = asked(format);
    const report = await write(logFor(format), out, { ...what, files, despite: ['single_class'] });

    const text = await textIn(join(out, 'data'));
    expect(report.rows).toBeGreaterThan(0);
    expect(text).toContain(BIG);
    expect(text).not.toContain(ROUNDED);
  });

  it.each(['sft', 'sft_messages', 'kto', 'preference', 'events'] as const)(
    'is said before the export of %s to be whole, and to be changed by some readers',
    async (format) => {
      const { findings } = await checkExport(logFor(format), asked(format), HOOKS);

      const said = findings.filter(({ check }) => ABOUT_INTEGERS.includes(check));
      expect(said.map(({ check, level }) => `${level} ${check}`)).toEqual(['warning exact_integers']);
      expect(said[0]?.message).toMatch(/digits that their readers would change, such as 9007199254740993/);
      expect(said[0]?.message).not.toMatch(/lost/);
    },
  );
});
