// A data folder as people leave it, made anew from source: played on the built-in world with the real router, log and
// worlds, on a clock and with ids of the test's own. Each act waits for what the one before it led to, so the log is the
// same in every run.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import type { Inputs } from '../../../src/shared/contract/contract.ts';
import type { EpisodeRecord } from '../../../src/shared/episode/record.ts';
import { openFolder } from '../../support/dataFolder.ts';
import { openProduct, startInput, type Product } from '../../support/product.ts';
import { openTapped, tappedCall } from '../../support/tapped.ts';
import { ended, SYSTEM } from '../../support/log.ts';
import { PACK } from '../../support/worlds.ts';
import { schedule } from '../../../src/main/hosts/edges.ts';

export const EXPERT = 'seat-one';
export const TIMING = { first_seen_at: null, active_ms: 4_000 };
export const HOLD_ALL = { glob: '*', argument: null, does: 'ask' as const, count: null };
const CONTROL = { at_once: false, reason: null, note: null, is_discarded: false };

/** Edges whose clock stands where the last act put it, and whose ids count up. */
export function scriptedEdges() {
  let now = Date.UTC(2020, 0, 5, 9);
  let ids = 0;
  return {
    tick: (): void => {
      now += 1_000;
    },
    edges: {
      clock: () => now,
      monotonic: () => now,
      schedule,
      random: () => 0.5,
      newId: () => `id-${String((ids += 1)).padStart(4, '0')}`,
    },
  };
}

/** Whatever is timed takes no time while the work goes on: how long a call took stands in the log and in exports. */
export async function withoutDurations<T>(work: () => Promise<T>): Promise<T> {
  const stopped = vi.spyOn(performance, 'now').mockReturnValue(1_000);
  try {
    return await work();
  } finally {
    stopped.mockRestore();
  }
}

/** Acts of one person in an open product, each of which waits until it can be made. */
export function actsIn(product: Product, tick: () => void) {
  const call = product.as(EXPERT);
  const until = (episode: string, look: (record: EpisodeRecord) => unknown): Promise<EpisodeRecord> =>
    product.until(episode, look);
  const start = async (over: Parameters<typeof startInput>[0]): Promise<string> => {
    tick();
    return (await call('episode.start', startInput(over))).episodes[0] ?? '';
  };
  const heldCall = async (episode: string, turn: number) => {
    const record = await until(episode, ({ turns }) => turns[turn - 1]?.call?.held);
    tick();
    return { episode, call: record.turns[turn - 1]?.call?.id ?? '', seen_seq: record.seq, timing: TIMING };
  };
  const question = async (episode: string, nth = 1) => {
    const record = await until(episode, ({ consultations, started }) => {
      const asked = consultations[nth - 1];
      return asked !== undefined && (started?.condition === 'human' || asked.draft !== null);
    });
    tick();
    const asked = record.consultations[nth - 1];
    const about = { episode, consultation: asked?.id ?? '', seen_seq: record.seq, timing: TIMING };
    return { about, draft: asked?.draft ?? null };
  };
  const answer = async (episode: string, text: string | null, nth = 1): Promise<void> => {
    const { about, draft } = await question(episode, nth);
    const sent = text ?? (typeof draft?.text === 'string' ? draft.text : '');
    await call('desk.answer', { ...about, text: sent, draft: draft?.id ?? null });
  };
  const control = async (
    episode: string,
    act: Inputs['episode.control']['act'],
    over: Partial<Inputs['episode.control']> = {},
  ): Promise<void> => {
    tick();
    await call('episode.control', { episode, act, ...CONTROL, ...over });
  };
  return { call, until, start, heldCall, question, answer, control };
}
export type Acts = ReturnType<typeof actsIn>;

export type Scene = {
  /** The episode whose answer was changed, and that was forked. */
  edited: string;
  /** The seat's answer that went as it was drafted. */
  accepted: string;
  run: string;
};

/** Plays everything a person can do to an episode into the data folder, and closes it. */
export const playScene = (folder: string): Promise<Scene> => withoutDurations(() => play(folder));

async function play(folder: string): Promise<Scene> {
  await writeTapped(folder);
  const { edges, tick } = scriptedEdges();
  const product = await openProduct(folder, {}, 'go_on', edges);
  try {
    const acts = actsIn(product, tick);
    const { edited, accepted } = await playQuestions(acts, product);
    await playHeldCalls(acts, product);
    await playTakeOver(acts, product);
    await playFork(acts, product, edited);
    await judge(product, tick, [edited, accepted]);
    await importBeside(product, folder);
    return { edited, accepted, run: 'scene' };
  } finally {
    await product.close();
  }
}

