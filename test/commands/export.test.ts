import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ExportJob } from '../../src/shared/contract/export.ts';
import { rulesOf } from '../support/exporting.ts';
import { episodeEntries } from '../support/manyEpisodes.ts';
import { openProduct, removeFolder, type Product } from '../support/product.ts';

describe('the commands that export', () => {
  let product: Product;
  let ask: ReturnType<Product['as']>;
  beforeEach(async () => {
    product = await openProduct();
    ask = product.as('seat-one');
    for (let i = 0; i < 30; i += 1) {
      const id = `e${String(i).padStart(2, '0')}`;
      const entries = episodeEntries(id, i, { number: i, task_idx: i % 5, isAdvised: i % 2 === 0 });
      product.log.importStreams([{ stream: id, entries }]);
    }
  });
  afterEach(async () => {
    await product.close();
    removeFolder(product.folder);
  });
  const done = async (id: string): Promise<ExportJob> => {
    for (;;) {
      const job = await ask('export.job', { export: id });
      if (job.state !== 'running') return job;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  const writing = {
    format: 'sft' as const,
    rules: rulesOf(),
    write: { files: 'jsonl' as const, kit: null, despite: [] },
  };

  it('look first, with rows as they will be and what of them trains, and write nothing', async () => {
    const { export: id } = await ask('export.start', { format: 'sft', rules: rulesOf(), write: null });
    const job = await done(id);

    expect(job).toMatchObject({ mode: 'preview', state: 'done', done: 30, total: 30, failure: null });
    expect(job.report).toMatchObject({ rows: 30, folder: null, files: [], episodes: { read: 30, kept: 30 } });
    expect(job.report?.sample).toHaveLength(5);
    expect(job.report?.sample[0]?.mask.some(({ trains }) => trains)).toBe(true);
    expect(existsSync(join(product.folder, 'exports'))).toBe(false);
  });

  it('write under the data folder, and keep what was written for going on from there', async () => {
    const { export: id } = await ask('export.start', writing);
    const { report } = await done(id);
    const { exports } = await ask('export.history', {});

    expect(report?.folder?.startsWith(join(product.folder, 'exports', 'sft-'))).toBe(true);
    expect(readdirSync(report?.folder ?? '').toSorted()).toEqual([
      'CHECKSUMS',
      'README.md',
      'data',
      'events.jsonl',
      'feedback.jsonl',
      'rules.json',
    ]);
    expect(exports).toMatchObject([
      { format: 'sft', folder: report?.folder, rows: 30, log_to: report?.log_to, rules: rulesOf() },
    ]);
  });

  it('lay the training kit beside the data when it is asked for', async () => {
    const { export: id } = await ask('export.start', { ...writing, write: { ...writing.write, kit: 'trl' } });
    const { report } = await done(id);

    expect(report?.files).toEqual(
      expect.arrayContaining(['kit/README.md', 'kit/grpo.py', 'kit/interject.py']),
    );
    expect(readFileSync(join(report?.folder ?? '', 'CHECKSUMS'), 'utf8')).toContain('kit/grpo.py');
    expect(readFileSync(join(report?.folder ?? '', 'README.md'), 'utf8')).toContain('`kit/`');
  });

  it('run one after the other, and stop when they are told to', async () => {
    const first = await ask('export.start', { format: 'sft', rules: rulesOf(), write: null });
    const second = await ask('export.start', writing);
    await ask('export.cancel', { export: second.export });

    expect((await done(first.export)).state).toBe('done');
    expect(await done(second.export)).toMatchObject({ state: 'cancelled', report: null, failure: null });
    expect((await ask('export.history', {})).exports).toEqual([]);
    await expect(ask('export.job', { export: 'none' })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('say why a job failed', async () => {
    const { export: id } = await ask('export.start', {
      ...writing,
      format: 'atif',
      write: { ...writing.write, kit: 'trl', files: 'parquet' },
    });

    expect(await done(id)).toMatchObject({ state: 'failed', failure: { code: 'bad_input' } });
  });
});
