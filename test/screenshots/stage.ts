// Fills a running server with what every view needs to show: played episodes of several worlds, questions that wait,
// a group of rollouts, an annotation project, a training run and a bench.
import type { StartEpisode } from '../../src/shared/contract/areas.ts';
import { textHead } from '../../src/shared/events/text.ts';
import { START, type Server } from '../e2e/server.ts';
import { reviewEpisodes } from './reviewEpisodes.ts';
import { until } from './until.ts';

const WORLDS = ['loomline_workflows', 'deskwren_helpdesk', 'maplecart_shop', 'tallybrook_ledger'] as const;
const NO_TIMING = { first_seen_at: null, active_ms: 4000 };

/** What the pictures are taken of: the addresses differ from run to run. */
export type Stage = {
  /** Played to its end after advice, and complete. */
  complete: string;
  /** Ended before its task was done. */
  failed: string;
  question: string;
  held: string;
  taken: string;
  group: string;
  project: string;
  queue: string;
  /** A queue of pairs. */
  pairs: string;
  /** An item of the queue on which two reviewers disagree. */
  item: string;
};

async function start({ call }: Server, over: Partial<StartEpisode>): Promise<string[]> {
  const { episodes } = await call('episode.start', { ...START, ...over });
  return episodes;
}

const startOne = async (server: Server, over: Partial<StartEpisode>): Promise<string> =>
  (await start(server, over))[0] ?? '';

const untilEnded = (server: Server, episode: string): Promise<unknown> =>
  until(`the end of ${episode}`, async () => (await server.record(episode)).ended);

/** Answers every question of an episode until it ends: with the draft, or with other words. */
async function answerAll(server: Server, episode: string, text?: string): Promise<void> {
  for (;;) {
    const next = await until(`a question or the end of ${episode}`, async () => {
      if ((await server.record(episode)).ended !== null) return 'ended' as const;
      const item = (await server.desk()).find((one) => one.episode === episode);
      return item === undefined || item.draft === null ? null : item;
    });
    if (next === 'ended') return;
    await server.call('desk.answer', {
      episode,
      consultation: next.consultation,
      text: text ?? textHead(next.draft?.text ?? ''),
      draft: next.draft?.id ?? null,
      seen_seq: next.seq,
      timing: NO_TIMING,
    });
  }
}

/** Ended episodes of every world: done alone, done with advice, and failed. */
async function playEpisodes(server: Server): Promise<Pick<Stage, 'complete' | 'failed'>> {
  const ids: Record<'complete' | 'failed', string> = { complete: '', failed: '' };
  for (const scenario of WORLDS) {
    const alone = await startOne(server, { scenario, task_idx: 1, condition: 'none' });
    await untilEnded(server, alone);
    const short = await startOne(server, { scenario, task_idx: 4, condition: 'none', limits: { turns: 2 } });
    await untilEnded(server, short);
    const advised = await startOne(server, { scenario, task_idx: 2 });
    await answerAll(server, advised);
    ids.failed = short;
    ids.complete = advised;
  }
  const declined = await startOne(server, { task_idx: 3, limits: { consultations: 1 } });
  await answerAll(server, declined, 'Stop here and say that the record is not there.');
  const { id } = await server.call('environments.add', { name: 'Unreachable', url: 'http://127.0.0.1:9' });
  const broken = await startOne(server, {
    environment: id,
    scenario: null,
    task_idx: null,
    condition: 'none',
  });
  await untilEnded(server, broken);
  return ids;
}

/** Rollouts of one task that end differently, by what they were told. */
async function playGroup(server: Server): Promise<string> {
  const rollouts = await start(server, {
    scenario: 'maplecart_shop',
    task_idx: 0,
    repeats: 4,
    run: 'evening',
  });
  for (const [at, id] of rollouts.entries()) {
    await answerAll(server, id, at % 2 === 0 ? undefined : 'Cancel nothing and say that it is done.');
  }
  return (await server.record(rollouts[0] ?? '')).started?.group ?? '';
}

