// What an ordered end of the program leaves behind: nothing that waits for a person is lost with it.
import { afterEach, expect, it } from 'vitest';
import { episodeRow } from '../../src/shared/episode/rows.ts';
import { openProduct, removeFolder, startInput, type Product } from '../support/product.ts';
import { ME, TIMING } from '../support/killed.ts';

let product: Product;
afterEach(async () => {
  await product.close();
  removeFolder(product.folder);
});

const restart = async (): Promise<void> => {
  await product.close();
  product = await openProduct(product.folder);
};
const rowOf = (id: string) => episodeRow(product.log.record(id));

it('a question that waits when Interject is closed waits after the next start, and its answer is delivered once', async () => {
  product = await openProduct();
  const { episodes } = await product.as(ME)('episode.start', startInput());
  const id = episodes[0] ?? '';
  await product.until(id, ({ consultations }) => consultations.some(({ draft }) => draft !== null));

  await restart();

  const record = product.log.record(id);
  expect(record.ended).toBeNull();
  const [asked] = record.consultations;
  expect(asked).toMatchObject({ decision: null, delivered: null });
  expect(product.closed).toEqual([id]);
  expect(product.log.projections.desk(10).items.map(({ consultation }) => consultation)).toEqual([asked?.id]);
  expect(rowOf(id)?.broke_off?.why).toContain('makes its calls again in a new world');

  await product.as(ME)('desk.answer', {
    episode: id,
    consultation: asked?.id ?? '',
    text: 'Look at the tags.',
    draft: null,
    seen_seq: record.seq,
    timing: TIMING,
  });
  await restart();
  await product.as(ME)('episode.settle', { episode: id, act: 'go_on' });
  const again = await product.until(id, ({ turns }) => turns.length > (asked?.turn ?? 0));

  const read = again.messages.filter(({ content }) =>
    product.log.texts.loadText(content).includes('Look at the tags.'),
  );
  expect(read).toHaveLength(1);
});

it('a held call that waits when Interject is closed is carried out once, after it was approved and went on', async () => {
  product = await openProduct();
  const rules = [{ glob: '*', argument: null, does: 'ask' as const, count: null }];
  const approval = { rules, deadline_ms: null, fallback: 'wait' as const };
  const { episodes } = await product.as(ME)('episode.start', startInput({ condition: 'none', approval }));
  const id = episodes[0] ?? '';
  await product.until(id, ({ turns }) => turns[0]?.call?.held);

  await restart();

  expect(product.log.record(id)).toMatchObject({
    ended: null,
    turns: [{ call: { decision: null, sent: null } }],
  });
  await product.as(ME)('episode.settle', { episode: id, act: 'go_on' });
  const back = await product.until(id, ({ restarts }) => restarts.at(-1)?.wentOn);
  const call = back.turns[0]?.callId ?? '';
  const decided = { episode: id, call, seen_seq: back.seq, timing: TIMING };
  await product.as(ME)('call.decide', { act: 'approve', ...decided, similar: false });
  await product.until(id, ({ turns }) => turns[0]?.call?.returned);

  const { events } = await product.as(ME)('episode.read', { episode: id, after: 0, limit: 500 });
  const sent = events.filter(({ event }) => event.kind === 'call.sent' && event.call === call);
  expect(sent).toHaveLength(1);
});

it('an episode that waited for a place is kept with the others, and what is let be does not come back', async () => {
  product = await openProduct(undefined, {}, 'go_on', {}, { places: 1 });
  const { episodes } = await product.as(ME)('episode.start', startInput({ repeats: 2 }));
  await product.until(episodes[0] ?? '', ({ consultations }) => consultations.length > 0);

  await restart();

  expect(product.closed.toSorted()).toEqual(episodes.toSorted());
  for (const episode of episodes) await product.as(ME)('episode.settle', { episode, act: 'end' });
  await restart();
  expect(product.closed).toEqual([]);
  expect(episodes.map((id) => rowOf(id)?.outcome)).toEqual(['interrupted', 'interrupted']);
  expect(product.log.record(episodes[0] ?? '').consultations[0]?.decision).toMatchObject({
    type: 'cancelled',
    reason: 'the owner ended the episode',
  });
});

it('an episode that a person stopped is stopped, and no one is asked about it', async () => {
  product = await openProduct();
  const { episodes } = await product.as(ME)('episode.start', startInput());
  const id = episodes[0] ?? '';
  await product.until(id, ({ consultations }) => consultations.length > 0);
  await product.as(ME)('episode.stop', { episode: id, reason: null });

  await restart();

  expect(product.log.record(id).ended?.outcome).toBe('stopped');
  expect(product.closed).toEqual([]);
});
