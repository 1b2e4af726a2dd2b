// A small environment that replays: one tool that looks, and one that completes the task. Each session has a state of its
// own. It can be told to answer otherwise each time.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

type Frame = {
  type: string;
  data?: { type?: string; tool_name?: string; scenario?: string; task_idx?: number };
};
type Observed = { observation: object; reward: number | null; done: boolean };

/** From this task on the agent has another question after the first. */
export const ASKS_AGAIN = 100;

const TOOLS = ['look', 'finish_task'].map((name) => ({
  name,
  description: `${name} in words`,
  input_schema: { type: 'object', properties: {} },
}));

export async function openPlantedWorld() {
  let looks = 0;
  let isDrifting = false;
  const server = createServer((request, answer) => {
    const isHealth = request.url === '/health';
    answer.writeHead(isHealth ? 200 : 404).end(isHealth ? '{"status":"healthy"}' : '{"detail":"Not Found"}');
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => {
    let isFinished = false;
    const answerTo = ({ type, data = {} }: Frame): Observed => {
      const { task_idx = 0, scenario = 'planted_1', tool_name: tool } = data;
      if (type === 'reset') {
        const task = `Finish task ${String(task_idx)}${task_idx >= ASKS_AGAIN ? ', and ask again' : ''}.`;
        const opened = { reward_type: 'reset_ok', scenario, task, task_idx, num_tools: 2 };
        return { observation: opened, reward: null, done: false };
      }
      if (data.type === 'list_tools')
        return { observation: { tools: TOOLS, error: null }, reward: null, done: false };
      if (tool === 'verify') {
        const result = isFinished ? 'complete' : 'others';
        const observation = { reward_type: result, verify_result: { result } };
        return { observation, reward: isFinished ? 1 : 0, done: false };
      }
      if (tool === 'done') return { observation: { reward_type: 'episode_done' }, reward: 0, done: true };
      if (tool === 'finish_task') isFinished = true;
      looks += 1;
      const tool_result = isDrifting ? `{"look": ${String(looks)}}` : '{"ok": true}';
      return {
        observation: { reward_type: 'tool_call_ok', tool_name: tool, tool_result },
        reward: 0,
        done: false,
      };
    };
    socket.on('message', (bytes: Buffer) => {
      const frame = JSON.parse(bytes.toString()) as Frame;
      if (frame.type === 'close') return socket.close(1000);
      const { observation, reward, done } = answerTo(frame);
      const data = { observation: { metadata: {}, ...observation }, reward, done };
      return socket.send(JSON.stringify({ type: 'observation', data }));
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    drift: (is: boolean) => void (isDrifting = is),
    close: async () => {
      for (const socket of sockets.clients) socket.terminate();
      await new Promise((closed) => server.close(closed));
    },
  };
}
