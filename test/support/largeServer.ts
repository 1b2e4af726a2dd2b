// Servers on a thread of their own, whose answers hold this one no longer than to receive them: an OpenEnv environment and
// an OpenAI-compatible model that give one text.
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

const PROGRAM = `
const { parentPort, workerData } = require('node:worker_threads');
const { WebSocketServer } = require(workerData.ws);
const { createServer } = require('node:http');
const { text } = workerData;
const said = [];
const tool = { name: 'look', description: 'Looks.', input_schema: { type: 'object', properties: { at: { type: 'string' } } } };
const frames = {
  reset: { reward_type: 'reset_ok', scenario: 's_1', task: 'Look.', task_idx: 0, num_tools: 1 },
  list_tools: { tools: [tool], error: null },
  look: { tool_name: 'look', reward_type: 'tool_call_ok', tool_result: text },
  verify: { reward_type: 'complete', verify_result: { result: 'complete' } },
  done: { reward_type: 'episode_done' },
};
const ready = Object.fromEntries(Object.entries(frames).map(([name, observation]) =>
  [name, JSON.stringify({ type: 'observation', data: { observation, reward: 0, done: false } })]));
const http = createServer((request, response) => {
  let size = 0;
  request.on('data', (chunk) => { size += chunk.length; });
  request.on('end', () => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ id: 'c', object: 'chat.completion', created: 1, model: 'm', choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: text } }], usage: null }));
  });
});
new WebSocketServer({ server: http, maxPayload: 1 << 27 }).on('connection', (socket) => socket.on('message', (data) => {
  const { type, data: asked } = JSON.parse(data.toString());
  if (type === 'close') return socket.close(1000);
  const name = type === 'reset' ? 'reset' : asked.type === 'list_tools' ? 'list_tools' : asked.tool_name;
  if (name === 'look') parentPort.postMessage({ sent: asked.arguments });
  socket.send(ready[name] ?? ready.done);
}));
http.listen(0, '127.0.0.1', () => parentPort.postMessage({ port: http.address().port }));
`;

export type LargeServer = { url: string; sent: Record<string, unknown>[]; close(): Promise<void> };

/** `text`: what the tool `look` and the model answer. */
export async function serveLarge(text: string): Promise<LargeServer> {
  const ws = createRequire(import.meta.url).resolve('ws');
  const thread = new Worker(PROGRAM, { eval: true, workerData: { text, ws } });
  const sent: Record<string, unknown>[] = [];
  const port = await new Promise<number>((resolve, reject) => {
    thread.once('error', reject);
    thread.on('message', (said: { port?: number; sent?: Record<string, unknown> }) => {
      if (said.port !== undefined) resolve(said.port);
      if (said.sent !== undefined) sent.push(said.sent);
    });
  });
  return {
    url: `http://127.0.0.1:${String(port)}`,
    sent,
    close: async () => void (await thread.terminate()),
  };
}
