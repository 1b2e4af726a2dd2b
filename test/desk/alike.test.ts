// One act for several asks that are alike leaves the same record as answering each of them by hand.
import { afterEach, describe, expect, it } from 'vitest';
import { interventionsOf } from '../../src/main/dataset/export/interventions.ts';
import type { DeskItem } from '../../src/shared/episode/rowShapes.ts';
import type { EventOf } from '../../src/shared/events/vocabulary.ts';
import { deskItems } from '../support/desk.ts';
import { openProduct, removeFolder, startInput, type Product } from '../support/product.ts';

const TIMING = { first_seen_at: 5, active_ms: 900 };
const open: Product[] = [];
afterEach(async () => {
  for (const product of open.splice(0)) {
    await product.close();
    removeFolder(product.folder);
  }
});

/** Three episodes of one task, each with a question and a draft of its own. */
async function waiting(): Promise<{ product: Product; items: DeskItem[] }> {
  const product = await openProduct();
  open.push(product);
  const { episodes } = await product.as('seat-one')('episode.start', startInput({ repeats: 3 }));
  for (const episode of episodes)
    await product.until(episode, ({ consultations }) => consultations[0]?.draft);
  const items = await deskItems((topic, onPush) => product.subscribe(topic, onPush));
  expect(new Set(items.map(({ group }) => group)).size).toBe(1);
  return { product, items };
}

const textOf = (product: Product, { draft }: DeskItem): string =>
  product.log.texts.loadText(draft?.text ?? '');
const at = ({ episode, consultation, seq }: DeskItem) => ({ episode, consultation, seen_seq: seq });

function approvals(product: Product, items: DeskItem[]): EventOf<'advice.approved'>[] {
  return items.flatMap(({ episode }) =>
    product.log.read(episode).flatMap(({ event }) => (event.kind === 'advice.approved' ? [event] : [])),
  );
}
/** Without what names this run, and the mark that one act stands behind several answers. */
const told = (events: EventOf<'advice.approved'>[]) =>
  events.map(({ human_act: _act, consultation: _asked, draft, seen_seq: _seen, ...event }) => ({
    ...event,
    hasDraft: draft !== null,
  }));
const rows = (product: Product, items: DeskItem[]) =>
  items.map(({ episode }) =>
    interventionsOf(product.log.record(episode), (text) => product.log.texts.loadText(text))
      .filter(({ type }) => type === 'consultation')
      .map(({ decision, draft, delivered }) => ({ decision, draft, delivered })),
  );

describe('one answer to questions that are alike', () => {
  it.each(['untouched', 'changed'] as const)(
    'says of a draft left %s in every episode what answering each by hand says',
    async (how) => {
      const byHand = await waiting();
      const alike = await waiting();
      const words = (product: Product, item: DeskItem): string =>
        `${textOf(product, item)}${how === 'changed' ? '\nThen say so.' : ''}`;
      for (const item of byHand.items)
        await byHand.product.as('seat-one')('desk.answer', {
          ...at(item),
          text: words(byHand.product, item),
          draft: item.draft?.id ?? null,
          timing: TIMING,
        });
      const [front, ...others] = alike.items;
      if (front === undefined) throw new Error('nobody asked');
      const sent = await alike.product.as('seat-one')('desk.answer', {
        ...at(front),
        text: words(alike.product, front),
        draft: front.draft?.id ?? null,
        timing: TIMING,
        also: others.map(at),
      });
      for (const { product, items } of [byHand, alike])
        for (const { episode } of items) await product.ended(episode);

      expect(sent.also).toEqual({ answered: 2, failed: [] });
      const act = how === 'untouched' ? 'accept' : 'edit';
      expect(approvals(alike.product, alike.items).map((event) => event.act)).toEqual([act, act, act]);
      expect(approvals(alike.product, alike.items).map(({ draft }) => draft)).toEqual(
        alike.items.map(({ draft }) => draft?.id),
      );
      expect(told(approvals(alike.product, alike.items))).toEqual(
        told(approvals(byHand.product, byHand.items)),
      );
      expect(rows(alike.product, alike.items)).toEqual(rows(byHand.product, byHand.items));
      const acts = approvals(alike.product, alike.items).map(({ human_act }) => human_act);
      expect(new Set(acts)).toEqual(new Set([expect.any(String)]));
    },
  );

  it('names the draft it came from where an episode has none of the same words', async () => {
    const { product, items } = await waiting();
    const [front, other] = items;
    if (front === undefined || other === undefined) throw new Error('nobody asked');
    product.log.append(
      front.episode,
      { type: 'model', id: 'm' },
      {
        kind: 'advice.drafted',
        consultation: front.consultation,
        draft: 'd-own',
        text: 'Ask for the list first.',
        generator: 'model',
        model: 'm',
        privilege: ['criteria'],
        usage: null,
        latency_ms: null,
      },
    );

    await product.as('seat-one')('desk.answer', {
      episode: front.episode,
      consultation: front.consultation,
      seen_seq: product.log.record(front.episode).seq,
      text: 'Ask for the list first.',
      draft: 'd-own',
      timing: TIMING,
      also: [at(other)],
    });

    const [, theirs] = approvals(product, [front, other]);
    expect(theirs).toMatchObject({
      act: 'accept',
      draft: null,
      draft_from: { episode: front.episode, consultation: front.consultation, draft: 'd-own' },
    });
    expect(theirs?.privilege).toContain('criteria');
  });
});
