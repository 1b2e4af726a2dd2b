// A call of our own loop that waits for a person, while the program is closed and opened again.
import { afterEach, expect, it } from 'vitest';
import { attachAnswers } from '../../src/main/desk/scriptedAnswers.ts';
import type { EpisodeRecord } from '../../src/shared/episode/record.ts';
import { openProduct, removeFolder, startInput, type Product } from '../support/product.ts';
import { ASK_ALL } from '../support/stepIn.ts';

const ME = 'seat-one';
const TIMING = { first_seen_at: null, active_ms: null };
const DAYS_MS = 3 * 86_400_000;
const products: Product[] = [];

afterEach(async () => {
  const folders = new Set(products.map(({ folder }) => folder));
  for (const product of products.splice(0)) await product.close();
  folders.forEach(removeFolder);
});

const open = async (folder?: string): Promise<Product> => {
  const product = await openProduct(folder);
  products.push(product);
  return product;
};
const start = async (
  product: Product,
  approval: { deadline_ms: number | null; fallback: 'wait' | 'reject' },
) => {
  const input = startInput({ condition: 'none', approval: { rules: ASK_ALL, ...approval } });
  return (await product.as(ME)('episode.start', input)).episodes[0] ?? '';
};
const isHeld = ({ turns }: EpisodeRecord): boolean => {
  const call = turns.at(-1)?.call ?? null;
  return call !== null && call.held !== null && call.decision === null;
};

it.each([
  ['without a limit', { deadline_ms: null, fallback: 'wait' as const }],
  ['for days', { deadline_ms: DAYS_MS, fallback: 'reject' as const }],
])(
  'a call that waits %s waits on when Interject is closed and opened again, and its yes is delivered once',
  async (_, approval) => {
    const first = await open();
    const id = await start(first, approval);
    const { callId: call, turn } = (await first.until(id, isHeld)).turns.at(-1) ?? { callId: '', turn: 0 };
    products.splice(products.indexOf(first), 1);
    await first.close();

    const again = await open(first.folder);
    const record = await again.until(id, isHeld);
    expect(record.ended).toBeNull();
    expect(record.turns.at(-1)).toMatchObject({ turn, callId: call, call: { decision: null, sent: null } });
    await again.as(ME)('policy.set', { episode: id, rules: [] });
    await again.as(ME)('call.decide', {
      act: 'approve',
      episode: id,
      call: call ?? '',
      seen_seq: 1,
      timing: TIMING,
      similar: false,
    });

    const ended = await again.ended(id);
    expect(ended.ended?.outcome).toBe('done');
    expect(ended.turns.find(({ callId }) => callId === call)?.call).toMatchObject({
      decision: { type: 'approved' },
      returned: { done: false },
    });
    expect(sentTimes(again, id, call)).toBe(1);
  },
);

it('a call that a script of answers says nothing about is executed by nobody', async () => {
  const product = await open();
  attachAnswers(product, []);
  const id = await start(product, { deadline_ms: null, fallback: 'wait' });
  await product.until(id, isHeld);
  await new Promise((resolve) => setTimeout(resolve, 100));

  expect(product.log.record(id).turns.at(-1)?.call).toMatchObject({ decision: null, sent: null });
});

const sentTimes = ({ log }: Product, id: string, call: string | null): number =>
  log.read(id).filter(({ event }) => event.kind === 'call.sent' && event.call === call).length;
