import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { killedCopy } from '../support/dataFolder.ts';
import { foldAll } from '../../src/shared/episode/fold.ts';
import { openProduct, removeFolder, startInput, type Product } from '../support/product.ts';
import { deskItems } from '../support/desk.ts';

const TIMING = { first_seen_at: null, active_ms: null };
let product: Product;
const folders: string[] = [];
beforeEach(async () => {
  product = await openProduct();
  folders.push(product.folder);
});
afterEach(async () => {
  await product.close();
  for (const folder of folders.splice(0)) removeFolder(folder);
});

const asked = async (over: Parameters<typeof startInput>[0] = {}) => {
  const call = product.as('seat-one');
  const { episodes } = await call('episode.start', startInput(over));
  const id = episodes[0] ?? '';
  const record = await product.until(id, ({ consultations }) => consultations[0]?.draft);
  return { id, call, record };
};
const accept = async (id: string) => {
  const [item] = (await deskItems((topic, onPush) => product.subscribe(topic, onPush))).filter(
    ({ episode }) => episode === id,
  );
  const text = product.log.texts.loadText(item?.draft?.text ?? '');
  await product.as('seat-one')('desk.answer', {
    episode: id,
    consultation: item?.consultation ?? '',
    text,
    draft: item?.draft?.id ?? null,
    seen_seq: item?.seq ?? 0,
    timing: TIMING,
  });
  return product.ended(id);
};

describe('the state of the world', () => {
  it('is there while the episode runs, and says what each call changed', async () => {
    const { id, call } = await asked();
    const before = await call('state.tables', { episode: id, turn: null });
    expect(before.tables.length).toBeGreaterThanOrEqual(8);
    expect(before.changes).toEqual([]);

    const record = await accept(id);
    const changing = record.turns.flatMap(({ call: made }) => made?.changes ?? []);

    expect(record.ended?.reward_type).toBe('complete');
    expect(changing.map(({ table }) => table)).toContain('workflows');
  });

  it('can be looked at after the end, at any turn, rebuilt without drift', async () => {
    const { id, call } = await asked();
    const record = await accept(id);
    const start = await call('state.tables', { episode: id, turn: 0 });
    const end = await call('state.tables', { episode: id, turn: record.counts.turns });

    expect(start.changes).toEqual([]);
    expect(end).toMatchObject({ drift: 0 });
    expect(end.changes.map(({ table }) => table)).toContain('workflows');
    const page = await call('state.page', {
      episode: id,
      turn: null,
      table: 'workflows',
      offset: 0,
      limit: 5,
    });
    expect(page.page).toHaveLength(5);
  });

  it('names a table that is not there', async () => {
    const { id, call } = await asked();

    await expect(
      call('state.page', { episode: id, turn: null, table: 'nope', offset: 0, limit: 5 }),
    ).rejects.toThrow(/no table nope/);
  });
});

describe('a preview', () => {
  it('shows what a call would do, and does nothing to the episode', async () => {
    const { id, call, record } = await asked();
    const plan = JSON.parse(product.log.texts.loadText(record.consultations[0]?.draft?.text ?? '')) as {
      plan: { tool: string; args: Record<string, never> }[];
    };
    const calls = plan.plan.map(({ tool, args }) => ({ tool_name: tool, arguments: args }));

    const result = await call('preview.run', {
      episode: id,
      turn: record.counts.turns,
      call: null,
      calls,
      with_verdict: true,
    });

    expect(result).toMatchObject({ drift: [], verdict: 'complete' });
    const { changes, records } = await call('preview.changes', { preview: result.preview ?? '' });
    expect(changes.map(({ table }) => table)).toContain('workflows');
    // Behind the same cover: what the records are called that the calls point at.
    expect(records.map(({ kind }) => kind)).toContain('workflow');
    expect((await call('state.tables', { episode: id, turn: null })).changes).toEqual([]);
    expect(product.log.record(id).previews).toHaveLength(1);
  });

  it('with the verdict marks the seat: its advice on the task is no longer leak-free', async () => {
    const { id, call, record } = await asked({ condition: 'human+draft' });
    const calls = [{ tool_name: 'search_workflows', arguments: {} }];
    await call('preview.run', {
      episode: id,
      turn: record.counts.turns,
      call: null,
      calls,
      with_verdict: true,
    });

    const done = await accept(id);

    expect(done.consultations[0]?.decision).toMatchObject({ privilege: ['reference', 'verdict'] });
  });
});

