import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contract, isMethod, type Method } from '../../src/shared/contract/contract.ts';
import { checkTopic, EXPERT_METHODS } from '../../src/shared/contract/roles.ts';
import { createDisclosure } from '../../src/main/commands/disclosure.ts';
import { createRouter } from '../../src/main/commands/router.ts';
import type { Handlers } from '../../src/shared/contract/contract.ts';
import { openLog } from '../support/log.ts';
import { openProduct, removeFolder, startInput, type Product } from '../support/product.ts';
import { worldTask } from '../support/worlds.ts';

const EXPERT = { seat: 'seat-guest', invite: 'invite-1' };
const methods = Object.keys(contract).filter(isMethod);
/** What is the owner's alone; a command that is added stands here or in the expert's table, never in neither. */
const OWNERS = [
  'environments.list',
  'environments.verifier',
  'environments.set_verifier',
  'environments.add',
  'environments.remove',
  'environments.check',
  'environments.audit',
  'environments.audit_progress',
  'environments.cancel_audit',
  'environments.overview',
  'scenarios.search',
  'scenarios.list',
  'tasks.list',
  'episode.start',
  'episode.stop',
  'episode.fork',
  'episode.resume',
  'policy.set',
  'settings.read',
  'settings.write',
  'settings.try_model',
  'models.probe',
  'models.cancel_probe',
  'profiles.list',
  'prices.list',
  'prices.save',
  'prices.remove',
  'budgets.read',
  'budgets.write',
  'profiles.save',
  'profiles.remove',
  'export.check',
  'export.write',
  'export.job',
  'export.cancel',
  'export.show',
  'export.history',
  'invites.create',
  'invites.list',
  'invites.revoke',
  'owner.renew_token',
  'folder.settle',
];

describe('an expert’s seat', () => {
  it('is closed to every command that is not opened to it', () => {
    const closed = methods.filter((method) => !EXPERT_METHODS.has(method));

    expect(closed).toEqual(expect.arrayContaining(OWNERS));
    for (const method of OWNERS) expect(EXPERT_METHODS.has(method as Method), method).toBe(false);
  });

  it.each(methods.filter((method) => !EXPERT_METHODS.has(method)))(
    'may not use %s, and no handler hears of it',
    async (method) => {
      const refuse = (): never => {
        throw new Error('the handler was reached');
      };
      const route = createRouter(
        new Proxy({} as Handlers, { get: () => refuse }),
        createDisclosure(openLog(), Date.now),
      );

      await expect(route(method, INPUTS[method] ?? {}, EXPERT)).rejects.toMatchObject({
        code: 'unauthorized',
        message: `${method} is not for an expert’s seat`,
      });
    },
  );

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

/** Inputs for commands that need some, so that the role refuses and not the schema. */
const INPUTS: Partial<Record<Method, unknown>> = {
  'environments.remove': { id: 'x' },
  'environments.add': { name: 'x', url: 'http://127.0.0.1:1' },
  'environments.check': { url: 'http://127.0.0.1:1' },
  'scenarios.search': { environment: 'builtin', query: '', offset: 0, limit: 1 },
  'scenarios.list': { environment: 'builtin', is_fresh: false },
  'tasks.list': { environment: 'builtin', scenario: 's' },
  'episode.start': startInput(),
  'episode.stop': { episode: 'e1', reason: null },
  'episode.fork': { episode: 'e1', turn: 1 },
  'episode.resume': { episode: 'e1' },
  'policy.set': { episode: 'e1', rules: [] },
  'settings.try_model': { role: 'agent' },
  'models.probe': { role: 'agent', probe: 'answer', id: 'x' },
  'models.cancel_probe': { id: 'x' },
  'profiles.save': { name: 'p', provider: 'openai', base_url: null, model: 'm', api_version: null },
  'profiles.remove': { name: 'p' },
  'budgets.write': {
    per_episode: { turns: null, minutes: null, tokens: null, cost: null },
    per_run: { turns: null, minutes: null, tokens: null, cost: null },
  },
  'prices.save': {
    name: 'm',
    currency: 'USD',
    input: 1,
    output: 2,
    cached: null,
    reasoning: null,
    as_of: '2026-11-23',
  },
  'prices.remove': { name: 'm' },
  'export.check': { format: 'sft', rules: {} },
  'export.write': { format: 'sft', rules: {}, files: 'jsonl', kit: null, despite: [] },
  'export.job': { export: 'x' },
  'export.cancel': { export: 'x' },
  'export.show': { folder: '/x' },
  'invites.create': { label: 'Ada' },
  'invites.revoke': { id: 'x' },
};

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

  it.each(OWNERS.filter((method) => method in INPUTS))('is told that %s is not for it', async (method) => {
    await expect(asExpert(method as Method, INPUTS[method as Method])).rejects.toMatchObject({
      code: 'unauthorized',
      next: 'Ask the person who invited you.',
    });
  });

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
