import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contract, type Handlers, type Method } from '../../src/shared/contract/contract.ts';
import { SETTINGS_PARTS } from '../../src/shared/contract/settings.ts';
import { EMPTY_ROSTER } from '../../src/shared/experts/roster.ts';
import { checkTopic } from '../../src/shared/contract/roles.ts';
import { createDisclosure, createRouter } from '../../src/main/commands/router.ts';
import { openLog } from '../support/log.ts';
import { openProduct, removeFolder, startInput, type Product } from '../support/product.ts';
import { worldTask } from '../support/worlds.ts';

const EXPERT = { seat: 'seat-guest', invite: 'invite-1' };
const NO_BUDGET = { turns: null, minutes: null, tokens: null, cost: null };
const METHODS = Object.entries(contract).map(([method, { who }]) => ({ method, who }));
const closedTo = (caller: 'an expert' | 'a key' | 'a person') =>
  METHODS.filter(({ who }) =>
    caller === 'an expert' ? who !== 'expert' : who === (caller === 'a key' ? 'owner alone' : 'command'),
  );

describe('a command', () => {
  it.each([
    ...closedTo('an expert').map(({ method }) => ({ method, caller: EXPERT, to: 'an expert’s seat' })),
    ...closedTo('a key').map(({ method }) => ({
      method,
      caller: { seat: 'seat-key', key: 'k' },
      to: 'a key to the console',
    })),
    ...closedTo('a person').map(({ method }) => ({ method, caller: { seat: 'seat-one' }, to: 'a person' })),
  ])('$method is closed to $to, and no handler hears of it', async ({ method, caller }) => {
    const refuse = (): never => {
      throw new Error('the handler was reached');
    };
    const route = createRouter(
      new Proxy({} as Handlers, { get: () => refuse }),
      createDisclosure(openLog(), Date.now),
    );

    await expect(route(method, {}, caller)).rejects.toMatchObject({
      code: 'unauthorized',
      message: expect.stringMatching(new RegExp(`^${method} is (not )?for `)) as string,
    });
  });
});

describe('a part of the settings', () => {
  const ASKED: Record<keyof typeof SETTINGS_PARTS, object> = {
    agent: {},
    expert: {},
    awm: {},
    gateway: {},
    profiles: { remove: 'p' },
    prices: { remove: 'p' },
    budgets: { per_episode: NO_BUDGET, per_run: NO_BUDGET },
    roster: EMPTY_ROSTER,
    reward_profiles: { remove: 'r' },
  };

  it.each(Object.entries(SETTINGS_PARTS))('%s is changed by whom its row says', async (part, { who }) => {
    const handlers = { 'settings.change': () => Promise.resolve('changed') } as unknown as Handlers;
    const route = createRouter(handlers, createDisclosure(openLog(), Date.now));
    const change = { [part]: ASKED[part as keyof typeof ASKED] };

    const byKey = route('settings.change', change, { seat: 'seat-key', key: 'k' });

    if (who === 'owner') expect(await byKey).toBe('changed');
    else await expect(byKey).rejects.toMatchObject({ code: 'unauthorized' });
    expect(await route('settings.change', change, { seat: 'seat-one' })).toBe('changed');
    await expect(route('settings.change', change, EXPERT)).rejects.toMatchObject({ code: 'unauthorized' });
  });
});

it('a file of this machine is named for an environment by its owner alone, not by a key to the console', async () => {
  const handlers = { 'environment.change': () => Promise.resolve('changed') } as unknown as Handlers;
  const route = createRouter(handlers, createDisclosure(openLog(), Date.now));
  const named = (ca_file: string | null) => ({
    id: 'e',
    connection: { ca_file, reset_seconds: null, transport: 'auto', headers: [], goes_on: false },
  });
  const key = { seat: 'seat-key', key: 'k' };

  await expect(route('environment.change', named('/etc/shadow'), key)).rejects.toMatchObject({
    code: 'unauthorized',
  });
  expect(await route('environment.change', named(null), key)).toBe('changed');
  expect(await route('environment.change', named('/ca.pem'), { seat: 'seat-one' })).toBe('changed');
});

