// A way to use each command that keeps something, and what those need that one folder does not show. A test says which
// row of the contract is in neither.
import type { Method } from '../../src/shared/contract/contract.ts';
import { EMPTY_ROSTER } from '../../src/shared/experts/roster.ts';
import { failureFrom } from '../../src/shared/failure.ts';
import { REWARD_DEFAULTS } from '../../src/shared/rewards/settings.ts';
import { USUAL_SETTINGS } from '../../src/shared/serverConnection.ts';
import { startInput } from './product.ts';
import {
  benchPlan,
  DIMENSION,
  heldCallOf,
  HOLD_ALL,
  PRICE,
  PROFILE,
  QUEUE,
  TIMING,
  type Scene,
} from './writingScene.ts';

const NO_BUDGET = { turns: null, minutes: null, tokens: null, cost: null };

function holdOf({ product, episodes }: Scene, at: number) {
  const episode = episodes.holding[at] ?? '';
  const call = heldCallOf(product, episode) ?? '';
  return { episode, call, seen_seq: product.log.record(episode).seq, timing: TIMING };
}

function askOf({ product }: Scene, episode: string) {
  const { consultations, seq } = product.log.record(episode);
  const open = consultations.findLast(({ decision }) => decision === null);
  return { at: { episode, consultation: open?.id ?? '' }, seen: { seen_seq: seq, timing: TIMING } };
}

/** Forms of one command: where they fail, they all do. */
async function alike(forms: Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(forms)).filter(({ status }) => status === 'rejected');
  if (failed.length > 0 && failed.length < forms.length)
    throw new Error('one form was kept, another refused');
  await Promise.all(forms);
}

