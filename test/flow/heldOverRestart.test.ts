// A call of our own loop that waits for a person, while the program is closed and opened again.
import { afterEach, expect, it } from 'vitest';
import { attachAnswers } from '../../src/main/desk/scriptedAnswers.ts';
import type { CallFallback } from '../../src/shared/events/lifecycle.ts';
import type { EpisodeRecord } from '../../src/shared/episode/record.ts';
import { episodeRow } from '../../src/shared/episode/rows.ts';
import { killedCopy } from '../support/dataFolder.ts';
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

type Edges = Parameters<typeof openProduct>[3];
const open = async (folder?: string, edges: Edges = {}): Promise<Product> => {
  const product = await openProduct(folder, {}, 'go_on', edges);
  products.push(product);
  return product;
};
const close = async (product: Product): Promise<void> => {
  products.splice(products.indexOf(product), 1);
  await product.close();
};
/** For another user, who did not make it. */
const openElsewhere = (folder: string): Promise<Product> =>
  open(folder, { userKey: () => Promise.resolve(Buffer.alloc(32, 7)) });
const start = async (product: Product, approval: { deadline_ms: number | null; fallback: CallFallback }) => {
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
    await close(first);

    const again = await open(first.folder);
    const record = await again.until(id, isHeld);
    expect(record.ended).toBeNull();
    expect(record.turns.at(-1)).toMatchObject({ turn, callId: call, call: { decision: null, sent: null } });
    await again.as(ME)('policy.set', { episode: id, rules: [] });
    await approve(again, id, call);

    const ended = await again.ended(id);
    expect(ended.ended?.outcome).toBe('done');
    expect(ended.turns.find(({ callId }) => callId === call)?.call).toMatchObject({
      decision: { type: 'approved' },
      returned: { done: false },
    });
    expect(sentTimes(again, id, call)).toBe(1);
  },
);

/** What the product leaves that is closed in order, or killed. */
const closed = async (product: Product): Promise<string> => {
  await close(product);
  return product.folder;
};
const killed = (product: Product): Promise<string> => Promise.resolve(killedCopy(product.folder));
const LIMIT_MS = 2000;

it.each([
  ['executed', 'approve' as const, closed],
  ['executed', 'approve' as const, killed],
  ['passed over', 'reject' as const, closed],
])(
  'a call with a limit is not %s by it (%s) once Interject has ended meanwhile: it waits until somebody decides',
  async (_, fallback, leave) => {
    const first = await open();
    const id = await start(first, { deadline_ms: LIMIT_MS, fallback });
    const { callId: call } = (await first.until(id, isHeld)).turns.at(-1) ?? { callId: '' };

    const again = await open(await leave(first));
    await again.until(id, ({ restarts }) => restarts.at(-1)?.wentOn);
    await new Promise((resolve) => setTimeout(resolve, 1.25 * LIMIT_MS));
    expect(again.log.record(id).turns.at(-1)?.call).toMatchObject({ decision: null, sent: null });
    expect(again.log.projections.holds(10)).toMatchObject([{ deadline_at: null, fallback: 'wait' }]);

    await approve(again, id, call);
    await again.until(id, ({ turns }) => turns.some((turn) => turn.callId === call && turn.call?.returned));
    expect(sentTimes(again, id, call)).toBe(1);
  },
);

it('closing in order while a call waits is no attempt that failed, however often', async () => {
  let product = await open();
  const id = await start(product, { deadline_ms: null, fallback: 'wait' });
  await product.until(id, isHeld);
  for (let times = 1; times <= 4; times += 1) {
    await close(product);
    product = await open(product.folder);
    await product.until(id, ({ restarts }) => restarts.at(times - 1)?.wentOn);
    expect(product.log.record(id)).toMatchObject({ brokeOff: null, ended: null });
  }
});

it('a call is not executed undecided in what came with a folder made elsewhere, gone on with or forked, whatever it was started with', async () => {
  const stranger = await open();
  const approval = { deadline_ms: LIMIT_MS, fallback: 'approve' as const };
  const [left, over] = [await start(stranger, approval), await start(stranger, approval)];
  for (const id of [left, over]) await stranger.until(id, isHeld);
  await stranger.as(ME)('episode.stop', { episode: over, reason: null });
  await stranger.ended(over);
  await close(stranger);

  const here = await openElsewhere(stranger.folder);
  expect(here.log.record(left).started?.approval).toEqual({ deadline_ms: null, fallback: 'wait' });
  const why = episodeRow(here.log.record(left))?.broke_off;
  expect(why).toMatchObject({ came_with_folder: true });
  expect(why?.why).toContain('A call that is held waits until you decide.');
  await here.as(ME)('episode.settle', { episode: left, act: 'go_on' });
  const { episode: fork } = await here.as(ME)('episode.fork', { episode: over, turn: 0 });
  const first = (await here.until(left, ({ restarts }) => restarts.at(-1)?.wentOn)).turns.at(-1);
  await here.until(fork, isHeld);
  await approve(here, left, first?.callId ?? null);
  await here.until(left, (record) => record.turns.at(-1)?.turn !== first?.turn && isHeld(record));
  await new Promise((resolve) => setTimeout(resolve, 1.25 * LIMIT_MS));
  for (const id of [left, fork])
    expect(here.log.record(id).turns.at(-1)?.call).toMatchObject({
      held: { deadline_at: null, fallback: 'wait' },
      decision: null,
      sent: null,
    });
});

it('a call that a script of answers says nothing about is executed by nobody', async () => {
  const product = await open();
  attachAnswers(product, []);
  const id = await start(product, { deadline_ms: null, fallback: 'wait' });
  await product.until(id, isHeld);
  await new Promise((resolve) => setTimeout(resolve, 100));

  expect(product.log.record(id).turns.at(-1)?.call).toMatchObject({ decision: null, sent: null });
});

const approve = (product: Product, episode: string, call: string | null): Promise<unknown> =>
  product.as(ME)('call.decide', {
    act: 'approve',
    episode,
    call: call ?? '',
    seen_seq: 1,
    timing: TIMING,
    similar: false,
  });

const sentTimes = ({ log }: Product, id: string, call: string | null): number =>
  log.read(id).filter(({ event }) => event.kind === 'call.sent' && event.call === call).length;
