// Every kind of episode goes on after a kill as if nobody had killed it: its events are those of the same episode that
// nobody killed.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { liftSpec } from '../../src/main/commands/lifts.ts';
import type { LiftPlan } from '../../src/shared/lift/plan.ts';
import { killedEverywhere, ME, type KilledOptions } from '../support/killed.ts';
import { startOpenAiServer, type OpenAiServer } from '../support/openaiServer.ts';
import { startInput, type Product } from '../support/product.ts';

type Start = Parameters<typeof startInput>[0];
type Kind = Pick<KilledOptions, 'prepare' | 'begin'> & { start?: Start };

const call = (id: string, name: string, args: object) => ({ id, name, arguments: JSON.stringify(args) });
const SCRIPT = [
  {
    content: 'I look at three things.',
    toolCalls: [
      call('a', 'list_tags', { workspace_id: 1 }),
      call('b', 'no_such_tool', { x: 1 }),
      call('c', 'list_connections', { workspace_id: 1 }),
    ],
  },
  { content: 'Done.' },
];
const said = (messages: unknown): number =>
  (messages as { role: string }[]).filter(({ role }) => role === 'assistant').length;

let model: OpenAiServer;
beforeAll(async () => {
  model = await startOpenAiServer(({ messages }) => SCRIPT[said(messages)] ?? { content: 'Done.' });
});
afterAll(() => model.close());

/** Plays an episode to its end before the one that is killed. */
async function played(product: Product, over: Start): Promise<string> {
  const { episodes } = await product.as(ME)('episode.start', startInput(over));
  const id = episodes[0] ?? '';
  await product.ended(id);
  return id;
}

/** Played before the episode that is killed, and gone on from in it. */
let earlier = '';
const playEarlier = async (product: Product): Promise<Start> => {
  earlier = await played(product, { condition: 'model' });
  return {};
};

async function lifted(product: Product): Promise<string> {
  const episode = earlier;
  const record = product.log.record(episode);
  const { id: consultation = '', turn = 0 } = record.consultations[0] ?? {};
  const point = {
    episode,
    consultation,
    turn,
    environment: 'builtin',
    scenario: 'loomline_workflows',
    task_idx: 0,
    advised_by: 'model' as const,
    is_privileged: true,
    model: null,
  };
  const plan: LiftPlan = {
    name: 'worth',
    request: {
      run: null,
      episodes: [episode],
      last: null,
      points: null,
      k: 1,
      seed: 0,
      agent: { policy: 'rehearsal', model: null },
    },
    points: [point],
    eligible: 1,
    not_eligible: {},
  };
  return product.supervisor.start(liftSpec(record, plan, { point, arm: 'with', number: 1 }, () => null)).id;
}

const KINDS: Record<string, Kind> = {
  'advised by a model': { start: { condition: 'model' } },
  'with calls written as text': {
    start: { condition: 'model', agent: { policy: 'rehearsal', protocol: 'xml', model: null } },
  },
  'with several calls in a reply': {
    start: {
      condition: 'none',
      agent: { policy: 'chat', protocol: 'native', model: 'm' },
    },
    prepare: async (product) => {
      product.settings.write({ agent: { base_url: model.url, model: 'm' } });
      return {};
    },
  },
  'in a world of actions': {
    start: { scenario: 'dockside_thrusters', task_idx: 1, seed: 5, condition: 'model' },
  },
  'that begins with a brief': {
    prepare: async (product) => ({
      condition: 'brief',
      baseline: await played(product, { condition: 'none' }),
    }),
  },
  'forked from another': {
    prepare: playEarlier,
    begin: async (product) => (await product.as(ME)('episode.fork', { episode: earlier, turn: 2 })).episode,
  },
  'that measures what an answer was worth': { prepare: playEarlier, begin: lifted },
};

/** Of an episode that has no copy, or no brief, yet nothing can go on. */
const hasBegun: NonNullable<KilledOptions['isTried']> = (n, { forked, timeline, consultations, started }) => {
  const copied = forked === null ? 0 : (timeline.find(({ type }) => type === 'forked')?.n ?? 0);
  const briefed = started?.condition === 'brief' ? (consultations[0]?.askedN ?? 0) : 0;
  return n >= Math.max(copied, briefed);
};

it.each(Object.entries(KINDS))(
  'an episode %s goes on as if nobody had killed it',
  async (_kind, made) => {
    const { start = {}, ...options } = made;
    const { unkilled, positions } = await killedEverywhere(start, () => null, {
      ...options,
      isTried: hasBegun,
      every: 7,
    });

    expect(unkilled.ended?.outcome).toBe('done');
    expect(positions).toBeGreaterThan(1);
  },
  120_000,
);
