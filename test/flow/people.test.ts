import { expect, it } from 'vitest';
import { startInput, type Product } from '../support/product.ts';
import { productPerTest } from '../support/productPerTest.ts';

let product: Product;
productPerTest((opened) => (product = opened));

it('says what people’s time came to: minutes, acts, and reward per minute of the episodes they helped', async () => {
  const call = product.as('seat-one');
  expect(await call('people.summary', {})).toMatchObject({ minutes: 0, acts: 0, reward_per_minute: null });
  const { episodes } = await call('episode.start', startInput());
  const id = episodes[0] ?? '';
  const record = await product.until(id, ({ consultations }) => consultations[0]?.draft);
  const asked = record.consultations[0];

  await call('desk.answer', {
    episode: id,
    consultation: asked?.id ?? '',
    text: product.log.texts.loadText(asked?.draft?.text ?? ''),
    draft: asked?.draft?.id ?? null,
    seen_seq: record.seq,
    timing: { first_seen_at: 1, active_ms: 30_000 },
  });
  await product.ended(id);
  await call('episode.start', startInput({ condition: 'none' }));

  expect(await call('people.summary', {})).toEqual({
    minutes_last_hour: 0.5,
    minutes: 0.5,
    acts: 1,
    episodes: 1,
    reward: 1,
    reward_per_minute: 2,
  });
});
