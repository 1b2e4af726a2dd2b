import { existsSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ArchiveJob } from '../../src/shared/contract/archive.ts';
import { episodeEntries } from '../support/manyEpisodes.ts';
import { openProduct, removeFolder, startInput, type Product } from '../support/product.ts';

const EPISODES = 30;
const ids = Array.from({ length: EPISODES }, (_, i) => `e${String(i).padStart(2, '0')}`);

describe('the commands that archive', () => {
  let product: Product;
  let ask: ReturnType<Product['as']>;
  beforeEach(async () => {
    product = await openProduct();
    ask = product.as('seat-one');
    product.log.importStreams(
      ids.map((id, i) => ({
        stream: id,
        entries: episodeEntries(id, i, { number: i, task_idx: i % 5, isAdvised: i % 2 === 0 }),
      })),
    );
  });
  afterEach(async () => {
    await product.close();
    removeFolder(product.folder);
  });
  const jobOf = async (id: string): Promise<ArchiveJob | undefined> =>
    (await ask('archive.jobs', {})).jobs.find(({ job }) => job === id);
  const done = async ({ job }: { job: string }): Promise<ArchiveJob> =>
    expect
      .poll(() => jobOf(job))
      .toSatisfy((one: ArchiveJob) => one.state !== 'running' && one.state !== 'waiting')
      .then(async () => (await jobOf(job)) as ArchiveJob);
  const archives = (): string => join(product.folder, 'archives');
  const endedAt = (id: string): number => product.log.projections.episode(id)?.updated_at ?? 0;

  it('say before what would move, what stays and why, how many bytes, and where the file would be', async () => {
    const { episodes } = await ask('episode.start', startInput());
    const running = episodes[0] ?? '';
    await product.until(running, ({ consultations }) => consultations[0]);

    const said = await ask('archive.estimate', { choice: { episodes: [...ids.slice(0, 10), running] } });

    const size = product.log.rows(ids[0] ?? '').reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
    expect(said).toMatchObject({ episodes: 10, archived: 0, open: 1, folder: archives(), running: 1 });
    expect(said.bytes / 10).toBeGreaterThan(size);
    expect(said.bytes / 10).toBeLessThan(size * 3);
    expect(said.free_bytes).toBeGreaterThan(0);
    await expect(ask('archive.start', { choice: { episodes: ids }, compact: true })).rejects.toMatchObject({
      code: 'bad_input',
      message: expect.stringContaining('while episodes run'),
    });
    expect(existsSync(archives())).toBe(false);
  });

  it('take those that ended before a day, mark them in the list, and say that search does not cover them', async () => {
    const day = endedAt(ids[10] ?? '');
    const old = ids.filter((id) => endedAt(id) < day);
    expect(old.length).toBeGreaterThan(0);
    expect(old.length).toBeLessThan(EPISODES);

    const job = await done(await ask('archive.start', { choice: { ended_before: day }, compact: false }));

    expect(job).toMatchObject({ act: 'archive', state: 'done', episodes: old.length, failure: null });
    const page = { query: '', status: null, condition: null, offset: 0, limit: 100 };
    const { rows } = await ask('episodes.page', page);
    expect(
      rows
        .filter(({ archived }) => archived !== undefined)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(old);
    const search = { query: 'nowhere', kinds: [], before: null, limit: 1 };
    expect(await ask('log.search', search)).toMatchObject({ archived: old.length });
    expect((await ask('archive.files', {})).files).toEqual([
      { file: job.file, path: job.path, episodes: old.length, bytes: expect.any(Number) as number },
    ]);

    const back = await done(await ask('archive.bring_back', { from: { file: job.file ?? '' } }));
    expect(back).toMatchObject({ act: 'bring_back', state: 'done', episodes: old.length });
    expect(await ask('log.search', search)).not.toHaveProperty('archived');
  });

  it('leave nothing behind when one is cancelled, and forget a job that is over', async () => {
    const first = await ask('archive.start', { choice: { episodes: ids }, compact: false });
    const second = await ask('archive.start', { choice: { episodes: ids }, compact: false });
    await ask('archive.cancel', first);

    expect(await done(first)).toMatchObject({ state: 'cancelled' });
    expect(await done(second)).toMatchObject({ state: 'done', episodes: EPISODES });
    expect(readdirSync(archives())).toHaveLength(1);
    await ask('archive.cancel', first);
    expect((await ask('archive.jobs', {})).jobs.map(({ job }) => job)).toEqual([second.job]);
  });

  it('name a file that is gone and what to do, and bring back once it is there', async () => {
    const { path } = await done(await ask('archive.start', { choice: { episodes: ids }, compact: true }));
    product.log.archives.close();
    renameSync(path ?? '', join(product.folder, 'away'));

    const failed = await done(await ask('archive.bring_back', { from: { episodes: ids } }));

    expect(failed).toMatchObject({ state: 'failed', failure: { code: 'not_found' } });
    expect(failed.failure?.message).toContain(path);
    expect(failed.failure?.next).toContain('Put the file back');
    await expect(ask('episode.read', { episode: ids[0] ?? '', after: 0, limit: 9 })).rejects.toThrow(
      /is not there/,
    );
    expect((await ask('archive.files', {})).files).toMatchObject([{ episodes: EPISODES, bytes: null }]);
    renameSync(join(product.folder, 'away'), path ?? '');
    expect(await done(await ask('archive.bring_back', { from: { episodes: ids } }))).toMatchObject({
      state: 'done',
      episodes: EPISODES,
    });
  });
});