/** Two episodes of a client's own agent, one of which a person changed. */
async function writeTapped(folder: string): Promise<void> {
  const opened = openFolder(folder);
  for (const [id, name] of [
    ['tapped-1', 'rollout-1'],
    ['tapped-2', 'rollout-2'],
  ] as const) {
    openTapped(opened.log, { id, name });
    tappedCall(opened.log, id, 1, 'list_workspaces');
    tappedCall(opened.log, id, 2, 'no_such_tool', 'Unknown tool: no_such_tool', 'tool_not_found');
    opened.log.append(
      id,
      SYSTEM,
      ended({
        reward: id === 'tapped-1' ? 1 : 0,
        reward_type: id === 'tapped-1' ? 'complete' : 'incomplete',
      }),
    );
  }
  opened.close();
}

async function playQuestions(acts: Acts, product: Product): Promise<Pick<Scene, 'edited' | 'accepted'>> {
  const { call, start, question, answer } = acts;
  const edited = await start({ run: 'scene' });
  const { draft } = await question(edited);
  await answer(edited, `${typeof draft?.text === 'string' ? draft.text : ''}\nNothing else needs a change.`);
  await product.ended(edited);

  const accepted = await start({ task_idx: 1, run: 'scene' });
  await answer(accepted, null);
  await product.ended(accepted);

  const declined = await start({ task_idx: 1, run: 'scene' });
  await call('desk.decline', { ...(await question(declined)).about, reason: 'You can see it in the list.' });
  await product.ended(declined);

  const wordless = await start({ task_idx: 2, condition: 'human', seed: 1 });
  await answer(wordless, 'Look at the list of workspaces first.');
  await answer(wordless, 'list_workspaces({})', 2);
  await product.ended(wordless);

  const late = await start({ task_idx: 2, condition: 'human', deadline_ms: 1, fallback: 'proceed' });
  await product.ended(late);
  for (const condition of ['none', 'model'] as const)
    await product.ended(await start({ condition, seed: 3 }));
  return { edited, accepted };
}

/** One call of each decision, and then none is held any more. */
async function playHeldCalls(acts: Acts, product: Product): Promise<void> {
  const { call, start, heldCall } = acts;
  const approval = { rules: [HOLD_ALL], deadline_ms: null, fallback: 'wait' as const };
  const held = (task_idx: number) => start({ task_idx, condition: 'model', approval });
  const free = (episode: string) => call('policy.set', { episode, rules: [] });

  const approved = await held(0);
  await call('note.send', {
    episode: approved,
    text: 'Look twice before you change anything.',
    timing: TIMING,
  });
  await call('call.decide', { act: 'approve', ...(await heldCall(approved, 1)), similar: true });
  await free(approved);
  await product.ended(approved);

  const changed = await held(1);
  await call('call.decide', {
    act: 'edit',
    ...(await heldCall(changed, 1)),
    tool_name: 'list_workspaces',
    arguments: {},
    reason: 'Begin with the list.',
    is_unchecked: false,
  });
  await free(changed);
  await product.ended(changed);

  const rejected = await held(2);
  await call('call.decide', {
    act: 'reject',
    ...(await heldCall(rejected, 1)),
    reason: 'That would wake everyone.',
  });
  await free(rejected);
  await product.ended(rejected);

  const madeUp = await held(3);
  await call('call.decide', {
    act: 'answer',
    ...(await heldCall(madeUp, 1)),
    text: '{"workspaces": []}',
    is_error: false,
  });
  await call('label.give', {
    episode: madeUp,
    turn: 1,
    move: { type: 'call_tool', tool_name: 'list_workspaces', arguments: {} },
    timing: TIMING,
  });
  await free(madeUp);
  await product.ended(madeUp);
}