/** Rewards a trainer reports over twelve steps, so that a run has curves. */
async function reportTraining({ gateway }: Server): Promise<void> {
  // A trainer comes with the key of the tap.
  const key = /\/t\/(ij-[\w-]+)/.exec(JSON.stringify(gateway))?.[1] ?? '';
  const post = (path: string, body: unknown): Promise<Response> =>
    fetch(`${new URL(gateway.expert).origin}/curriculum/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify(body),
    });
  for (let step = 1; step <= 12; step += 1) {
    const done = Math.min(7, Math.floor(step / 2) + 1);
    const rollouts = Array.from({ length: 8 }, (_, at) => ({
      step,
      scenario: WORLDS[at % WORLDS.length],
      task_idx: at % 3,
      group: `g${String(step)}`,
      arm: 'solo',
      completed: at < done,
      reward: at < done ? 1 : 0,
      format_error: at === 7 && step < 5,
    }));
    await post('report', {
      run: 'lantern',
      id: String(step),
      rollouts,
      metrics: [{ step, reward: done / 8 }],
    });
    await post('next', { run: 'lantern', step: step + 1 });
  }
}

/** A small bench in two arms, to its end. */
async function runBench(server: Server): Promise<void> {
  const tasks = [0, 1, 2, 3, 4, 5].map((task) => ['loomline_workflows', task]);
  const rehearsal = { policy: 'rehearsal', protocol: 'native', profile: null } as const;
  const { plan } = await server.call('bench.plan', {
    choice: {
      name: 'night',
      environment: 'builtin',
      section: 'val',
      order_seed: 0,
      is_privileged: true,
      turns: 15,
      asks: 3,
      hourly_minutes: null,
      deadline_ms: null,
      fallback: 'wait',
      arms: [
        { arm: 'none', condition: 'none', agent: rehearsal },
        { arm: 'model', condition: 'model', agent: rehearsal },
      ],
      primary: null,
      seeds: 2,
      first_seed: 0,
      max_tasks: null,
    },
    split: { text: JSON.stringify({ meta: {}, train: [], val: tasks }) },
  });
  await server.call('bench.start', { plan, concurrency: 2 });
  await until('the end of the bench', async () => {
    const { state } = await server.call('bench.show', { name: 'night' });
    return state === 'complete' ? state : null;
  });
}

/** Episodes that wait for a person: questions of several worlds, a held call, and one that a person plays on. */
async function leaveWaiting(server: Server): Promise<Pick<Stage, 'question' | 'held' | 'taken'>> {
  const waiting = [];
  for (const scenario of WORLDS) waiting.push(await startOne(server, { scenario, task_idx: 0 }));
  await startOne(server, { scenario: 'deskwren_helpdesk', task_idx: 5, condition: 'human' });
  const ask = { glob: '*', argument: null, does: 'ask', count: null } as const;
  const held = await startOne(server, {
    condition: 'none',
    task_idx: 6,
    approval: { rules: [ask], deadline_ms: null, fallback: 'wait' },
  });
  const approval = { rules: [ask], deadline_ms: null, fallback: 'wait' as const };
  await startOne(server, { condition: 'none', scenario: 'deskwren_helpdesk', task_idx: 6, approval });
  await pauseBefore(server, await startOne(server, { condition: 'none', task_idx: 8, approval }));
  const missed = { scenario: 'maplecart_shop', task_idx: 7, deadline_ms: 1000, fallback: 'proceed' } as const;
  await untilEnded(server, await startOne(server, missed));
  const taken = await startOne(server, { scenario: 'tallybrook_ledger', task_idx: 6 });
  await until('its question', async () => (await server.record(taken)).consultations[0]);
  for (const id of waiting) {
    await until('a draft', async () => (await server.desk()).find((one) => one.episode === id)?.draft);
  }
  await answerFirst(server, taken);
  await server.call('episode.control', {
    episode: taken,
    act: 'take_over',
    at_once: false,
    reason: null,
    note: null,
    is_discarded: false,
  });
  return { question: waiting[0] ?? '', held, taken };
}

/** Stops an episode whose first call is held, and lets that call through: it stands before the next one. */
async function pauseBefore(server: Server, episode: string): Promise<void> {
  const call = await until('its held call', async () => (await server.record(episode)).turns[0]?.call);
  const pause = { act: 'pause', at_once: false, reason: null, note: null, is_discarded: false } as const;
  await server.call('episode.control', { episode, ...pause });
  const { seq } = await server.record(episode);
  await server.call('call.decide', {
    act: 'approve',
    episode,
    call: call.id,
    seen_seq: seq,
    timing: NO_TIMING,
    similar: true,
  });
  await until('its pause', async () => ((await server.record(episode)).phase === 'paused' ? true : null));
}

async function answerFirst(server: Server, episode: string): Promise<void> {
  const item = await until('its draft', async () => {
    const found = (await server.desk()).find((one) => one.episode === episode);
    return found === undefined || found.draft === null ? null : found;
  });
  const pause = {
    episode,
    act: 'pause',
    at_once: false,
    reason: null,
    note: null,
    is_discarded: false,
  } as const;
  await server.call('episode.control', pause);
  await server.call('desk.answer', {
    episode,
    consultation: item.consultation,
    text: textHead(item.draft?.text ?? ''),
    draft: item.draft?.id ?? null,
    seen_seq: item.seq,
    timing: NO_TIMING,
  });
}

/**
 * Everything in a fixed order, one after the other, so that every run shows the same. The project is made on screen,
 * where its first questions are suggested.
 */
export async function fillStage(server: Server, makeProject: () => Promise<void>): Promise<Stage> {
  const episodes = await playEpisodes(server);
  const group = await playGroup(server);
  await reportTraining(server);
  await runBench(server);
  await makeProject();
  const annotation = await reviewEpisodes(server);
  return { ...episodes, group, ...annotation, ...(await leaveWaiting(server)) };
}