describe('an expert’s seat', () => {
  it('tries calls without the verdict, and reads no other seat’s stream', async () => {
    const handlers = {
      'preview.run': () => Promise.resolve({ verdict: null }),
      'episode.read': () => Promise.resolve({ events: [] }),
    } as unknown as Handlers;
    const route = createRouter(handlers, createDisclosure(openLog(), Date.now));
    const preview = { episode: 'e1', turn: 1, call: null, calls: [{ tool_name: 't', arguments: {} }] };
    const read = { after: 0, limit: 1 };

    await expect(route('preview.run', { ...preview, with_verdict: true }, EXPERT)).rejects.toThrow(/verdict/);
    await expect(route('episode.read', { ...read, episode: 'seat/x' }, EXPERT)).rejects.toThrow(
      /other seats/,
    );
    expect(await route('preview.run', { ...preview, with_verdict: false }, EXPERT)).toEqual({
      verdict: null,
    });
    expect(await route('episode.read', { ...read, episode: 'e1' }, EXPERT)).toEqual({ events: [] });
  });

  it('reads episodes, but not what other seats did', () => {
    expect(() => checkTopic({ topic: 'episode', episode: 'seat/seat-other', after: 0 }, EXPERT)).toThrow(
      /not other seats/,
    );
    expect(() => checkTopic({ topic: 'episode', episode: 'e1', after: 0 }, EXPERT)).not.toThrow();
    expect(() =>
      checkTopic({ topic: 'episode', episode: 'seat/seat-other', after: 0 }, { seat: 'seat-one' }),
    ).not.toThrow();
  });
});

describe('on the whole product, an expert’s seat', () => {
  let product: Product;
  beforeEach(async () => {
    product = await openProduct();
  });
  afterEach(async () => {
    await product.close();
    removeFolder(product.folder);
  });
  const asExpert = (method: Method, input: unknown) => product.route(method, input, EXPERT);

  it('is told its role, and neither the data folder nor the owner’s notices', async () => {
    expect(await asExpert('app.describe', {})).toMatchObject({
      role: 'expert',
      seat: 'seat-guest',
      data_folder: '',
      notices: [],
    });
    expect(await product.as('seat-one')('app.describe', {})).toMatchObject({
      role: 'owner',
      data_folder: product.folder,
    });
  });

  it('is not told by what is left out where words stand that it may not read', async () => {
    const { episodes } = await product.as('seat-one')('episode.start', startInput());
    const [episode = ''] = episodes;
    await product.until(episode, ({ consultations }) => consultations[0]);
    const sought = { episode, after: 0, limit: 100, holding: 'no such words in it' };

    expect(await product.as('seat-one')('episode.read', sought)).toMatchObject({ events: [] });
    const { events } = await product.as('seat-one')('episode.read', { episode, after: 0, limit: 3 });
    expect(await asExpert('episode.read', { ...sought, limit: 3 })).toMatchObject({
      events: events.map(({ n }) => ({ n })),
    });
  });

  it('answers, sees later what came of it, and is marked as having seen the verdict', async () => {
    const { episodes } = await product.as('seat-one')('episode.start', startInput());
    const [episode = ''] = episodes;
    const asking = await product.until(episode, ({ consultations }) => consultations[0]?.draft);
    const consultation = asking.consultations[0]?.id ?? '';
    const text = 'update_workflow_name({"workflow_id": 2, "name": "x"})';
    await asExpert('desk.answer', {
      episode,
      consultation,
      text,
      draft: null,
      seen_seq: asking.seq,
      timing: { first_seen_at: null, active_ms: null },
    });
    const page = { offset: 0, limit: 10 };
    await product.ended(episode);
    expect(product.log.projections.seen('seat-guest', worldTask(0))).not.toContain('verdict');

    const mine = await asExpert('answers.mine', page);

    expect(mine).toMatchObject({
      total: 1,
      answers: [{ episode, consultation, act: 'send', text, verified: expect.any(String) as string }],
    });
    expect(product.log.projections.seen('seat-guest', worldTask(0))).toContain('verdict');
    expect(await product.as('seat-one')('answers.mine', page)).toEqual({ total: 0, answers: [] });
  });

  it('keeps what came too late among its answers, and its declines', async () => {
    const { episodes } = await product.as('seat-one')('episode.start', startInput());
    const [episode = ''] = episodes;
    const asking = await product.until(episode, ({ consultations }) => consultations[0]?.draft);
    const at = { episode, consultation: asking.consultations[0]?.id ?? '' };
    const timing = { first_seen_at: null, active_ms: null };
    await asExpert('desk.decline', { ...at, reason: 'not my field', seen_seq: asking.seq, timing });
    await asExpert('desk.advise_late', { ...at, text: 'ask Bo', timing });

    expect(await asExpert('answers.mine', { offset: 0, limit: 10 })).toMatchObject({
      total: 2,
      answers: [
        { act: 'late', text: 'ask Bo', episode },
        { act: 'decline', text: 'not my field', episode, uptake: null },
      ],
    });
  });
});
