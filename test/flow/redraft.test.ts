import { describe, expect, it } from 'vitest';
import { startInput, type Product } from '../support/product.ts';
import { productPerTest } from '../support/productPerTest.ts';

let product: Product;
productPerTest((opened) => (product = opened));

/** A question with its first draft. */
async function ask(): Promise<{ episode: string; consultation: string }> {
  const { episodes } = await product.as('seat-one')('episode.start', startInput());
  const [episode = ''] = episodes;
  const record = await product.until(episode, ({ consultations }) => consultations[0]?.draft);
  return { episode, consultation: record.consultations[0]?.id ?? '' };
}
const draftsOf = (episode: string) => product.log.record(episode).consultations[0]?.drafts ?? [];

describe('another draft', () => {
  it('carries the words it was asked for with, and whose they were', async () => {
    const at = await ask();
    await product.as('seat-two')('desk.redraft', { ...at, hint: 'shorter, please' });

    expect(draftsOf(at.episode).map(({ hint }) => hint)).toEqual([
      null,
      { text: 'shorter, please', seat: 'seat-two' },
    ]);
    const logged = product.log.read(at.episode).filter(({ event }) => event.kind === 'advice.drafted');
    expect(logged.map(({ event }) => 'hint' in event)).toEqual([false, true]);
  });

  it('inherits what the person who asked for it had seen: their words may hold it', async () => {
    const at = await ask();
    await product.as('seat-one')('answer_key.show', { episode: at.episode });
    await product.as('seat-one')('desk.redraft', { ...at, hint: '' });
    await product.as('seat-one')('desk.redraft', { ...at, hint: 'it is workflow 101' });

    expect(draftsOf(at.episode).map(({ privilege }) => privilege)).toEqual([
      ['reference'],
      ['reference'],
      ['criteria', 'reference'],
    ]);
  });
});

describe('a draft by rule', () => {
  it('is made from the answer to the task that is played, whichever of its world it is', async () => {
    const { episodes } = await product.as('seat-one')('episode.start', startInput({ task_idx: 7 }));
    const record = await product.until(
      episodes[0] ?? '',
      ({ consultations: [first] }) => first?.draft ?? first?.draftFailure,
    );

    expect(record.consultations[0]?.draft).toMatchObject({ generator: 'rule', privilege: ['reference'] });
  });
});
