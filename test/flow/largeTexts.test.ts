// Texts of eight mebibytes come in at a running product: they are covered on another thread, and nobody waits for it.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { endOrphans } from '../../src/main/gateway/tap/recorder.ts';
import { startThread } from '../../src/main/hosts/edges.ts';
import type { LlmReply } from '../../src/main/llm/port.ts';
import type { StartThread } from '../../src/main/log/checkpoints.ts';
import { SYSTEM } from '../../src/shared/events/actor.ts';
import { createCover } from '../../src/shared/redact/cover.ts';
import { serveDoors } from '../support/doors.ts';
import { createFlow, spec } from '../support/flow.ts';
import { processorTime, repeated } from '../support/freezing.ts';
import { longestHold } from '../support/holds.ts';
import { serveLarge } from '../support/largeServer.ts';
import { ended, openLog } from '../support/log.ts';
import { openTapped } from '../support/tapped.ts';
import { PLANTED_TEXT, plantedShapesIn, plantedShapesUnder } from '../support/plantedShapes.ts';
import { folderPerTest } from '../support/temporaryFolder.ts';

/** Full of what begins a secret and is none; true ones at both ends and in between. A frame of it is nearly 8 MiB. */
const HALF = repeated('key: a password= ', 3.4 * 1024 * 1024);
const LARGE = [PLANTED_TEXT, HALF, PLANTED_TEXT, HALF, PLANTED_TEXT].join('\n');
const LIMIT_MS = 180_000;

const folder = folderPerTest();

/** What it takes to cover a value on this thread, at least: who covers there is held for longer. */
function coverMs(value: unknown): number {
  let least = Infinity;
  for (let tries = 0; tries < 2; tries += 1) {
    const from = processorTime();
    createCover([]).cover(value);
    least = Math.min(least, processorTime() - from);
  }
  return least;
}

/** An agent that looks once, sends on what its argument says, and ends. */
async function look(start: StartThread) {
  const environment = await serveLarge(LARGE);
  const reply = (id: string, over: Partial<LlmReply> = {}): LlmReply => ({
    content: '',
    reasoning: null,
    toolCalls: [
      {
        id,
        name: 'call_tool',
        arguments: JSON.stringify({ tool_name: 'look', arguments: '{"at": "password=Zq7assigned"}' }),
      },
    ],
    model: 'm',
    stopReason: null,
    usage: null,
    ...over,
  });
  const read: string[] = [];
  const { log, supervisor } = createFlow({
    path: join(folder(), 'interject.db'),
    startThread: start,
    policy: {
      next: ({ messages }) => {
        read.push(JSON.stringify(messages));
        return Promise.resolve(
          read.length === 1 ? reply('a') : reply('b', { content: 'Done.', toolCalls: [] }),
        );
      },
    },
  });
  const agent = { policy: 'chat' as const, protocol: 'native' as const, model: 'm' };
  const { given: id, longestMs } = await longestHold(async () => {
    const running = supervisor.start(spec(environment.url, { agent }));
    await running.ended;
    return running.id;
  });
  const record = log.record(id);
  const returned = log.read(id).flatMap(({ event }) => (event.kind === 'call.returned' ? [event] : []));
  const kept = returned.map(({ text }) => log.texts.loadText(text ?? '')).join('');
  const sent = environment.sent.slice();
  log.close();
  await environment.close();
  return { record, read, sent, kept, longestMs };
}

describe('an observation of eight mebibytes', () => {
  it(
    'is recorded without its secrets, its agent reads them, and nobody waits while it is covered',
    async () => {
      const { record, read, sent, kept, longestMs } = await look(startThread);

      expect(record.ended?.outcome).toBe('done');
      expect(kept.length).toBeGreaterThan(7 * 1024 * 1024 - LARGE.length / 10);
      expect(plantedShapesIn(kept)).toEqual([]);
      expect(plantedShapesUnder(folder())).toEqual([]);
      expect(sent).toEqual([{ at: 'password=Zq7assigned' }]);
      expect(plantedShapesIn(read[1] ?? '')).toEqual(plantedShapesIn(JSON.stringify(PLANTED_TEXT)));
      expect(longestMs).toBeLessThan(coverMs({ text: LARGE, raw: JSON.stringify(LARGE) }));
    },
    LIMIT_MS,
  );

  it(
    'is recorded without its secrets where no thread can be started',
    async () => {
      const { record, kept } = await look(() => {
        throw new Error('no threads here');
      });

      expect(record.ended?.outcome).toBe('done');
      expect(plantedShapesIn(kept)).toEqual([]);
      expect(plantedShapesUnder(folder())).toEqual([]);
    },
    LIMIT_MS,
  );
});

