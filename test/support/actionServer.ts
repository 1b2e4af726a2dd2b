// An OpenEnv server of actions in place of tools, as a scripted remote environment: `/schema`, `/metadata` and a socket
// whose frames and refusals have the shape of the real server's. Its game: reach the goal on a board of three by three.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { WebSocketServer } from 'ws';

const METADATA = { additionalProperties: true, default: {}, title: 'Metadata', type: 'object' };

/** As pydantic writes it for one action class with an enumeration. */
export const GRID_ACTION = {
  $defs: { Direction: { enum: ['UP', 'DOWN', 'LEFT', 'RIGHT'], title: 'Direction', type: 'string' } },
  additionalProperties: false,
  description: 'Moves the agent by one field.',
  properties: {
    metadata: METADATA,
    action: { $ref: '#/$defs/Direction', description: 'Where to go.' },
  },
  required: ['action'],
  title: 'GridWorldAction',
  type: 'object',
};

/** As pydantic writes it for a union told apart by a field. */
export const UNION_ACTION = {
  $defs: {
    Fire: {
      properties: {
        kind: { const: 'fire', default: 'fire', type: 'string' },
        thruster: { type: 'integer', minimum: 0, maximum: 12 },
        metadata: METADATA,
      },
      required: ['thruster'],
      title: 'Fire',
      type: 'object',
    },
    SetMode: {
      properties: {
        kind: { const: 'set_mode', default: 'set_mode', type: 'string' },
        mode: { enum: ['coarse', 'fine'], type: 'string' },
      },
      required: ['mode'],
      title: 'SetMode',
      type: 'object',
    },
  },
  discriminator: { propertyName: 'kind', mapping: { fire: '#/$defs/Fire', set_mode: '#/$defs/SetMode' } },
  oneOf: [{ $ref: '#/$defs/Fire' }, { $ref: '#/$defs/SetMode' }],
};

const TOOL_ACTION = {
  properties: { type: { const: 'call_tool' }, tool_name: { type: 'string' }, arguments: { type: 'object' } },
  title: 'CallToolAction',
  type: 'object',
};

const STEPS: Record<string, readonly [number, number]> = {
  UP: [0, -1],
  DOWN: [0, 1],
  LEFT: [-1, 0],
  RIGHT: [1, 0],
};

type Frame = { type: string; data?: Record<string, unknown> };

export type Faults = {
  /** A step against the edge raises an error, where it else changes nothing. */
  isWalled?: boolean;
  /** One board for all sessions. */
  isShared?: boolean;
  /**
   * `reset` raises an error and `never_resets` gives no answer; `actions` has a schema of tools, and no tools; `reward` is
   * NaN, as Python writes it; `state` raises an error; `close` keeps every session that was ever opened.
   */
  breaks?: 'reset' | 'never_resets' | 'actions' | 'reward' | 'state' | 'close' | 'health' | undefined;
  /** Tasks that are listed by splits, as OpenEnv's Task API does. */
  splits?: Readonly<Record<string, readonly object[]>> | undefined;
  /** Observations say of what parts the reward is made, and hold this image (base64). */
  image?: string;
};