/** A job that failed throws what it failed with. */
async function jobEnd<J extends { state: string; failure: Parameters<typeof failureFrom>[0] | null }>(
  look: () => Promise<J | undefined>,
): Promise<void> {
  for (;;) {
    const job = await look();
    if (job === undefined) return;
    if (job.failure !== null) throw failureFrom(job.failure);
    if (!['waiting', 'running'].includes(job.state)) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const TARGET = (episode: string) => ({ on: 'trajectory', episode }) as const;
const VALUE = { type: 'free_text', text: 'Well done.' } as const;

type Recipe = (scene: Scene) => Promise<unknown>;

/** In an order in which each still finds what it needs. */
export const WRITES = {
  'environments.add': ({ call, newName }) =>
    call('environments.add', { name: newName(), url: `http://127.0.0.1:9/${newName()}` }),
  'environment.change': ({ call, environment: id }) =>
    call('environment.change', {
      id,
      text: 'Mind the gap.',
      connection: { ...USUAL_SETTINGS, reset_seconds: 60, headers: [] },
    }),
  'environments.remove': ({ call, environment: id }) => call('environments.remove', { id }),
  'settings.change of agent': ({ call }) => call('settings.change', { agent: { model: 'm' } }),
  'settings.change of expert': ({ call }) => call('settings.change', { expert: { model: 'm' } }),
  'settings.change of awm': ({ call }) => call('settings.change', { awm: { data_folder: '/awm' } }),
  'settings.change of gateway': ({ call }) => call('settings.change', { gateway: { may_act: true } }),
  'settings.change of profiles': ({ call }) => call('settings.change', { profiles: { save: PROFILE } }),
  'settings.change of prices': ({ call }) => call('settings.change', { prices: { save: PRICE } }),
  'settings.change of budgets': ({ call }) =>
    call('settings.change', {
      budgets: { per_episode: NO_BUDGET, per_run: { ...NO_BUDGET, turns: 9 } },
    }),
  'settings.change of roster': ({ call }) => call('settings.change', { roster: EMPTY_ROSTER }),
  'settings.change of reward_profiles': ({ call }) =>
    call('settings.change', { reward_profiles: { save: { name: 'r', settings: REWARD_DEFAULTS } } }),
  'keys.create': ({ call }) =>
    call('keys.create', {
      name: 'k',
      scopes: ['expert'],
      environment: null,
      per_minute: null,
      at_once: null,
    }),
  'access.revoke': ({ call, key: id }) => call('access.revoke', { id }),
  'invites.create': ({ call, newName }) => call('invites.create', { label: newName() }),
  'owner.renew_token': ({ call }) => call('owner.renew_token', {}),
  'seat.change': ({ call }) => call('seat.change', { guide: 'done' }),

  'episode.start': ({ call }) => call('episode.start', startInput({ condition: 'none', repeats: 2 })),
  'episode.fork': ({ call, episodes: { ended: episode } }) => call('episode.fork', { episode, turn: 1 }),
  'answer_key.show': ({ product, newName, episodes: { asking } }) =>
    product.as(newName())('answer_key.show', { episode: asking[0] }),
  'preview.changes': ({ call, preview }) => call('preview.changes', { preview }),
  'episode.settle': ({ call, episodes: { broken } }) =>
    call('episode.settle', { episode: broken[1], act: 'go_on' }),
  'desk.claim': (scene) =>
    scene.call('desk.claim', { ...askOf(scene, scene.episodes.asking[0]).at, is_typing: true }),
  'desk.pass': (scene) =>
    scene.product.as('seat-two')('desk.pass', askOf(scene, scene.episodes.asking[0]).at),
  'desk.answer': (scene) => {
    const { at, seen } = askOf(scene, scene.episodes.asking[0]);
    return scene.call('desk.answer', { ...at, ...seen, text: 'The second.', draft: null });
  },
  'desk.decline': (scene) => {
    const { at, seen } = askOf(scene, scene.episodes.asking[1]);
    return scene.call('desk.decline', { ...at, ...seen, reason: 'Nobody knows.' });
  },
  'desk.advise_late': ({ call, episodes: { ended: episode } }) =>
    call('desk.advise_late', { episode, consultation: `${episode}:c1`, text: 'The first.', timing: TIMING }),
  'note.send': ({ call, episodes: { held: episode } }) =>
    call('note.send', { episode, text: 'Look again.', timing: TIMING }),
  'breakpoint.change': ({ call, episodes: { held: episode } }) =>
    call('breakpoint.change', { episode, set: { on: 'error' } }),
  'policy.set': ({ call, episodes: { held: episode } }) => call('policy.set', { episode, rules: [HOLD_ALL] }),
  'label.give': ({ call, episodes: { held: episode } }) =>
    call('label.give', { episode, turn: 1, move: { type: 'final', text: 'Done.' }, timing: TIMING }),
  'call.decide': (scene) => scene.call('call.decide', { act: 'reject', ...holdOf(scene, 0), reason: 'No.' }),
  'episode.control': ({ call, episodes: { held: episode } }) =>
    call('episode.control', {
      episode,
      act: 'pause',
      at_once: false,
      reason: null,
      note: null,
      is_discarded: false,
    }),
  'takeover.move': ({ call, episodes: { takenOver: episode } }) =>
    call('takeover.move', { episode, say: '', move: { type: 'list_tools' }, is_unchecked: false }),
  'suggestion.note': ({ call, episodes: { held: episode } }) =>
    call('suggestion.note', { episode, level: 1, act: 'watch' }),
  'preview.run': ({ call, episodes: { held: episode } }) =>
    call('preview.run', {
      episode,
      turn: 1,
      call: null,
      calls: [{ tool_name: 'list_workflows', arguments: { workspace_id: 1 } }],
      with_verdict: false,
    }),
  'tags.change': ({ call, episodes: { ended: episode }, newName }) =>
    call('tags.change', { episodes: [episode], add: [newName()], remove: [] }),
  'training.steer': ({ call, newName }) =>
    call('training.steer', {
      run: newName(),
      steering: { what: 'settings', settings: { phases: { fixed_share: 0.5 } } },
    }),
  'training.add_log': ({ call, newName }) =>
    call('training.add_log', {
      run: newName(),
      file: 'metrics.jsonl',
      base64: Buffer.from('{"step": 1, "reward": 2}\n').toString('base64'),
    }),

  'project.create': ({ call, newName }) =>
    call('project.create', { name: newName(), instructions: '', dimensions: [] }),
  'project.change': ({ call, item: { project } }) =>
    call('project.change', {
      project,
      name: 'P2',
      schema: { seen_version: 1, dimensions: [DIMENSION] },
    }),
  'queue.make': ({ call, item: { project }, episodes: { ended: episode } }) =>
    call('queue.make', { project, ...QUEUE, from: { type: 'episodes', episodes: [episode] } }),
  'queue.add': ({
    call,
    item: { project, queue },
    episodes: {
      asking: [episode],
    },
  }) => call('queue.add', { project, queue, episodes: [episode] }),
  'queue.assign_many': ({ call, item: { project, queue, item } }) =>
    call('queue.assign_many', {
      project,
      queue,
      items: [item],
      reviewers: ['seat-one', 'seat-two'],
      each: 2,
    }),
  'queue.next': ({ product, newName, item: { project, queue } }) =>
    product.as(newName())('queue.next', { project, queue }),
  'queue.open': ({ product, newName, item }) => product.as(newName())('queue.open', item),
  'annotation.withdraw': ({ call, item, annotation }) => call('annotation.withdraw', { ...item, annotation }),
  'annotation.give': async ({ call, item, pair, episodes: { ended: episode } }) => {
    const said = { ...item, timing: TIMING };
    const step = { on: 'step', episode, turn: 1 } as const;
    const correct = { type: 'text', text: 'No.' } as const;
    await alike([
      call('annotation.give', {
        as: 'value',
        ...said,
        target: TARGET(episode),
        dimension: 'd',
        value: VALUE,
      }),
      call('annotation.give', { as: 'correction', ...said, target: step, correct, reason: null }),
      call('annotation.give', { as: 'preference', ...pair, choice: 'left', reason: null, timing: TIMING }),
    ]);
  },
  'annotation.adjudicate': ({ call, item, episodes: { ended: episode } }) =>
    call('annotation.adjudicate', {
      ...item,
      target: TARGET(episode),
      dimension: 'd',
      value: VALUE,
      reason: null,
      timing: TIMING,
    }),
  'queue.leave': ({ call, item }) => call('queue.leave', { ...item, as: 'done', timing: TIMING }),

  'bench.start': ({ call, newName }) => call('bench.start', { plan: benchPlan(newName()), concurrency: 1 }),
  'run.start': async ({ call }) => {
    const starts = [startInput({ condition: 'none' })];
    const { run } = await call('run.start', { starts, concurrency: 1 });
    let news = await call('run.wait', { run, after: 0 });
    while (!news.is_over) news = await call('run.wait', { run, after: 2 });
    if (news.failure !== null) throw failureFrom(news.failure);
  },
  'split.pin': ({ command, newName }) => command('split.pin', { name: newName(), pinned: null }),
  'export.log': ({ product, command, newName }) =>
    command('export.log', {
      format: 'events',
      rules: {} as never,
      into: { folder: `${product.folder}/${newName()}`, is_forced: false },
    }),
  'bench.export': ({ call, bench }) => call('bench.export', { name: bench }),
  'export.start': async ({ call, episodes: { ended: episode } }) => {
    const { export: id } = await call('export.start', {
      format: 'events',
      rules: { episodes: [episode] } as never,
      write: { files: 'jsonl', kit: null, despite: [] },
    });
    await jobEnd(() => call('export.job', { export: id }));
  },
  // A file without a byte has room on a full disk.
  'import.begin': async ({ call, newName }) => {
    const { import: id } = await call('import.begin', { files: [{ name: `${newName()}.jsonl`, bytes: 3 }] });
    const piece = { import: id, file: 0, offset: 0, data: 'e30K' };
    await call('import.chunk', piece).finally(() => call('import.cancel', { import: id }));
  },
  'import.chunk': ({ call, import: id }) =>
    call('import.chunk', { import: id, file: 0, offset: 0, data: 'e30K' }),
  'episode.stop': ({ call, episodes: { held: episode } }) => call('episode.stop', { episode, reason: null }),
  'episode.erase': ({ call, episodes: { unwanted: episode } }) =>
    call('episode.erase', { episode, text: null, reason: 'asked for' }),
} satisfies Partial<Record<Method | `${Method} of ${string}`, Recipe>>;

/** What they need, and append as the others do. */
export const NEEDS_MORE: Partial<Record<Method, string>> = {
  'call.settle_doubt': 'a call in doubt',
  'folder.settle': 'something that came with a data folder that was made elsewhere',
  'episode.resume': 'an episode that was interrupted',
  'desk.redraft': 'a model',
  'request.uncover': 'a client’s covered question',
  'lift.start': 'an answer whose worth can be measured',
  'import.read': 'a file; what becomes of it is told by import.wait',
  'import.end': 'a file that came whole; what becomes of it is pushed',
};
