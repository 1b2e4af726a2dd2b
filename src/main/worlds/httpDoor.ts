// The HTTP side of a world: health, metadata, schemas, statistics; reset and step only say where to go instead. Must
// not know: sockets; it is asked for numbers through its arguments.
import { isRecord } from '../../shared/json.ts';
import { openApi } from './openApi.ts';
import { answerWorldRpc, parseError, type RpcSessions } from './jsonrpc.ts';
import { SCHEMAS } from './schemas.ts';

type HttpDoor = { stats: () => object; sessions: RpcSessions };

const METADATA = {
  name: 'Interject worlds',
  description:
    'Built-in scenario packs behind the Agent World Model protocol. Reset with a scenario and a task_idx.',
  readme_content: null,
  version: '1.0.0',
  author: null,
  documentation_url: null,
};

const SOCKET_ONLY = {
  error: 'Reset and step are not served over HTTP',
  reason: 'An episode lives in one connection: its database starts with reset and ends with the connection.',
  solution: 'Open a WebSocket at /ws and send the same requests there',
  examples: ['ws://host:port/ws, then {"type":"reset","data":{"scenario":"…","task_idx":0}}'],
};

export const jsonResponse = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });

/** Answers a request whose path is relative to the world's root. */
export async function answerWorldHttp(request: Request, { stats, sessions }: HttpDoor): Promise<Response> {
  const routes: HttpRoutes = {
    '/openapi.json': { GET: () => jsonResponse(200, openApi(METADATA)) },
    '/health': { GET: () => jsonResponse(200, { status: 'healthy' }) },
    '/metadata': { GET: () => jsonResponse(200, METADATA) },
    '/schema': { GET: () => jsonResponse(200, SCHEMAS) },
    // A request has no episode of its own, so this is always the state before any.
    '/state': { GET: () => jsonResponse(200, { episode_id: null, step_count: 0 }) },
    '/stats': { GET: () => jsonResponse(200, stats()) },
    '/reset': { POST: () => jsonResponse(400, SOCKET_ONLY) },
    '/step': { POST: () => jsonResponse(400, SOCKET_ONLY) },
    '/mcp': {
      POST: async () => jsonResponse(200, await answerMcp(request, (body) => answerWorldRpc(body, sessions))),
    },
  };
  return answerRoute(routes, new URL(request.url).pathname, request.method);
}

export type HttpRoutes = Record<string, Record<string, () => Response | Promise<Response>>>;

/** Answers by path and method; 404 and 405 as FastAPI does. */
export async function answerRoute(routes: HttpRoutes, path: string, method: string): Promise<Response> {
  const methods = Object.hasOwn(routes, path) ? routes[path] : undefined;
  if (methods === undefined) return jsonResponse(404, { detail: 'Not Found' });
  const act = Object.hasOwn(methods, method) ? methods[method] : undefined;
  return act === undefined
    ? jsonResponse(405, { detail: 'Method Not Allowed' }, { allow: Object.keys(methods).join(', ') })
    : act();
}

/** Answers a JSON-RPC request in the body. */
export async function answerMcp(
  request: Request,
  rpc: (body: Record<string, unknown>) => object,
): Promise<object> {
  try {
    const body: unknown = JSON.parse(await request.text());
    return isRecord(body) ? rpc(body) : parseError();
  } catch {
    return parseError();
  }
}