/** Plays the grid; every frame a client sent is kept in `frames`. */
export async function actionServer({
  isShared = false,
  isWalled = false,
  breaks,
  image,
  splits,
}: Faults = {}) {
  let shared: [number, number] = [0, 0];
  const frames: Frame[] = [];
  let opened = 0;
  const http = createServer((request, response) => {
    const answer = pageOf(request.url ?? '', { breaks, splits });
    if (splits !== undefined && request.method === 'POST') {
      void answerTasks(splits, request, response);
      return;
    }
    response.writeHead(answer === null ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer));
  });
  const server = new WebSocketServer({ server: http, path: '/ws' });
  server.on('connection', (socket) => {
    let place: [number, number] = [0, 0];
    let [episode, steps]: [unknown, number] = [null, 0];
    opened += 1;
    if (breaks === 'close' && opened > 2) {
      const full = { message: 'Server at capacity: 2/2 sessions active', code: 'CAPACITY_REACHED' };
      socket.send(JSON.stringify({ type: 'error', data: full }));
    }
    const observe = (message: string, reward: number, done: boolean): unknown => {
      const parts = {
        image,
        reward_breakdown: { goal: done ? 1.25 : 0, step: -0.25 },
        reward_columns: ['step', 'goal'],
      };
      const observation = {
        board: boardAt(place),
        message,
        metadata: {},
        ...(image === undefined ? {} : parts),
      };
      return { type: 'observation', data: { observation, reward, done } };
    };
    const play = ({ type, data = {} }: Frame): unknown => {
      if (isShared) place = shared;
      if (type === 'state') {
        return breaks === 'state'
          ? { type: 'error', data: { message: 'no state', code: 'EXECUTION_ERROR' } }
          : { type: 'state', data: { episode_id: episode, step_count: steps } };
      }
      if (type === 'reset') [episode, steps] = [data['episode_id'], 0];
      else steps += 1;
      if (type === 'reset' && breaks === 'reset') {
        return { type: 'error', data: { message: 'the board is missing', code: 'EXECUTION_ERROR' } };
      }
      if (type === 'reset') {
        place = [0, 0];
        shared = place;
        return observe('You are in the corner.', 0, false);
      }
      const { action } = data;
      const step = typeof action === 'string' ? STEPS[action] : undefined;
      if (step === undefined) {
        const errors = [
          { type: 'enum', loc: ['action'], msg: "Input should be 'UP', 'DOWN', 'LEFT' or 'RIGHT'" },
        ];
        return { type: 'error', data: { message: 'Invalid message', code: 'VALIDATION_ERROR', errors } };
      }
      const clamp = (value: number): number => Math.min(2, Math.max(0, value));
      const next: [number, number] = [clamp(place[0] + step[0]), clamp(place[1] + step[1])];
      if (isWalled && next[0] === place[0] && next[1] === place[1]) {
        return { type: 'error', data: { message: 'there is a wall', code: 'EXECUTION_ERROR' } };
      }
      place = next;
      shared = place;
      const isThere = place[0] === 2 && place[1] === 2;
      return observe(isThere ? 'You are there.' : 'Keep going.', isThere ? 1 : -0.25, isThere);
    };
    socket.on('message', (data: Buffer) => {
      const frame = JSON.parse(data.toString()) as Frame;
      if (frame.type === 'close') return socket.close(1000);
      if (frame.type !== 'state') frames.push(frame);
      if (frame.type === 'reset' && breaks === 'never_resets') return;
      const answer = JSON.stringify(play(frame));
      socket.send(
        breaks === 'reward' && frame.type === 'step'
          ? answer.replace(/"reward":[^,]*/, '"reward":NaN')
          : answer,
      );
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${String((http.address() as AddressInfo).port)}`,
    frames,
    close: async () => {
      for (const socket of server.clients) socket.terminate();
      server.close();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

/** What its address answers with; null for what is not there. */
function pageOf(path: string, { breaks, splits }: Faults): unknown {
  switch (path) {
    case '/schema':
      return { action: breaks === 'actions' ? TOOL_ACTION : GRID_ACTION, observation: {}, state: {} };
    case '/metadata':
      return { name: 'Grid', description: 'Reach the goal in the corner.' };
    case '/health':
      return breaks === 'health' ? { status: 'starting' } : { status: 'healthy' };
    case '/openapi.json':
      return { info: { version: '1.0.0' }, paths: { '/reset': {}, '/step': {}, '/state': {} } };
    case '/mcp':
      return { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'Invalid Request' } };
    case '/list_environments':
      return splits === undefined ? null : ['Grid'];
    case '/Grid/splits':
      return Object.keys(splits ?? {}).map((name) => ({ name, type: 'train' }));
    default:
      return null;
  }
}

async function answerTasks(
  splits: Readonly<Record<string, readonly object[]>>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { split } = (await json(request)) as { split: string };
  const tasks = splits[split] ?? [];
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(request.url === '/Grid/num_tasks' ? { num_tasks: tasks.length } : { tasks }));
}

const boardAt = ([x, y]: readonly [number, number]): number[][] =>
  [0, 1, 2].map((row) => [0, 1, 2].map((column) => (row === y && column === x ? 1 : 0)));
