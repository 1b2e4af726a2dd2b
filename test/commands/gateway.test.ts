import { describe, expect, it } from 'vitest';
import { ended, SYSTEM } from '../support/log.ts';
import { startInput, type Product } from '../support/product.ts';
import { productPerTest } from '../support/productPerTest.ts';
import { openTapped } from '../support/tapped.ts';

let product: Product;
productPerTest((opened) => (product = opened));
const owner = () => product.as('seat-owner');

const EVERY_EPISODE = { query: '', status: null, condition: null, offset: 0, limit: 10 } as const;

describe('groups', () => {
  it('gather the repeats of a task with their rewards, newest group first, found by any of their words', async () => {
    const start = startInput({ condition: 'model', repeats: 3 });
    const { episodes } = await owner()('episode.start', start);
    await Promise.all(episodes.map((id) => product.ended(id)));
    await owner()('episode.start', startInput({ condition: 'none' }));

    const { total, groups } = await owner()('groups.page', { query: '', offset: 0, limit: 10 });
    const [group] = groups;

    expect(total).toBe(1);
    expect(group).toMatchObject({ size: 3, ended: 3, completed: 3, conditions: ['model'], reward_mean: 1 });
    const { rows } = await owner()('episodes.page', {
      ...EVERY_EPISODE,
      filter: { group: group?.group ?? '' },
    });
    expect(rows.map(({ id }) => id).toSorted()).toEqual(episodes.toSorted());
    expect((await owner()('groups.page', { query: 'nothing like it', offset: 0, limit: 10 })).total).toBe(0);
    expect((await owner()('groups.page', { query: 'Loomline_Work', offset: 0, limit: 10 })).total).toBe(1);
  });
});

describe('who came through the tap', () => {
  it('is counted for the environment they came to, and for no other', async () => {
    const of = () => product.gateway.status().environments;
    expect(of()).toEqual([]);
    openTapped(product.log, { id: 't1' });
    openTapped(product.log, { id: 't2' });
    const environment = product.log.record('t1').started?.environment.id;
    expect(of()).toMatchObject([{ environment, open: 2, seen: 2 }]);

    product.log.append('t1', SYSTEM, ended());
    expect(of()).toMatchObject([{ environment, open: 1, seen: 2 }]);
  });
});

describe('the gateway’s settings', () => {
  it('keep what was chosen, tell listeners, and leave the rest as it was', async () => {
    let heard = 0;
    product.settings.onGatewayConfigured(() => (heard += 1));

    const { gateway: now } = await owner()('settings.change', {
      gateway: { on_touch: 'discard', cut_chars: null },
    });

    expect(now).toMatchObject({
      on_touch: 'discard',
      cut_chars: null,
      may_act: false,
      ask_deadline_ms: 300_000,
    });
    expect((await owner()('settings.read', {})).gateway).toEqual(now);
    expect(await owner()('app.describe', {})).toMatchObject({ cut_chars: null });
    expect(heard).toBe(1);
  });

  it('are the owner’s: an expert’s seat is refused, keys and addresses too', async () => {
    const guest = { seat: 'seat-x', invite: 'i' };

    for (const method of ['settings.read', 'access.list', 'keys.defaults']) {
      await expect(product.route(method, {}, guest)).rejects.toMatchObject({ code: 'unauthorized' });
    }
    expect(product.gateway.status()).toMatchObject({ address: null, tapped: 0 });
  });

  it('say that nobody is let in while no gateway is open', async () => {
    const { secret } = product.keys.create({
      name: 'a',
      scopes: ['expert'],
      environment: null,
      per_minute: null,
      at_once: null,
    });
    const request = new Request('http://127.0.0.1/v1/models', {
      headers: { authorization: `Bearer ${secret}` },
    });

    expect((await product.gateway.handle(request)).status).toBe(503);
  });
});

describe('a request whose criteria were covered', () => {
  const CRITERIA = '- workflows.name of id 2 is exactly "Second"';
  const body = JSON.stringify({
    model: 'expert',
    messages: [
      {
        role: 'user',
        content: `TASK: Rename the second workflow.\n\nSUCCESS CRITERIA (what the checker requires):\n${CRITERIA}\n\nAGENT CONTEXT: It has just started.`,
      },
    ],
  });

  it('is uncovered for the seat that asks, once that is in the log; its advice has seen the criteria then', async () => {
    await product.gateway.open(0);
    const leave = product.seats.connect('seat-owner');
    const answered = product.gateway.handle(
      new Request('http://127.0.0.1/v1/chat/completions', {
        method: 'POST',
        headers: { authorization: `Bearer ${product.keys.defaults()[0]?.secret}` },
        body,
      }),
    );
    await expect.poll(() => product.log.projections.desk(1).total).toBe(1);
    const [item] = product.log.projections.desk(1).items;
    if (item === undefined) throw new Error('nothing waits');
    const { episode, consultation } = item;
    expect(JSON.stringify(item)).not.toContain('exactly');

    const { spans } = await owner()('request.uncover', { episode, consultation });

    expect(spans.map(({ text }) => text).join('')).toBe(CRITERIA);
    const kinds = product.log.read(episode).map(({ event }) => event.kind);
    expect(kinds).toContain('answer_key.shown');
    await owner()('desk.answer', {
      episode,
      consultation,
      text: 'Rename workflow 2.',
      draft: null,
      seen_seq: product.log.record(episode).seq,
      timing: { first_seen_at: null, active_ms: 1 },
    });
    expect(await (await answered).text()).toContain('Rename workflow 2.');
    expect((await product.ended(episode)).consultations[0]?.decision).toMatchObject({
      privilege: ['criteria'],
    });
    leave();
  });

  it('that is not there is said to be not there', async () => {
    await expect(
      owner()('request.uncover', { episode: 'none', consultation: 'none:c1' }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });
});
