import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { join } from 'node:path';
import { eraseEpisode } from '../../src/main/commands/library.ts';
import { writeEventBundle, writeSources } from '../../src/main/dataset/bundle.ts';
import { createBench, lines } from '../dataset/import/support.ts';
import { HUMAN } from '../support/log.ts';
import { makeRows } from '../support/exporting.ts';
import { openProduct, removeFolder, startInput, type Product } from '../support/product.ts';

describe('the command that erases', () => {
  let product: Product;
  let episode = '';
  beforeEach(async () => {
    product = await openProduct();
    const { episodes } = await product.as('seat-one')(
      'episode.start',
      startInput({ condition: 'none', task_idx: 0 }),
    );
    episode = episodes[0] ?? '';
    await product.ended(episode);
  });
  afterEach(async () => {
    await product.close();
    removeFolder(product.folder);
  });

  it('takes one text out while the console is open, and the log says who did it and why', async () => {
    const task = product.log.record(episode).reset?.task;
    if (typeof task !== 'string') throw new Error('the task is a text');

    const erased = await product.as('seat-one')('episode.erase', {
      episode,
      text: task,
      reason: 'a name in it',
    });

    expect(erased).toMatchObject({ copies: [], files: [], shared: 0 });
    const events = product.log.read(episode);
    expect(JSON.stringify(events)).not.toContain(task);
    expect(events.at(-1)).toMatchObject({
      actor: { type: 'human', id: 'seat-one' },
      event: { kind: 'episode.erased', what: 'text', reason: 'a name in it' },
    });
    expect((await makeRows(product.log, 'sft')).dropped['erased']).toBe(1);
    // The list and the search know it no more either.
    const page = await product.as('seat-one')('episodes.page', {
      query: '',
      status: null,
      condition: null,
      offset: 0,
      limit: 10,
    });
    expect(JSON.stringify(page.rows)).not.toContain(task);
  });

  it('tells beforehand how large the log is that will be written anew', async () => {
    const { log_bytes: bytes } = await product.as('seat-one')('app.describe', {});
    expect(bytes).toBeGreaterThan(100_000);
  });

  it('asks for a reason, and is refused to an expert’s seat', async () => {
    const input = { episode, text: null, reason: ' ' };
    await expect(product.as('seat-one')('episode.erase', input)).rejects.toMatchObject({ code: 'bad_input' });
    await expect(
      product.route('episode.erase', { ...input, reason: 'x' }, { seat: 'seat-two', invite: 'i' }),
    ).rejects.toMatchObject({ code: 'unauthorized' });
  });
});

describe('an episode that came in a bundle of our own', () => {
  it('leaves nothing behind when it is erased: the kept bundle goes, and what else came from it is counted', async () => {
    const chat = (content: string) => ({
      messages: [
        { role: 'user', content },
        { role: 'assistant', content: 'done' },
      ],
    });
    const there = createBench();
    await there.one(lines(chat('Zoë Müller'), chat('another')), 'people.jsonl');
    const out = join(there.folder, 'out');
    await writeEventBundle(there.log, { folder: out, isForced: false });
    const here = createBench();
    const { ids } = await here.read(join(out, 'events.jsonl'));
    const sha256 = here.log
      .read(`import/${ids[0] ?? ''}`)
      .flatMap(({ event }) => (event.kind === 'episode.imported' ? [event.source.sha256] : []))[0];
    expect(here.sources.find(sha256 ?? '')).not.toBeNull();

    const asked = { episode: ids[0] ?? '', text: null, reason: 'asked for' };
    const erased = eraseEpisode(here, asked, HUMAN);

    expect(erased).toMatchObject({ files: ['events.jsonl'], shared: 1 });
    expect(here.sources.find(sha256 ?? '')).toBeNull();
    const written = await writeSources(here.log, here.sources, {
      folder: join(here.folder, 'sources-out'),
      isForced: false,
    });
    expect(written.files).toEqual([]);
    // The other's file is gone already: nothing is claimed of it.
    const other = eraseEpisode(here, { ...asked, episode: ids[1] ?? '' }, HUMAN);
    expect(other).toMatchObject({ files: [], shared: 0 });
    there.close();
    here.close();
  });
});
