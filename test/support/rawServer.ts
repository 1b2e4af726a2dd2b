import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

/** An environment that keeps what it was sent, character for character. */
export async function serveRaw() {
  const frames: string[] = [];
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await new Promise((resolve) => server.once('listening', resolve));
  const say = (observation: object): string =>
    JSON.stringify({ type: 'observation', data: { observation, reward: 0, done: false } });
  server.on('connection', (socket) =>
    socket.on('message', (data: Buffer) => {
      const frame = data.toString();
      if (frame.includes('"close"')) return socket.close(1000);
      if (frame.includes('"reset"'))
        return socket.send(say({ reward_type: 'reset_ok', task: 't', task_idx: 0 }));
      if (frame.includes('"list_tools"')) return socket.send(say({ tools: [], error: null }));
      if (frame.includes('"set_values"')) frames.push(frame);
      socket.send(say({ reward_type: 'tool_call_ok', tool_name: 'set_values', tool_result: '{}' }));
    }),
  );
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    frames,
    close: () => {
      for (const socket of server.clients) socket.terminate();
      server.close();
    },
  };
}
