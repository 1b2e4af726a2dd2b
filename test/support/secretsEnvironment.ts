// An OpenEnv server that lets nobody in without its user, password and key, and a model server that lets nobody in without
// its key. Both repeat what they were sent wherever they can, and say `says` in their names and errors.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

type Step = { type: string; tool_name?: string; arguments?: unknown };
const observation = (fields: object, reward: number | null = null): string =>
  JSON.stringify({ type: 'observation', data: { observation: fields, reward, done: false } });

const opened = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });

/** `seen` are the requests as they came: what was sent to it must not have been redacted. */
export async function openGuardedEnvironment({
  user,
  password,
  key,
  header = null,
  says = 'guarded',
}: Record<'user' | 'password' | 'key', string> & { header?: string | null; says?: string }) {
  const seen: string[] = [];
  const basic = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const isLetIn = ({ headers, url = '' }: IncomingMessage): boolean =>
    headers.authorization === basic &&
    new URL(url, 'http://h').searchParams.get('api_key') === key &&
    (header === null || headers['x-pass'] === header);
  const server = createServer((request, response) => {
    const isIn = isLetIn(request);
    response.writeHead(isIn ? 200 : 401).end(JSON.stringify({ name: says }));
  });
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, stream, head) => {
    if (!isLetIn(request)) return void stream.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n');
    sockets.handleUpgrade(request, stream, head, (socket) => {
      let given = '';
      socket.on('message', (data: Buffer) => {
        const text = data.toString('utf8');
        seen.push(text);
        const frame = JSON.parse(text) as { type: string; data: Step };
        if (frame.type === 'reset') given = JSON.stringify(frame.data);
        const echo = `http://${user}:${password}@h/?api_key=${key} ${header ?? ''} ${given}`;
        if (frame.type === 'reset') {
          return socket.send(
            observation({ task: 'sign in', reward_type: 'reset_ok', warning: `reset with ${echo}` }),
          );
        }
        if (frame.type === 'state')
          return socket.send(JSON.stringify({ type: 'state', data: { episode_id: null, step_count: 0 } }));
        if (frame.type !== 'step') return;
        const { type, tool_name: tool } = frame.data;
        if (type === 'list_tools')
          return socket.send(
            observation({ tools: [{ name: 'sign_in', description: 'signs in', inputSchema: {} }] }),
          );
        if (tool === 'sign_in')
          return socket.send(
            observation({ tool_name: tool, tool_result: `signed in with ${given}`, error: null }),
          );
        if (tool === 'verify')
          return socket.send(observation({ reward_type: 'complete', verify_result: { said: echo } }, 1));
        if (tool === 'done')
          return socket.send(observation({ reward_type: 'episode_done', steps_taken: 1, note: echo }));
        return socket.send(
          JSON.stringify({ type: 'error', data: { code: 'EXECUTION_ERROR', message: `no ${says} ${echo}` } }),
        );
      });
    });
  });
  const port = await opened(server);
  return {
    seen,
    url: `http://${user}:${encodeURIComponent(password)}@127.0.0.1:${String(port)}/?api_key=${key}`,
    close: () => {
      for (const socket of sockets.clients) socket.terminate();
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Lets in who brings `authorization`, and answers with `replies` round and round; everybody else reads their own key. */
export async function openGuardedModel(authorization: string, replies: readonly object[], says = '') {
  const seen: string[] = [];
  let count = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const given = request.headers.authorization ?? '';
      seen.push(`${request.url ?? ''} ${given} ${Buffer.concat(chunks).toString('utf8')}`);
      response.setHeader('content-type', 'application/json');
      if (given !== authorization) {
        const message = `wrong key ${given} at ${request.url ?? ''} ${says}`;
        return void response.writeHead(401).end(JSON.stringify({ error: { message } }));
      }
      const message = replies[count % replies.length];
      count += 1;
      response
        .writeHead(200)
        .end(JSON.stringify({ model: 'm', choices: [{ index: 0, message, finish_reason: 'stop' }] }));
    });
  });
  const port = await opened(server);
  return {
    seen,
    host: `127.0.0.1:${String(port)}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