async function playTakeOver(acts: Acts, product: Product): Promise<void> {
  const { call, start, question, control, until } = acts;
  const episode = await start({ task_idx: 4 });
  await question(episode);
  await control(episode, 'take_over', { reason: 'It is lost.' });
  await call('episode.control', { episode, act: 'set_aside', ...CONTROL });
  const move = { type: 'call_tool' as const, tool_name: 'list_workspaces', arguments: {} };
  const { turn } = await call('takeover.move', {
    episode,
    say: 'I look first.',
    move,
    is_unchecked: false,
    timing: TIMING,
  });
  await until(episode, ({ turns }) => turns[turn - 1]?.call?.returned);
  await control(episode, 'hand_back', { note: 'Go on from the list.' });
  await answer2(acts, episode);
  await product.ended(episode);
}

/** Where the agent asks once more after it was handed back. */
async function answer2({ until, answer }: Acts, episode: string): Promise<void> {
  const record = await until(
    episode,
    ({ consultations, ended: over }) => over !== null || consultations[1]?.draft,
  );
  if (record.ended === null) await answer(episode, null, 2);
}

async function playFork(acts: Acts, product: Product, of: string): Promise<void> {
  const { episode } = await acts.call('episode.fork', { episode: of, turn: 1 });
  await acts.answer(episode, null);
  await product.ended(episode);
}

const DIMENSIONS: Inputs['project.create']['dimensions'] = [
  {
    id: 'good',
    type: 'scale',
    name: 'Good',
    description: 'How well it went.',
    on: ['trajectory'],
    is_required: true,
    use: 'outcome',
    min: 1,
    max: 5,
    step: 1,
    min_label: 'badly',
    max_label: 'well',
  },
];
const QUEUE = { reviewers_per_item: 2, seats: [], is_blind: false, hides_outcome: false, lease_minutes: 30 };

/** Two reviewers, who agree about one episode and not about the other until a third decides; and a preferred side. */
async function judge(product: Product, tick: () => void, episodes: readonly [string, string]): Promise<void> {
  const owner = product.as(EXPERT);
  const about = { name: 'Reviews', instructions: 'Judge what you see.', dimensions: DIMENSIONS };
  const { project } = await owner('project.create', about);
  const from = { type: 'episodes' as const, episodes: [...episodes] };
  const { queue } = await owner('queue.make', { project, name: 'Played', ...QUEUE, from });
  const page = { project, queue, show: 'all' as const, offset: 0, limit: 10 };
  const { items } = await owner('queue.items', page);
  for (const [seat, numbers] of [
    ['seat-two', [5, 2]],
    ['seat-three', [5, 4]],
  ] as const)
    for (const [at, { item, subject }] of items.entries()) {
      tick();
      const it = { project, queue, item };
      await product.as(seat)('annotation.give', {
        as: 'value',
        ...it,
        target: { on: 'trajectory', episode: subject.type === 'episode' ? subject.episode : '' },
        dimension: 'good',
        value: { type: 'scale', number: numbers[at] ?? 0 },
        timing: TIMING,
      });
      await product.as(seat)('queue.leave', { as: 'done', ...it, timing: TIMING });
    }
  const left = { type: 'episode' as const, episode: episodes[0] };
  const right = { type: 'turn' as const, episode: episodes[1], turn: 1 };
  const pairs = { type: 'pairs' as const, pairs: [{ left, right }] };
  const made = await owner('queue.make', {
    project,
    name: 'Sides',
    ...QUEUE,
    reviewers_per_item: 1,
    from: pairs,
  });
  const [pair] = (await owner('queue.items', { ...page, queue: made.queue })).items;
  tick();
  const side = { project, queue: made.queue, item: pair?.item ?? '' };
  await owner('annotation.give', {
    as: 'preference',
    ...side,
    choice: 'left',
    reason: 'It is shorter.',
    timing: TIMING,
  });
  await owner('queue.leave', { as: 'done', ...side, timing: TIMING });
}

async function importBeside(product: Product, folder: string): Promise<void> {
  const file = join(folder, '..', 'imported.jsonl');
  const messages = [
    { role: 'user', content: 'Find x.' },
    {
      role: 'assistant',
      content: 'Looking.',
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'find', arguments: '{"q":"x"}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'x!' },
    { role: 'assistant', content: 'Here it is.' },
  ];
  writeFileSync(file, `${JSON.stringify({ messages })}\n`);
  const files = [{ name: file, path: file, beside: [] }];
  const { import: id } = await product.command('import.read', { files, lossy: false });
  for (let isOver = false; !isOver;)
    isOver = (await product.command('import.wait', { import: id, after: 0, with_rows: false })).is_over;
}
export { PACK };
