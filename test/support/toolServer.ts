// An OpenEnv server of one tool that answers as the real one does: over a socket, over `POST /mcp`, or both.
import {
  createServer as createPlain,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';

type Rpc = { id: number; method: string; params: Record<string, unknown> };
type Frame = { type: string; data?: Record<string, unknown> };

export type ToolServerOptions = {
  hasSocket?: boolean;
  hasSessions?: boolean;
  tls?: { cert: Buffer; key: Buffer };
  /** Whether a request may come in; the real server lets everybody in. */
  letsIn?: (headers: IncomingMessage['headers']) => boolean;
  /** What a step over the socket is answered with in place of a result. */
  answer?: (frame: Frame, socket: WebSocket) => void;
};

const SCHEMA = { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] };
const TOOL = { name: 'echo', description: 'Says it again.', input_schema: SCHEMA };
/** Of a message such as `9 MiB`, so much text. */
const echoed = (message: unknown): string => {
  const size = /^(\d+) MiB$/.exec(String(message))?.[1];
  return size === undefined ? String(message) : 'x'.repeat(Number(size) * 1024 * 1024);
};
const echoResult = (message: unknown) => ({
  content: [{ type: 'text', text: echoed(message), annotations: null, meta: null }],
  structured_content: { result: message },
  meta: null,
  data: message,
  is_error: false,
});

export async function openToolServer({
  hasSocket = true,
  hasSessions = true,
  tls,
  letsIn = () => true,
  answer,
}: ToolServerOptions = {}) {
  const frames: Frame[] = [];
  const requests: Rpc[] = [];
  const sessions = new Set<string>();
  let opened = 0;
  const heard = new Set<() => void>();
  const tellHeard = (): void => {
    for (const tell of heard) tell();
  };
  const rpc = ({ method, params }: Rpc): object => {
    const { session_id: session } = params;
    if (method === 'openenv/session/create' && hasSessions) {
      opened += 1;
      const id = `session-${String(opened)}`;
      sessions.add(id);
      return { result: { session_id: id } };
    }
    if (typeof session === 'string' && !sessions.has(session))
      return { error: { code: -32602, message: `Unknown session_id: ${session}`, data: null } };
    if (method === 'openenv/session/close') sessions.delete(String(session));
    if (method === 'tools/list') return { result: { tools: [TOOL] } };
    if (method === 'tools/call' && params['name'] === 'echo')
      return { result: echoResult((params['arguments'] as { message: unknown }).message) };
    if (method === 'tools/call')
      return { error: { code: -32603, message: `Unknown tool: '${String(params['name'])}'`, data: null } };
    return { error: { code: -32601, message: `Method not found: ${method}`, data: null } };
  };
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.setHeader('content-type', 'application/json');
      if (!letsIn(request.headers)) return void response.writeHead(401).end('{}');
      if (request.url === '/metadata') return void response.end('{"name":"echo_env"}');
      if (request.url !== '/mcp') return void response.writeHead(404).end('{"detail":"Not Found"}');
      const asked = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Rpc;
      requests.push(asked);
      response.end(JSON.stringify({ jsonrpc: '2.0', id: asked.id, ...rpc(asked) }));
      tellHeard();
    });
  };
  const server: Server = tls === undefined ? createPlain(handle) : createSecure(tls, handle);
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, stream, head) => {
    const status = hasSocket ? (letsIn(request.headers) ? null : '401 Unauthorized') : '404 Not Found';
    if (status !== null) return void stream.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\n\r\n`);
    sockets.handleUpgrade(request, stream, head, (socket) => {
      socket.on('message', (data: Buffer) => {
        const frame = JSON.parse(data.toString('utf8')) as Frame;
        frames.push(frame);
        if (answer === undefined) socket.send(JSON.stringify(socketAnswer(frame)));
        else answer(frame, socket);
        tellHeard();
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const scheme = tls === undefined ? 'http' : 'https';
  return {
    url: `${scheme}://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    frames,
    requests,
    /** Ends every session over HTTP, as a server does with those that nobody uses. */
    endSessions: () => sessions.clear(),
    /** Resolves when something fits that was asked of it. */
    until: (fits: () => boolean): Promise<void> =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!fits()) return;
          heard.delete(look);
          resolve();
        };
        heard.add(look);
        look();
      }),
    close: async (): Promise<void> => {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
export type ToolServer = Awaited<ReturnType<typeof openToolServer>>;

const observation = (fields: object, reward: number | null = null): object => ({
  type: 'observation',
  data: { observation: fields, reward, done: false },
});

/** What the real server answers to a frame. */
export function socketAnswer({ type, data }: Frame): object {
  if (type === 'mcp')
    return {
      type,
      data: { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Method not found: ping', data: null } },
    };
  if (type === 'reset') return observation({}, 0);
  if (data?.['type'] === 'list_tools') return observation({ tools: [TOOL] });
  const tool_name = data?.['tool_name'];
  if (tool_name !== 'echo') {
    const error = { error_type: 'tool_not_found', message: `Unknown tool: '${String(tool_name)}'` };
    return observation({ tool_name, result: null, error });
  }
  const { message } = (data?.['arguments'] ?? {}) as { message?: unknown };
  return observation({ tool_name, result: echoResult(message), error: null }, 0.5);
}
