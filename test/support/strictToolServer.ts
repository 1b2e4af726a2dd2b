// An OpenEnv server of tools with room for one session, whose own class of action takes calls of tools and nothing else:
// its tools are listed by MCP alone.
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

type Frame = { type: string; data?: { type?: string; tool_name?: string } };

const error = (code: string, message: string) => ({ type: 'error', data: { code, message } });
const observation = (data: object) => ({
  type: 'observation',
  data: { observation: { metadata: {}, ...data }, reward: null, done: false },
});

export async function strictToolServer(): Promise<{ url: string; close: () => Promise<void> }> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  let open = 0;
  server.on('connection', (socket) => {
    if (open > 0) {
      socket.send(JSON.stringify(error('CAPACITY_REACHED', 'Server at capacity: 1/1 sessions active')));
      return socket.close();
    }
    open += 1;
    socket.on('close', () => (open -= 1));
    socket.on('message', (data: Buffer) => {
      const frame = JSON.parse(data.toString()) as Frame;
      if (frame.type === 'close') return socket.close(1000);
      socket.send(JSON.stringify(answerTo(frame)));
    });
  });
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    close: () => {
      for (const socket of server.clients) socket.terminate();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function answerTo({ type, data }: Frame): unknown {
  if (type === 'reset') return observation({ task: 'What were the sales?' });
  if (type === 'state') return { type: 'state', data: { episode_id: null, step_count: 0 } };
  if (type === 'mcp') {
    const tool = { name: 'submit_answer', description: 'Ends it.', inputSchema: { type: 'object' } };
    return { type: 'mcp', data: { jsonrpc: '2.0', id: 1, result: { tools: [tool] } } };
  }
  if (data?.type !== 'call_tool') return error('VALIDATION_ERROR', 'Invalid message');
  return data.tool_name === 'submit_answer'
    ? observation({ tool_name: 'submit_answer', result: 'submitted' })
    : error('EXECUTION_ERROR', `no tool ${data.tool_name ?? ''}`);
}
