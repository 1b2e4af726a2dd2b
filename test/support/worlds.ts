// The built-in worlds behind a real loopback port, and a client of theirs.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClientOptions } from 'ws';
import { BUILT_IN_NAME } from '../../src/shared/environmentKinds.ts';
import { SERVER_FRAME_MAX } from '../../src/shared/wire.ts';
import { openListener } from '../../src/main/hosts/listener.ts';
import { createWorlds } from '../../src/main/worlds/worlds.ts';
import { openClient } from './rawClient.ts';

export const root = join(import.meta.dirname, '..', '..');
export const packsFolder = join(root, 'resources', 'worlds');
export const PACK = 'loomline_workflows';
/** A task of it, as the log tells who saw its answer. */
export const worldTask = (task_idx: number) => ({ environment: BUILT_IN_NAME, scenario: PACK, task_idx });

/** Worlds on a free port. Ids count up; the clock stands where `clock` puts it. */
export async function serveWorlds({
  capacity,
  clock = () => Date.UTC(2026, 0, 5),
  packs = packsFolder,
  own = null,
  port = 0,
}: {
  capacity?: number;
  clock?: () => number;
  packs?: string;
  own?: string | null;
  port?: number;
} = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'worlds-'));
  let count = 0;
  const worlds = createWorlds({
    monotonic: clock,
    newId: () => `id-${String((count += 1))}`,
    packsFolder: packs,
    ownFolder: own,
    sessionsFolder: join(folder, 'sessions'),
    ...(capacity === undefined ? {} : { capacity }),
  });
  const listening = await openListener(worlds, {
    host: '127.0.0.1',
    port,
    maxPayload: SERVER_FRAME_MAX,
    origin: 'none',
  });
  const clients: Talk[] = [];
  return {
    worlds,
    url: listening.url,
    sessions: join(folder, 'sessions'),
    talk: async (path = '/ws', options: ClientOptions = {}): Promise<Talk> => {
      const client = await talk(`${listening.url.replace('http', 'ws')}${path}`, options);
      clients.push(client);
      return client;
    },
    close: async (): Promise<void> => {
      for (const client of clients) client.socket.terminate();
      await worlds.close();
      await listening.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
export type Served = Awaited<ReturnType<typeof serveWorlds>>;

/** What a frame holds, as a test reads it. */
export type Frame = {
  type: string;
  data: {
    observation: Record<string, unknown>;
    reward: unknown;
    done: boolean;
    code?: string;
    message?: string;
    errors?: Record<string, unknown>[];
    [key: string]: unknown;
  };
};

export type Talk = Awaited<ReturnType<typeof talk>>;

async function talk(url: string, options: ClientOptions) {
  const client = await openClient(url, options);
  const say = async (message: unknown): Promise<Frame> =>
    JSON.parse(await client.raw(JSON.stringify(message))) as Frame;
  return {
    ...client,
    say,
    reset: (data: Record<string, unknown>) => say({ type: 'reset', data }),
    call: (tool_name: string, args: Record<string, unknown> = {}) =>
      say({ type: 'step', data: { type: 'call_tool', tool_name, arguments: args } }),
    verify: async (final_answer = '') => {
      const { data } = await say({
        type: 'step',
        data: { type: 'call_tool', tool_name: 'verify', arguments: { final_answer } },
      });
      return data.observation['reward_type'];
    },
    steps: async () => (await say({ type: 'state' })).data['step_count'],
  };
}
