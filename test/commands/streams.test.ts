import { describe, expect, it } from 'vitest';
import type { Push } from '../../src/shared/contract/envelope.ts';
import { streamKind } from '../../src/shared/events/streams.ts';
import type { LogEvent } from '../../src/shared/events/vocabulary.ts';
import { startInput, type Product } from '../support/product.ts';
import { productPerTest } from '../support/productPerTest.ts';
import { worldTask } from '../support/worlds.ts';

const EXPERT = { seat: 'seat-guest', invite: 'invite-1' };
const TIMING = { first_seen_at: null, active_ms: null };
const HUMAN = { type: 'human' as const, id: 'seat-one' };

let product: Product;
productPerTest((opened) => (product = opened));
const read = (episode: string, caller: { seat: string; invite?: string }) =>
  product.route('episode.read', { episode, after: 0, limit: 100 }, caller) as Promise<{
    events: { event: LogEvent }[];
  }>;
const changed = (episode: string): LogEvent => ({
  kind: 'tags.changed',
  episode,
  added: ['good'],
  removed: [],
});

async function ended(over: Parameters<typeof startInput>[0] = {}): Promise<string> {
  const { episodes } = await product.as('seat-one')(
    'episode.start',
    startInput({ condition: 'none', ...over }),
  );
  await product.ended(episodes[0] ?? '');
  return episodes[0] ?? '';
}

describe('a stream that is no episode', () => {
  it('is the owner’s alone, by its kind and by what it holds', async () => {
    const episode = await ended();
    await product.as('seat-one')('tags.change', { episodes: [episode], add: ['good'], remove: [] });
    product.log.append('exports', HUMAN, changed(episode));
    // As a kind would look that somebody adds and forgets.
    product.log.append('billing', HUMAN, changed(episode));

    for (const stream of product.log.streams('')) {
      expect(streamKind(stream), stream).not.toBeNull();
      await expect(read(stream, { seat: 'seat-one' })).resolves.toMatchObject({
        events: expect.anything() as never,
      });
      if (stream === episode) await expect(read(stream, EXPERT)).resolves.toBeDefined();
      else await expect(read(stream, EXPERT), stream).rejects.toMatchObject({ code: 'unauthorized' });
    }
  });

  it('is not pushed to an expert’s seat that watched its name before it was there', async () => {
    const pushes: Push[] = [];
    const stop = product.subscribe(
      { topic: 'episode', episode: 'billing', after: 0 },
      (push) => pushes.push(push),
      () => true,
      EXPERT,
    );
    product.log.append('billing', HUMAN, changed('e1'));
    await expect.poll(() => product.log.read('billing').length).toBe(1);
    await ended();

    stop();
    expect(pushes.flatMap((push) => (push.topic === 'episode' ? push.events : []))).toEqual([]);
  });
});

describe('a long text', () => {
  it('is read by an expert’s seat only where something it was shown refers to it', async () => {
    const { episodes } = await product.as('seat-one')('episode.start', startInput());
    const [episode = ''] = episodes;
    await product.until(episode, ({ consultations }) => consultations[0]);
    const words = 'All that is known. '.repeat(4000);
    await product.as('seat-one')('note.send', { episode, text: words, timing: TIMING });
    const note = product.log.record(episode).notes.at(-1)?.text;
    const sha256 = typeof note === 'object' ? note.$blob : '';
    const ask = { sha256, offset: 0, length: 100 };

    await expect(product.route('text.read', ask, EXPERT)).rejects.toMatchObject({ code: 'unauthorized' });
    await read(episode, EXPERT);
    expect(await product.route('text.read', ask, EXPERT)).toMatchObject({ text: words.slice(0, 100) });
    const other = { ...EXPERT, seat: 'seat-next' };
    await expect(product.route('text.read', ask, other)).rejects.toMatchObject({ code: 'unauthorized' });
    expect(await product.as('seat-one')('text.read', ask)).toMatchObject({ total: words.length });
  });
});

describe('a blind review of a fork', () => {
  it('covers the original, too, and any other branch of it, until the review is done', async () => {
    const start = product.as('seat-one');
    const original = await ended({ condition: 'model' });
    const forks = [await start('episode.fork', { episode: original, turn: 1 })];
    forks.push(await start('episode.fork', { episode: original, turn: 1 }));
    for (const { episode } of forks) await product.ended(episode);
    const family = [original, ...forks.map(({ episode }) => episode)];
    const { project } = await start('project.create', { name: 'P', instructions: '', dimensions: [] });
    const { queue } = await start('queue.make', {
      project,
      name: 'Q',
      reviewers_per_item: 1,
      seats: [EXPERT.seat],
      is_blind: true,
      hides_outcome: true,
      lease_minutes: 30,
      from: { type: 'episodes', episodes: [forks[0]?.episode ?? ''] },
    });
    const verdictIn = async (episode: string): Promise<unknown> => {
      const { events } = await read(episode, EXPERT);
      return events.flatMap(({ event }) => (event.kind === 'episode.ended' ? [event.reward_type] : []))[0];
    };

    for (const episode of family) expect(await verdictIn(episode), episode).toBeNull();
    expect(product.log.projections.seen(EXPERT.seat, worldTask(0))).not.toContain('verdict');

    const { item } = (await product.route('queue.next', { project, queue }, EXPERT)) as {
      item: string;
    };
    await product.route('queue.open', { project, queue, item }, EXPERT);
    await product.route('queue.leave', { as: 'done', project, queue, item, timing: TIMING }, EXPERT);
    for (const episode of family) expect(await verdictIn(episode), episode).toEqual(expect.any(String));
    expect(product.log.projections.seen(EXPERT.seat, worldTask(0))).toContain('verdict');
  });
});
