// The HTTP side of the world of actions: health, metadata, schemas, and reset and step, each in an environment of its
// own that ends with the request, as OpenEnv's server does it.
import { isRecord, tryJson } from '../../shared/json.ts';
import { createActionEnvironment, readCommand } from './actionWorld.ts';
import type { WorldReply } from './frames.ts';
import { answerMcp, answerRoute, jsonResponse } from './httpDoor.ts';
import { refuseRpc } from './jsonrpc.ts';
import { openApi } from './openApi.ts';
import { problem } from './problems.ts';
import { MODES, REWARD_COLUMNS, THRUSTERS } from './thrusters/flight.ts';
import { NAME } from './thrusters/tasks.ts';

/** The path of the world of actions, below the root of the built-in worlds. */
export const ACTION_WORLD_PATH = `/worlds/${NAME}`;

export const ABOUT =
  'Dockside is a capsule in front of a dock: each action fires one of thirteen thrusters for a tick, coarse or fine. It says after every tick where the capsule is, how fast it moves and what each part of the reward is worth.';

const METADATA = {
  name: NAME,
  description: ABOUT,
  readme_content: null,
  version: '1.0.0',
  author: null,
  documentation_url: null,
};

const NUMBER = { type: 'number' };
const WHOLE = { type: 'integer' };
const SHARE = { type: 'number', minimum: 0, maximum: 1 };
const METADATA_FIELD = { additionalProperties: true, default: {}, title: 'Metadata', type: 'object' };
const fields = (names: readonly string[], schema: object): Record<string, object> =>
  Object.fromEntries(names.map((name) => [name, schema]));

const SCHEMAS = {
  action: {
    additionalProperties: false,
    description: `Fires one thruster for one tick: ${THRUSTERS.map(({ name }, at) => `${String(at)} ${name}`).join(', ')}. Thruster 0 lets the capsule drift.`,
    properties: {
      metadata: METADATA_FIELD,
      thruster: {
        description: 'The thruster, 0 to 12',
        maximum: THRUSTERS.length - 1,
        minimum: 0,
        title: 'Thruster',
        type: 'integer',
      },
      mode: {
        default: 'coarse',
        description:
          'How strongly: coarse changes the speed by 200 mm or 2 degrees a tick, fine by a quarter',
        enum: [...MODES],
        title: 'Mode',
        type: 'string',
      },
    },
    required: ['thruster'],
    title: 'ThrusterAction',
    type: 'object',
  },
  observation: {
    additionalProperties: false,
    properties: {
      done: { default: false, type: 'boolean' },
      reward: { anyOf: [NUMBER, { type: 'null' }], default: null },
      metadata: METADATA_FIELD,
      message: { type: 'string' },
      ...fields(['distance_mm', 'side_mm', 'height_mm'], WHOLE),
      ...fields(['roll_deg', 'pitch_deg', 'yaw_deg'], NUMBER),
      ...fields(['closing_mm_per_tick', 'side_mm_per_tick', 'height_mm_per_tick'], WHOLE),
      ...fields(['roll_deg_per_tick', 'pitch_deg_per_tick', 'yaw_deg_per_tick'], NUMBER),
      ...fields(['fuel_left', 'tick', 'ticks_left'], WHOLE),
      reward_breakdown: { type: 'object', properties: fields(REWARD_COLUMNS, SHARE) },
      reward_columns: { type: 'array', items: { type: 'string' } },
    },
    title: 'ThrusterObservation',
    type: 'object',
  },
  state: {
    additionalProperties: true,
    properties: {
      episode_id: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null },
      step_count: { default: 0, minimum: 0, type: 'integer' },
    },
    title: 'State',
    type: 'object',
  },
};

/** Answers a request whose path is relative to the world's own root. */
export function answerActionHttp(request: Request, path: string, newId: () => string): Promise<Response> {
  const get = (body: object) => ({ GET: () => jsonResponse(200, body) });
  return answerRoute(
    {
      '/health': get({ status: 'healthy' }),
      '/metadata': get(METADATA),
      '/schema': get(SCHEMAS),
      '/openapi.json': get(openApi(METADATA)),
      '/state': get({ episode_id: null, step_count: 0 }),
      '/reset': {
        POST: async () => replied(createActionEnvironment(newId).reset((await bodyOf(request)) ?? {})),
      },
      '/step': { POST: async () => stepOnce(await bodyOf(request), newId) },
      '/mcp': { POST: async () => jsonResponse(200, await answerMcp(request, refuseRpc)) },
    },
    path,
    request.method,
  );
}

async function bodyOf(request: Request): Promise<Record<string, unknown> | null> {
  const body = tryJson(await request.text());
  return isRecord(body) ? body : null;
}

/** A step over HTTP is the first of a flight: a request has no episode of its own. */
function stepOnce(body: Record<string, unknown> | null, newId: () => string): Response {
  const action = body?.['action'];
  if (!isRecord(action)) return unprocessable([problem('missing', ['body', 'action'], body)]);
  const command = readCommand(action);
  if (Array.isArray(command))
    return unprocessable(command.map((one) => ({ ...one, loc: ['body', 'action', ...one.loc] })));
  const environment = createActionEnvironment(newId);
  environment.reset({});
  return replied(environment.step(action));
}

const unprocessable = (detail: object[]): Response => jsonResponse(422, { detail });

function replied(reply: WorldReply): Response {
  if (reply.type === 'observation') {
    const { observation, reward, done } = reply;
    return jsonResponse(200, { observation, reward: reward ?? null, done });
  }
  return reply.type === 'invalid'
    ? unprocessable(reply.problems)
    : jsonResponse(400, { detail: reply.message });
}
