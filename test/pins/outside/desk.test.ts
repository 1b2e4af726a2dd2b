// What a seat's console is told over its socket while a person works at the desk: every frame, in order. Timers of a feed
// run when the test says so, so that each push tells all that an act led to.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { serveSocket } from '../../../src/main/hosts/serveSocket.ts';
import type { Inputs, Method } from '../../../src/shared/contract/contract.ts';
import type { Topic } from '../../../src/shared/contract/envelope.ts';
import { SOCKET_VERSION } from '../../../src/shared/contract/greeting.ts';
import { isRecord, tryJson } from '../../../src/shared/json.ts';
import { openProduct, removeFolder, startInput, type Product } from '../../support/product.ts';
import { openClient } from '../../support/rawClient.ts';
import { createMask, pinsOf, type Texts } from './pinned.ts';
import { EXPERT, HOLD_ALL, scriptedEdges, TIMING } from './scene.ts';

const pin = pinsOf('desk');
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** Timers of feeds are this short, and nothing else is. */
const FEED_MS = 300;

/** A product of which one seat hears over a real socket, and the frames that it got by what the person did. */
async function openDesk() {
  const { edges, tick } = scriptedEdges();
  const due = new Set<() => void>();
  const schedule: typeof edges.schedule = (delayMs, run) => {
    if (delayMs > FEED_MS) return edges.schedule(delayMs, run);
    due.add(run);
    return () => due.delete(run);
  };
  const product = await openProduct(undefined, {}, 'go_on', { ...edges, schedule });
  closers.push(async () => {
    await product.close();
    removeFolder(product.folder);
  });
  const client = await openClient(await serve(product));
  closers.push(() => client.socket.terminate());
  const mask = createMask([product.folder]);
  const texts: Texts = {};
  let lastId = 0;
  const flush = (): void => {
    // A timer that one of them sets is run as well.
    for (const run of due) {
      due.delete(run);
      run();
    }
  };
  /** Frames until the one that answers `id`. */
  const heard = async (id: number): Promise<{ frames: string[]; value: unknown }> => {
    const frames: string[] = [];
    for (;;) {
      const frame = await client.next();
      const read = tryJson(frame);
      frames.push(frame);
      if (isRecord(read) && read['id'] === id && read['type'] !== 'push' && read['type'] !== 'desk')
        return { frames, value: read['value'] };
    }
  };
  /** Each event of a push on a line of its own. */
  const keep = (what: string, frames: readonly string[]): void => {
    const lines = mask(frames.join('\n')).replaceAll(/([[,])(?=\{"seq":)/g, '$1\n  ');
    texts[`${String(Object.keys(texts).length + 1)}. ${what}`] = lines;
  };
  const request = (method: Method, input: unknown): number => {
    lastId += 1;
    client.socket.send(JSON.stringify({ type: 'request', id: lastId, method, input }));
    return lastId;
  };
  /** Notes what was told since the last act, up to an answer that comes after all of it. */
  const note = async (what: string): Promise<void> => {
    flush();
    const { frames } = await heard(request('project.list', {}));
    keep(what, frames.slice(0, -1));
  };
  client.socket.send(JSON.stringify({ type: 'hello', id: 0, version: SOCKET_VERSION }));
  return {
    product,
    texts,
    note,
    watch: (topic: Topic): void => {
      lastId += 1;
      client.socket.send(JSON.stringify({ type: 'subscribe', id: lastId, topic }));
    },
    /** One act over the socket, and its answer among the frames. */
    act: async <M extends Method>(what: string, method: M, input: Inputs[M]): Promise<unknown> => {
      tick();
      const { frames, value } = await heard(request(method, input));
      keep(what, frames);
      return value;
    },
  };
}
type Desk = Awaited<ReturnType<typeof openDesk>>;

async function serve(product: Product): Promise<string> {
  const http = createServer();
  const sockets = new WebSocketServer({ server: http });
  sockets.on('connection', (socket) => serveSocket(product, socket, { seat: EXPERT }, null));
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  closers.push(() => {
    for (const socket of sockets.clients) socket.terminate();
    http.close();
  });
  return `ws://127.0.0.1:${String((http.address() as AddressInfo).port)}`;
}

const start = async (
  { act }: Desk,
  what: string,
  over: Parameters<typeof startInput>[0],
): Promise<string> => {
  const value = (await act(what, 'episode.start', startInput(over))) as { episodes: string[] };
  return value.episodes[0] ?? '';
};
const seqOf = ({ product }: Desk, episode: string): number => product.log.record(episode).seq;
const CONTROL = { at_once: false, reason: null, note: null, is_discarded: false };

describe('a console is told the same of', () => {
  it('a question, from the draft to the end of the episode, and a fork of it', async () => {
    const desk = await openDesk();
    const { product, act, note, watch } = desk;
    watch({ topic: 'desk' });
    watch({ topic: 'episodes' });
    await note('the desk is empty');
    const episode = await start(desk, 'an episode is started', {});
    watch({ topic: 'episode', episode, after: 0 });
    const { consultations } = await product.until(episode, (record) => record.consultations[0]?.draft);
    await note('the agent asks, and a draft is there');
    const consultation = consultations[0]?.id ?? '';
    await act('the person types', 'desk.claim', { episode, consultation, is_typing: true });
    await note('the claim is told');
    const answer = { episode, consultation, text: 'list_workspaces({})', draft: null, timing: TIMING };
    await act('the answer is sent', 'desk.answer', { ...answer, seen_seq: seqOf(desk, episode) });
    await act('the answer is sent again', 'desk.answer', { ...answer, seen_seq: seqOf(desk, episode) });
    await product.ended(episode);
    await note('the episode ends');
    const fork = (await act('a fork is made', 'episode.fork', { episode, turn: 1 })) as { episode: string };
    await product.until(fork.episode, (record) => record.consultations[0]?.draft);
    await note('the fork asks');
    await act('it is stopped', 'episode.stop', { episode: fork.episode, reason: null });
    await product.ended(fork.episode);
    await note('the fork ends');
    await pin('question', desk.texts);
  });

  it('a held call and a take-over', async () => {
    const desk = await openDesk();
    const { product, act, note, watch } = desk;
    watch({ topic: 'desk' });
    const approval = { rules: [HOLD_ALL], deadline_ms: null, fallback: 'wait' as const };
    const episode = await start(desk, 'an episode is started', { condition: 'none', approval });
    watch({ topic: 'episode', episode, after: 0 });
    await product.until(episode, ({ turns }) => turns[0]?.call?.held);
    await note('a call is held');
    const held = { episode, call: 't1', seen_seq: seqOf(desk, episode), timing: TIMING };
    await act('it is turned down', 'call.decide', { act: 'reject', ...held, reason: 'Not that one.' });
    await product.until(episode, ({ turns }) => turns[1]?.call?.held);
    await note('the next call is held');
    await act('a person takes over', 'episode.control', { episode, act: 'take_over', ...CONTROL });
    await act('the call is set aside', 'episode.control', { episode, act: 'set_aside', ...CONTROL });
    await note('the person has the episode');
    const move = { type: 'call_tool' as const, tool_name: 'list_workspaces', arguments: {} };
    await act('the person makes a call', 'takeover.move', {
      episode,
      say: 'I look.',
      move,
      is_unchecked: false,
    });
    await product.until(episode, ({ turns }) => turns.at(-1)?.call?.returned);
    await note('the call came back');
    const final = { type: 'final' as const, text: 'I stop here.' };
    await act('the person ends it', 'takeover.move', { episode, say: '', move: final, is_unchecked: false });
    await product.ended(episode);
    await note('the episode ends');
    await pin('held-call', desk.texts);
  });

  it('an annotation', async () => {
    const desk = await openDesk();
    const { product, act, note, watch } = desk;
    const episode = await start(desk, 'an episode is started', { condition: 'none' });
    await product.ended(episode);
    watch({ topic: 'projects' });
    const dimension = {
      id: 'd',
      type: 'free_text' as const,
      name: 'What went wrong',
      description: '',
      on: ['trajectory' as const],
      is_required: true,
      use: null,
    };
    const project = { name: 'P', instructions: 'Look.', dimensions: [dimension] };
    const made = (await act('a project is made', 'project.create', project)) as { project: string };
    const queue = {
      ...made,
      name: 'Q',
      reviewers_per_item: 1,
      seats: [],
      is_blind: true,
      hides_outcome: true,
      lease_minutes: 30,
      from: { type: 'episodes' as const, episodes: [episode] },
    };
    const { queue: id } = (await act('a queue is made', 'queue.make', queue)) as { queue: string };
    await note('the project is there');
    const page = { ...made, queue: id, show: 'all' as const, offset: 0, limit: 5 };
    const { items } = (await act('its items are read', 'queue.items', page)) as { items: { item: string }[] };
    const item = { ...made, queue: id, item: items[0]?.item ?? '' };
    await act('one is opened', 'queue.open', item);
    await act('it is judged', 'annotation.give', {
      as: 'value',
      ...item,
      target: { on: 'trajectory', episode },
      dimension: 'd',
      value: { type: 'free_text', text: 'It never looked.' },
      timing: TIMING,
    });
    await act('it is done', 'queue.leave', { as: 'done', ...item, timing: TIMING });
    await note('the project changed');
    await act('the projects are read', 'project.list', {});
    expect(product.log.record(episode).status).toBe('ended');
    await pin('annotation', desk.texts);
  });
});
