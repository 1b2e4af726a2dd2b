import { describe, expect, it } from 'vitest';
import type { Push } from '../../src/shared/contract/envelope.ts';
import type { DeskItem } from '../../src/shared/episode/rowShapes.ts';
import { startInput, type Product } from '../support/product.ts';
import { productPerTest } from '../support/productPerTest.ts';

const GUEST = { seat: 'seat-guest', invite: 'invite-1' };
const LIST = { query: '', status: null, condition: null, offset: 0, limit: 10 };

let product: Product;
productPerTest((opened) => (product = opened));

/** A waiting question of the task whose plan names workflow 106 and tag 902. */
async function ask(over: Parameters<typeof startInput>[0] = {}) {
  const { episodes } = await product.as('seat-one')('episode.start', startInput({ task_idx: 7, ...over }));
  const [episode = ''] = episodes;
  const record = await product.until(episode, ({ consultations }) => consultations[0]?.draft);
  const [asked] = record.consultations;
  if (asked?.draft === null || asked === undefined) throw new Error('no draft');
  return { episode, consultation: asked.id, draft: asked.draft, seq: record.seq };
}
async function answer(at: Awaited<ReturnType<typeof ask>>, text: string, draft: string | null) {
  const { episode, consultation, seq: seen_seq } = at;
  const timing = { first_seen_at: null, active_ms: null };
  await product.as('seat-one')('desk.answer', { episode, consultation, text, draft, seen_seq, timing });
  return product.log.record(episode).consultations[0]?.decision;
}
const deskOf = async (caller?: typeof GUEST): Promise<DeskItem[]> => {
  const push = await new Promise<Push>((resolve) => {
    product.subscribe({ topic: 'desk' }, resolve, undefined, caller);
  });
  return push.topic === 'desk' ? push.items : [];
};
const leaksRead = async (episode: string, caller: typeof GUEST): Promise<unknown[]> => {
  const page = (await product.route('episode.read', { episode, after: 0, limit: 1000 }, caller)) as {
    events: { event: Record<string, unknown> }[];
  };
  return page.events.flatMap(({ event }) => event['leak'] ?? []);
};

describe('what the agent could not know', () => {
  it('is measured in each draft and each advice, against what the episode had shown', async () => {
    const at = await ask();
    expect(at.draft.leak?.values).toContain('902');

    const decision = await answer(at, 'Tag the workflow with 902.', null);

    expect(decision).toMatchObject({ leak: { count: 1, repeated: 1, values: ['902'] } });
  });

  it('is none of an advice that tells how to find out', async () => {
    const decision = await answer(await ask(), 'List the tags, then tag it.', null);

    expect(decision).toMatchObject({ leak: { count: 0, values: [] } });
  });

  it('is shown to the owner, and to a guest who may not see the key only as a count', async () => {
    const at = await ask();
    const [owner, guest] = [await deskOf(), await deskOf(GUEST)];

    expect(owner[0]?.draft?.leak?.values).toContain('902');
    expect(guest[0]?.draft?.leak).toEqual({ ...at.draft.leak, values: null });
    expect(await leaksRead(at.episode, GUEST)).toEqual([{ ...at.draft.leak, values: null }]);
  });

  it('is shown to a guest of a run whose key is open', async () => {
    const at = await ask({ is_key_open: true });

    expect(await leaksRead(at.episode, GUEST)).toEqual([at.draft.leak]);
  });

  it('narrows the library to episodes whose advice leaked, or was measured and did not', async () => {
    const leaking = await ask();
    await answer(leaking, leaking.draft.text as string, leaking.draft.id);
    const clean = await ask();
    await answer(clean, 'List the tags, then tag it.', null);
    await product.ended(
      (await product.as('seat-one')('episode.start', startInput({ condition: 'none' }))).episodes[0] ?? '',
    );
    const found = async (has_leaks: boolean): Promise<unknown[]> => {
      const { rows } = await product.as('seat-one')('episodes.page', { ...LIST, filter: { has_leaks } });
      return rows.map(({ id, leaked }) => [id, leaked]);
    };

    expect(await found(true)).toEqual([[leaking.episode, leaking.draft.leak?.count]]);
    expect(await found(false)).toEqual([[clean.episode, 0]]);
  });
});