describe('a try that is given up', () => {
  it('ends at once, leaves nothing in the log, and cannot be given up by another seat', async () => {
    const { id, call } = await asked();
    const calls = Array.from({ length: 50 }, () => ({ tool_name: 'search_workflows', arguments: {} }));
    const running = call('preview.run', {
      episode: id,
      turn: 0,
      call: null,
      calls,
      with_verdict: false,
      id: 'mine',
    });
    const ended = running.then(
      () => 'done',
      (thrown: unknown) => (thrown instanceof Error ? thrown.message : ''),
    );
    await product.as('seat-two')('request.cancel', { id: 'mine' });
    await call('request.cancel', { id: 'mine' });

    expect(await ended).toMatch(/given up/);
    expect(product.log.record(id).previews).toEqual([]);
    expect(await call('request.cancel', { id: 'mine' })).toEqual({});
  });
});

describe('forks', () => {
  it('go on from a turn of an ended episode with the same past and a rebuilt world', async () => {
    const { id, call, record } = await asked();
    const first = await accept(id);
    const turn = (record.consultations[0]?.turn ?? 1) - 1;

    const { episode } = await call('episode.fork', { episode: id, turn });
    await product.until(episode, ({ consultations }) => consultations[0]?.draft);
    const fork = await accept(episode);

    expect(fork.forked).toMatchObject({ from: id, from_turn: turn, why: 'fork', drift: [] });
    expect(fork.turns.filter(({ isCopied }) => isCopied)).toHaveLength(turn);
    expect(fork.ended?.reward_type).toBe(first.ended?.reward_type);
    expect(foldAll(episode, product.log.read(episode))).toEqual(fork);
    expect(product.log.record(id)).toEqual(first);
  });

  it('count the people of the first episode there, not here', async () => {
    const { id, call } = await asked();
    const first = await accept(id);

    const { episode } = await call('episode.fork', { episode: id, turn: first.counts.turns - 1 });
    const fork = await product.ended(episode);

    expect(first.counts.humanActs).toBe(1);
    expect(fork.counts.humanActs).toBe(0);
    expect(fork.ended?.reward_type).toBe('complete');
  });
});

describe('an interrupted episode', () => {
  it('keeps the advice that was sent, shows as interrupted, and can be resumed to its end', async () => {
    const { id } = await asked();
    // A process that is killed leaves the database as it is: a copy of it is what the next start finds.
    const copy = killedCopy(product.folder);
    folders.push(copy);
    const next = await openProduct(copy, {}, 'interrupt');
    expect(next.interrupted).toEqual([id]);
    const record = next.log.record(id);
    expect(record).toMatchObject({ ended: { outcome: 'interrupted' } });
    expect(record.consultations[0]?.decision?.type).toBe('cancelled');

    const { episode } = await next.as('seat-one')('episode.resume', { episode: id });
    const waiting = await next.until(episode, ({ consultations }) => consultations[0]?.draft);
    await next.as('seat-one')('desk.answer', {
      episode,
      consultation: waiting.consultations[0]?.id ?? '',
      text: next.log.texts.loadText(waiting.consultations[0]?.draft?.text ?? ''),
      draft: waiting.consultations[0]?.draft?.id ?? null,
      seen_seq: waiting.seq,
      timing: TIMING,
    });
    const resumed = await next.ended(episode);
    await next.close();

    expect(resumed.forked).toMatchObject({ from: id, why: 'resume', drift: [] });
    expect(resumed.ended?.reward_type).toBe('complete');
  });

  it('is resumed, and one that came to its end is not', async () => {
    const { id, call } = await asked();
    await accept(id);

    await expect(call('episode.resume', { episode: id })).rejects.toThrow(/only an interrupted episode/);
  });
});
