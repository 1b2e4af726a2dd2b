// An OpenEnv server whose resets are held until the test lets go. It counts its sessions as a real one does.
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';

const RESET = { reward_type: 'reset_ok', scenario: 's_1', task: 'Rename it.', task_idx: 0, num_tools: 1 };
const TOOLS = [{ name: 'find', description: 'Finds.', input_schema: { type: 'object', properties: {} } }];

const observationOf = (tool: string | undefined): { observation: object; done: boolean } => {
  if (tool === 'verify')
    return { observation: { reward_type: 'others', verify_result: { result: 'others' } }, done: false };
  if (tool === 'done') return { observation: { reward_type: 'episode_done' }, done: true };
  return { observation: { reward_type: 'tool_call_ok', tool_result: '{}' }, done: false };
};

type Frame = { type: string; data?: { type?: string; tool_name?: string } };

export async function heldReset() {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await new Promise((resolve) => server.once('listening', resolve));
  const held: (() => void)[] = [];
  const goodbyes: string[] = [];
  const asked = Promise.withResolvers<undefined>();
  const left = Promise.withResolvers<undefined>();
  let isOpen = false;
  const answer = (socket: WebSocket, frame: Frame): void => {
    const send = (observation: object, done = false): void =>
      socket.send(
        JSON.stringify({
          type: 'observation',
          data: { observation: { metadata: {}, ...observation }, reward: null, done },
        }),
      );
    if (frame.type === 'close') {
      goodbyes.push(frame.type);
      return;
    }
    if (frame.type === 'reset') {
      if (isOpen) return send(RESET);
      held.push(() => send(RESET));
      return asked.resolve(undefined);
    }
    if (frame.data?.type === 'list_tools') return send({ tools: TOOLS, error: null });
    const { observation, done } = observationOf(frame.data?.tool_name);
    send(observation, done);
  };
  server.on('connection', (socket) => {
    socket.on('message', (data: Buffer) => answer(socket, JSON.parse(data.toString()) as Frame));
    socket.on('close', () => left.resolve(undefined));
  });
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    /** A reset waits. */
    asked: asked.promise,
    /** A session is over. */
    left: left.promise,
    /** The frames with which clients ended their sessions. */
    goodbyes,
    sessions: () => server.clients.size,
    letGo: () => {
      isOpen = true;
      for (const go of held.splice(0)) go();
    },
    close: () => {
      for (const socket of server.clients) socket.terminate();
      server.close();
    },
  };
}
