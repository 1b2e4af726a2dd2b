// A server that lists scenarios as the Agent World Model does, and plays none of them. What it lists can change, and it
// can be full.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import type { ListedScenario } from '../../src/shared/scenarioSearch.ts';

export async function scenarioServer(first: readonly ListedScenario[]) {
  let listed = first;
  let isFull = false;
  let asked = 0;
  const server = createServer((request, answer) => {
    const isHealth = request.url === '/health';
    answer.writeHead(isHealth ? 200 : 404).end(isHealth ? '{"status":"healthy"}' : '{"detail":"Not Found"}');
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => {
    const error = {
      message: 'Server at capacity',
      code: 'CAPACITY_REACHED',
      active_sessions: 1,
      max_sessions: 1,
    };
    if (isFull) {
      socket.send(JSON.stringify({ type: 'error', data: error }));
      return socket.close();
    }
    return socket.on('message', (data: Buffer) => {
      if (!data.toString().includes('__list_scenarios__')) return;
      asked += 1;
      const scenarios = listed.map(({ name, description, tasks }) => ({
        name,
        description,
        num_tasks: tasks.length,
        tasks,
      }));
      const observation = { metadata: {}, reward_type: 'tool_call_ok', scenarios, total: listed.length };
      socket.send(JSON.stringify({ type: 'observation', data: { observation, reward: 0, done: false } }));
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    asked: () => asked,
    list: (next: readonly ListedScenario[]) => void (listed = next),
    fill: (full: boolean) => void (isFull = full),
    close: async () => {
      for (const socket of sockets.clients) socket.terminate();
      await new Promise((closed) => server.close(closed));
    },
  };
}
