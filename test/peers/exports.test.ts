import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExportFormat } from '../../src/shared/contract/export.ts';
import { FORMATS } from '../../src/main/dataset/export/formats.ts';
import { writeExport } from '../../src/main/dataset/export/runExport.ts';
import { advised, edited, GOOD, labelled, rulesOf, solo, type Made } from '../dataset/export/episodes.ts';
import { exampleLog, write } from '../support/exported.ts';
import { serveEnvironment } from '../support/flow.ts';
import { pythonRows } from './support.ts';

const FORMATS_HERE = Object.keys(FORMATS) as ExportFormat[];

const SESSIONS = 'sessions of three episodes';

type Loaded = { name: string; rows: number; first: Record<string, unknown> };
let folder = '';
let loaded: Map<string, Loaded>;

/** An episode of which the format makes rows. */
function episodeFor(
  format: ExportFormat,
  made: Record<'advised' | 'edited' | 'labelled' | 'solo', Made>,
): Made {
  if (format === 'human_feedback' || format === 'prm') return made.labelled;
  if (format === 'demonstrations') return made.solo;
  return format === 'advisor' || format === 'when_to_ask' ? made.advised : made.edited;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'interject-peers-exports-'));
  const environment = await serveEnvironment();
  const made = {
    advised: await advised(environment, { ask: 1, do: 'send', text: GOOD }),
    edited: await edited(environment),
    labelled: await labelled(environment),
    solo: await solo(environment),
  };
  mkdirSync(join(folder, 'sets'));
  const hooks = { signal: new AbortController().signal, onProgress: () => undefined };
  for (const format of FORMATS_HERE) {
    const files = FORMATS[format].columns === null ? (['jsonl'] as const) : (['jsonl', 'parquet'] as const);
    for (const kind of files) {
      const out = join(folder, 'sets', `${format}-${kind}`);
      const ask = {
        format,
        rules: rulesOf(),
        files: kind,
        kit: null,
        despite: ['too_few'],
        folder: out,
        isForced: false,
      };
      await writeExport(episodeFor(format, made).log, ask, hooks);
    }
  }
  const { log } = await exampleLog(environment);
  await write(log, join(folder, 'sets', SESSIONS), { format: 'session' });
  environment.close();
  const rows = await pythonRows('openenv-0.10.0', 'check_exports.py', [
    join(folder, 'sets'),
    join(folder, 'cache'),
  ]);
  loaded = new Map((rows as Loaded[]).map((one) => [one.name, one]));
}, 240_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('what an export wrote, loaded with the real datasets package', () => {
  it.each(FORMATS_HERE)('%s loads with the columns that its card declares', (format) => {
    const { columns, cardColumns = null } = FORMATS[format];
    const declared = columns ?? cardColumns;
    const one = loaded.get(`${format}-jsonl`);
    expect(one?.rows).toBeGreaterThan(0);
    if (declared !== null) expect(Object.keys(one?.first ?? {})).toEqual(declared.map(({ name }) => name));
  });

  it('of sessions has a row for each, with every line of it, as teich takes them', () => {
    const { rows, first }: Omit<Loaded, 'name'> = loaded.get(SESSIONS) ?? { name: '', rows: 0, first: {} };
    const trace = readFileSync(join(folder, 'sets', SESSIONS, String(first['file_path'])), 'utf8');

    expect(rows).toBe(3);
    expect(first['trace']).toBe(trace);
    const [head, ...messages] = trace
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(first['session_id']).toBe(head.id);
    expect(first['messages']).toHaveLength(messages.length);
  });

  it.each(FORMATS_HERE.filter((format) => FORMATS[format].columns !== null))(
    '%s gives the same rows from Parquet as from lines, JSON read back as JSON',
    (format) => {
      expect(loaded.get(`${format}-parquet`)?.first).toEqual(loaded.get(`${format}-jsonl`)?.first);
    },
  );
});
