import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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

  it('asks for a reason, and is refused to an expert’s seat', async () => {
    const input = { episode, text: null, reason: ' ' };
    await expect(product.as('seat-one')('episode.erase', input)).rejects.toMatchObject({ code: 'bad_input' });
    await expect(
      product.route('episode.erase', { ...input, reason: 'x' }, { seat: 'seat-two', invite: 'i' }),
    ).rejects.toMatchObject({ code: 'unauthorized' });
  });
});