describe('a client’s eight mebibytes', () => {
  it(
    'of question stand by themselves where their episode ends while they are covered',
    async () => {
      const log = openLog(join(folder(), 'interject.db'), Date.now, undefined, (...thread) => {
        const started = startThread(...thread);
        const post = started.postMessage.bind(started);
        started.postMessage = (asked: { name: string }) => {
          if (asked.name === 'cover') endOrphans(log, new Set());
          post(asked);
        };
        return started;
      });
      openTapped(log, { id: 'e1', name: null });
      const doors = await serveDoors({ log });
      const asked = fetch(`${doors.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'expert', messages: [{ role: 'user', content: LARGE }] }),
      });
      const item = await doors.waiting();
      doors.answer(item, 'Yes.');

      expect(await (await asked).text()).toContain('Yes.');
      expect(log.record('e1').consultations).toEqual([]);
      expect(log.record(item.episode).consultations[0]?.link).toMatchObject({ by: 'none', why: 'not_here' });
      await doors.close();
      log.close();
    },
    LIMIT_MS,
  );

  it(
    'of question are kept without their secrets, and nobody waits while they are covered',
    async () => {
      const log = openLog(join(folder(), 'interject.db'), Date.now, undefined, startThread);
      const doors = await serveDoors({ log });
      const body = JSON.stringify({ model: 'expert', messages: [{ role: 'user', content: LARGE }] });
      const { given: item, longestMs } = await longestHold(async () => {
        const asked = fetch(`${doors.url}/v1/chat/completions`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        });
        const waiting = await doors.waiting();
        doors.answer(waiting, 'Yes.');
        await asked;
        return waiting;
      });

      const [asked] = log.record(item.episode).consultations;
      expect(plantedShapesIn(log.texts.loadText(asked?.request ?? ''))).toEqual([]);
      expect(longestMs).toBeLessThan(coverMs({ question: LARGE, request: body }));
      await doors.close();
      expect(plantedShapesUnder(folder())).toEqual([]);
    },
    LIMIT_MS,
  );

  it(
    'of transcript are kept without their secrets, and what is told after them goes on from there',
    async () => {
      const log = openLog(join(folder(), 'interject.db'), Date.now, undefined, startThread);
      const doors = await serveDoors({ log });
      openTapped(log, { id: 'e1', name: 'rollout-7' });
      const tell = (messages: object[]) =>
        fetch(`${doors.url}/episodes/rollout-7/messages`, {
          method: 'POST',
          body: JSON.stringify({ messages }),
        });
      const first = { role: 'user', content: LARGE };
      const { given: told, longestMs } = await longestHold(async () => {
        const large = await tell([first]);
        const more = await tell([first, { role: 'user', content: 'And then?' }]);
        return [large.status, more.status];
      });

      expect(told).toEqual([200, 200]);
      const conversations = log
        .read('e1')
        .flatMap(({ event }) => (event.kind === 'conversation.told' ? [event.follows ?? false] : []));
      expect(conversations).toEqual([false, true]);
      expect(longestMs).toBeLessThan(coverMs({ messages: [first], told: JSON.stringify(first) }));
      await doors.close();
      expect(plantedShapesUnder(folder())).toEqual([]);
    },
    LIMIT_MS,
  );

  it(
    'of a tool’s question are kept without their secrets, and nobody waits while they are covered',
    async () => {
      const log = openLog(join(folder(), 'interject.db'), Date.now, undefined, startThread);
      const doors = await serveDoors({ log });
      const rpc = (id: number, method: string, params: object, session = ''): Promise<Response> =>
        fetch(`${doors.url}/mcp`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'mcp-session-id': session },
          body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
        });
      const opened = await rpc(1, 'initialize', { protocolVersion: '2025-06-18' });
      const session = opened.headers.get('mcp-session-id') ?? '';
      const asking = { name: 'ask_expert', arguments: { question: 'What now?', seen: LARGE } };
      const { given: item, longestMs } = await longestHold(async () => {
        const asked = rpc(2, 'tools/call', asking, session);
        const waiting = await doors.waiting();
        doors.answer(waiting, 'Yes.');
        await asked;
        return waiting;
      });

      const [asked] = log.record(item.episode).consultations;
      expect(plantedShapesIn(log.texts.loadText(asked?.request ?? ''))).toEqual([]);
      expect(longestMs).toBeLessThan(coverMs({ request: JSON.stringify(asking) }));
      await doors.close();
      expect(plantedShapesUnder(folder())).toEqual([]);
    },
    LIMIT_MS,
  );

  it(
    'of what its agent read are kept without their secrets where the episode has ended, and nobody waits',
    async () => {
      const log = openLog(join(folder(), 'interject.db'), Date.now, undefined, startThread);
      const model = await serveLarge('Done.');
      const agent = { provider: 'openai', baseUrl: `${model.url}/v1`, apiKey: 'k-of-the-agent' } as const;
      const doors = await serveDoors({ log, agent: { ...agent, model: 'm', apiVersion: null } });
      openTapped(log, { id: 'e1', name: 'rollout-7' });
      const messages = [{ role: 'user', content: LARGE }];
      const { longestMs } = await longestHold(async () => {
        const said = fetch(`${doors.url}/agent/v1/chat/completions`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-interject-episode': 'rollout-7' },
          body: JSON.stringify({ model: 'm', messages }),
        });
        await (await said).text();
        log.append('e1', SYSTEM, ended());
        await expect.poll(() => log.record('e1').conversation, { timeout: LIMIT_MS }).not.toBeNull();
      });

      expect(log.record('e1').ended).not.toBeNull();
      const kept = (log.record('e1').conversation?.messages ?? [])
        .map((text) => log.texts.loadText(text))
        .join('');
      expect(longestMs).toBeLessThan(coverMs({ kept }));
      await doors.close();
      await model.close();
      expect(plantedShapesUnder(folder())).toEqual([]);
    },
    LIMIT_MS,
  );
});
