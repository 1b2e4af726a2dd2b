// What commands find: episodes in all states, and one of everything that can be kept.
import type { BenchPlan } from '../../src/shared/bench/plan.ts';
import type { Inputs, Method, Outputs } from '../../src/shared/contract/contract.ts';
import { BUILT_IN } from '../../src/shared/environmentKinds.ts';
import { REWARD_DEFAULTS } from '../../src/shared/rewards/settings.ts';
import { openFolder } from './dataFolder.ts';
import { reset, started, SYSTEM } from './log.ts';
import { startInput, type Product } from './product.ts';
import { PACK } from './worlds.ts';

export const TIMING = { first_seen_at: null, active_ms: null };
export const DIMENSION = {
  id: 'd',
  type: 'free_text' as const,
  name: 'D',
  description: '',
  on: ['trajectory' as const],
  is_required: false,
  use: null,
};
export const QUEUE = {
  name: 'Q',
  reviewers_per_item: 5,
  seats: [],
  is_blind: false,
  hides_outcome: false,
  lease_minutes: 30,
};
export const HOLD_ALL = { glob: '*', argument: null, does: 'ask' as const, count: null };
export const PROFILE = {
  name: 'p',
  provider: 'openai',
  base_url: null,
  model: 'm',
  api_version: null,
} as const;
export const PRICE = {
  name: 'm',
  currency: 'EUR',
  input: 1,
  output: 2,
  cached: null,
  reasoning: null,
  as_of: '2026-11-23',
};
export const PAGE = { offset: 0, limit: 50 };
const REHEARSAL = { policy: 'rehearsal', protocol: 'native', model: null } as const;

export const benchPlan = (name: string): BenchPlan => ({
  name,
  environment: BUILT_IN,
  section: 'val',
  tasks: [[PACK, 0]],
  arms: [
    { arm: 'none', condition: 'none', agent: REHEARSAL },
    { arm: 'model', condition: 'model', agent: REHEARSAL },
  ],
  primary: { first: 'none', second: 'model' },
  seeds: [0],
  order_seed: 0,
  is_privileged: true,
  turns: null,
  asks: null,
  hourly_minutes: null,
  deadline_ms: null,
  fallback: 'proceed',
});

type Item = { project: string; queue: string; item: string };
export type Scene = {
  product: Product;
  call: <M extends Method>(method: M, input: Inputs[M]) => Promise<Outputs[M]>;
  /** As a command of the command line asks. */
  command: Product['command'];
  /** Of what is made anew each time. */
  newName: () => string;
  /** Each of `asking` waits for an answer, `held` with this call and each later one, `takenOver` in a person's hands. */
  episodes: {
    ended: string;
    /** Ended too, for what is not wanted any more. */
    unwanted: string;
    asking: [string, string];
    held: string;
    /** One for each decision about a call. */
    holding: string[];
    takenOver: string;
    broken: [string, string];
  };
  environment: string;
  key: string;
  invite: string;
  item: Item;
  pair: Item;
  annotation: string;
  preview: string;
  import: string;
  bench: string;
};

/** Left open by a program that was killed, in an environment that is not ours. */
export function leaveBroken(folder: string): [string, string] {
  const opened = openFolder(folder);
  const environment = { id: 'env-1', name: 'Theirs', url: 'http://127.0.0.1:9', builtin: false };
  const ids: [string, string] = ['broken-1', 'broken-2'];
  for (const id of ids) {
    opened.log.append(id, SYSTEM, started({ environment }));
    opened.log.append(id, SYSTEM, reset());
  }
  opened.close();
  return ids;
}

export async function setScene(product: Product, broken: [string, string]): Promise<Scene> {
  const call = product.as('seat-one');
  let names = 0;
  const newName = (): string => `n${String((names += 1))}`;
  const episodes = { ...(await startEpisodes(product)), broken };
  const bench = newName();
  await product.benches.run(benchPlan(bench), { concurrency: 2 });
  const { id: environment } = await call('environments.add', { name: 'E', url: 'http://127.0.0.1:9' });
  const limits = { environment: null, per_minute: null, at_once: null };
  const { key } = await call('keys.create', { name: 'k', scopes: ['expert'], ...limits });
  const { invite } = await call('invites.create', { label: 'I' });
  await call('settings.change', { profiles: { save: { ...PROFILE, name: 'old' } } });
  await call('settings.change', { prices: { save: { ...PRICE, name: 'old' } } });
  await call('settings.change', { reward_profiles: { save: { name: 'old', settings: REWARD_DEFAULTS } } });
  const tried = { episode: episodes.held, turn: 1, call: null, with_verdict: false };
  const calls = [{ tool_name: 'list_workflows', arguments: { workspace_id: 1 } }];
  const { preview } = await call('preview.run', { ...tried, calls });
  const { import: id } = await call('import.begin', { files: [{ name: 'a.jsonl', bytes: 3 }] });
  return {
    product,
    call,
    command: product.command,
    newName,
    episodes,
    environment,
    bench,
    ...(await makeQueues(call, episodes.ended)),
    key: key.id,
    invite: invite.id,
    preview: preview ?? '',
    import: id,
  };
}

async function startEpisodes(product: Product): Promise<Omit<Scene['episodes'], 'broken'>> {
  const call = product.as('seat-one');
  const start = async (over: Parameters<typeof startInput>[0]): Promise<string> =>
    (await call('episode.start', startInput(over))).episodes[0] ?? '';
  const approval = { rules: [HOLD_ALL], deadline_ms: null, fallback: 'wait' as const };
  const [ended = '', unwanted = ''] = await Promise.all([1, 2].map(() => start({ condition: 'model' })));
  const asking: [string, string] = [await start({}), await start({})];
  const takenOver = await start({});
  const held = await start({ condition: 'none', approval });
  const holding = await Promise.all([1, 2, 3, 4].map(() => start({ condition: 'none', approval })));
  for (const episode of [ended, unwanted]) await product.ended(episode);
  for (const episode of [...asking, takenOver])
    await product.until(episode, ({ consultations }) => consultations[0]?.draft);
  const control = { at_once: false, reason: null, note: null, is_discarded: false };
  await call('episode.control', { episode: takenOver, act: 'take_over', ...control });
  for (const episode of [held, ...holding]) await product.until(episode, () => heldCallOf(product, episode));
  return { ended, unwanted, asking, held, holding, takenOver };
}

export const heldCallOf = (product: Product, held: string): string | undefined =>
  product.log.projections.holds(100).find(({ episode }) => episode === held)?.call?.id;

async function makeQueues(call: Scene['call'], ended: string) {
  const about = { name: 'P', instructions: '', dimensions: [DIMENSION] };
  const { project } = await call('project.create', about);
  const first = async (from: Inputs['queue.make']['from']): Promise<Item> => {
    const { queue } = await call('queue.make', { project, ...QUEUE, from });
    const { items } = await call('queue.items', { project, queue, show: 'all', ...PAGE });
    return { project, queue, item: items[0]?.item ?? '' };
  };
  const judgement = {
    target: { on: 'trajectory', episode: ended },
    dimension: 'd',
    value: { type: 'free_text', text: 'Well done.' },
    timing: TIMING,
  } as const;
  const item = await first({ type: 'episodes', episodes: [ended] });
  const left = { type: 'episode' as const, episode: ended };
  const right = { type: 'turn' as const, episode: ended, turn: 1 };
  const pair = await first({ type: 'pairs', pairs: [{ left, right }] });
  const { annotation } = await call('annotation.give', { as: 'value', ...item, ...judgement });
  return { item, pair, annotation };
}
