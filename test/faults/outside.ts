// An environment outside the product that counts what it is sent, session by session: what an episode that goes on makes
// again in a new session is told from a call that was sent twice.
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocketServer } from 'ws';

export type CountingEnvironment = {
  url: string;
  /** Of each call, the sessions that it came in, once for every time it came. */
  calls: ReadonlyMap<string, readonly number[]>;
  /** Whether a call waits for its answer now. */
  isAtWork: () => boolean;
  close: () => void;
};

/** A call that takes no time is never in doubt: nothing could happen before its answer. */
const CALL_MS_MAX = 400;

const COUNT = {
  name: 'count',
  description: 'Counts.',
  input_schema: { type: 'object', properties: { nonce: { type: 'string' } }, required: ['nonce'] },
};

type Frame = { type: string; data?: { type?: string; tool_name?: string; arguments?: { nonce?: string } } };

export async function startCountingEnvironment(random: () => number): Promise<CountingEnvironment> {
  const calls = new Map<string, number[]>();
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await new Promise((resolve) => server.once('listening', resolve));
  const observationOf = ({ type, data }: Frame, session: number): object => {
    if (type === 'reset')
      return { reward_type: 'reset_ok', scenario: 's', task: 'Count.', task_idx: 0, num_tools: 1 };
    if (data?.type === 'list_tools') return { tools: [COUNT], error: null };
    const nonce = data?.arguments?.nonce;
    if (data?.tool_name === 'count' && nonce !== undefined)
      calls.set(nonce, [...(calls.get(nonce) ?? []), session]);
    return { reward_type: 'tool_call_ok', tool_name: data?.tool_name, tool_result: '{"counted": true}' };
  };
  let sessions = 0;
  let atWork = 0;
  server.on('connection', (socket) => {
    sessions += 1;
    const session = sessions;
    socket.on('error', () => undefined);
    socket.on('message', async (data: Buffer) => {
      const frame = JSON.parse(data.toString()) as Frame;
      if (frame.type === 'close') return socket.close(1000);
      const observation = { metadata: {}, ...observationOf(frame, session) };
      if (frame.data?.tool_name === 'count') {
        atWork += 1;
        await wait(random() * CALL_MS_MAX);
        atWork -= 1;
      }
      socket.send(JSON.stringify({ type: 'observation', data: { observation, reward: 0, done: false } }));
    });
  });
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    calls,
    isAtWork: () => atWork > 0,
    close: () => {
      for (const socket of server.clients) socket.terminate();
      server.close();
    },
  };
}
