// The way into the gateway's HTTP doors: which path is whose, the key, its scope and limits, the size of a request.
// Must not know: what a door does with what it lets in.
import type { Door, KeyNote, Scope } from '../../shared/contract/gateway.ts';
import { Failure, failureShape } from '../../shared/failure.ts';
import type { GatewayKeys } from '../settings/keys.ts';
import type { Key } from '../settings/keyShapes.ts';
import type { DoorWatch } from './gatewayContext.ts';
import { BAD_ROLLOUT, isOurOrigin, isRolloutName, readGivenKey } from './origin.ts';
import { refusalResponse, type RefusalDialect, type GatewayRefusal } from './refusals.ts';

/** The caller: the key, what its client calls its rollout behind it, and the signal that the client is gone. */
export type GatewayCaller = {
  key: Pick<Key, 'id' | 'name' | 'environment'>;
  rollout: string | null;
  signal: AbortSignal;
};
export type GatewayDoor = { handle(request: Request, caller: GatewayCaller): Promise<Response> };

type DoorName = 'expert' | 'mcp' | 'transcripts' | 'agent' | 'curriculum';
export type GatewayDoors = Readonly<Partial<Record<DoorName, GatewayDoor>>>;

type GatewayDependencies = {
  keys: Pick<GatewayKeys, 'find' | 'admit' | 'note'>;
  doors: GatewayDoors;
  watch: DoorWatch;
  hasMcp: () => boolean;
  /** Why the doors are closed; null while they are open. */
  closed: () => string | null;
  report: (thrown: unknown) => void;
};

type DoorPlace = {
  door: DoorName;
  /** As it is counted and shown; transcripts complete what came through the tap. */
  counted: Door | null;
  noted: NonNullable<KeyNote['door']>;
  dialect: RefusalDialect;
  scopes: readonly Scope[];
};

const DOOR_PLACES: readonly (DoorPlace & { path: RegExp })[] = [
  {
    // Azure's clients put the name of a deployment into the path.
    path: /^\/v1\/|^\/openai\/deployments\/[^/]+\/chat\/completions\/?$/,
    door: 'expert',
    counted: 'expert',
    noted: 'expert',
    dialect: 'openai',
    scopes: ['expert'],
  },
  { path: /^\/mcp\/?$/, door: 'mcp', counted: 'mcp', noted: 'mcp', dialect: 'mcp', scopes: ['mcp'] },
  {
    path: /^\/agent\/v1\//,
    door: 'agent',
    counted: 'agent',
    noted: 'agent',
    dialect: 'openai',
    scopes: ['tap', 'expert'],
  },
  {
    path: /^\/episodes\//,
    door: 'transcripts',
    counted: null,
    noted: 'episodes',
    dialect: 'plain',
    scopes: ['tap', 'expert'],
  },
  {
    path: /^\/curriculum\//,
    door: 'curriculum',
    counted: null,
    noted: 'curriculum',
    dialect: 'plain',
    scopes: ['tap'],
  },
];

/** A key in the path, for clients that can be told an address and nothing else. */
const PATH_KEY = /^\/t\/([^/]+)(\/(?:v1|mcp|agent|episodes|curriculum|openai)(?:\/.*)?)$/;

export type Gateway = {
  /** Whether a path is one of the gateway's own doors. */
  opens(path: string): boolean;
  handle(request: Request): Promise<Response>;
  /** A no to whoever comes under a foreign name, in the words of the door's clients; null for no door. */
  refusal(path: string, message: string): Response | null;
};

export function createGateway(parts: GatewayDependencies): Gateway {
  return {
    opens: (path) => doorPlaceOf(stripped(path).path) !== null,
    refusal: (path, message) => {
      const place = doorPlaceOf(stripped(path).path);
      return place === null ? null : refusalResponse(place.dialect, { status: 403, message });
    },
    handle: async (request) => {
      const url = new URL(request.url);
      const { path, token } = stripped(url.pathname);
      const place = doorPlaceOf(path);
      if (place === null) {
        return refusalResponse('plain', { status: 404, message: `there is no door at ${url.pathname}` });
      }
      try {
        return await enter(parts, place, { request, url, path, token });
      } catch (thrown) {
        if (thrown instanceof Failure && thrown.code === 'limit_exceeded') {
          return refusalResponse(place.dialect, { status: 413, message: thrown.message });
        }
        parts.report(thrown);
        return refusalResponse(place.dialect, { status: 500, message: failureShape(thrown).message });
      }
    },
  };
}

type GatewayRequest = { request: Request; url: URL; path: string; token: string | null };

async function enter(parts: GatewayDependencies, place: DoorPlace, knock: GatewayRequest): Promise<Response> {
  const { keys, doors, watch } = parts;
  const { request } = knock;
  const no = (refusal: GatewayRefusal): Response => refusalResponse(place.dialect, refusal);
  const door = doors[place.door];
  if (door === undefined) return no({ status: 404, message: `there is no door at ${knock.path}` });
  const caller = admittedCaller(parts, place, knock);
  if ('status' in caller) return no(caller);
  const { key, rollout } = caller;
  const admitted = keys.admit(key, place.noted);
  if (!admitted.isAdmitted) {
    const { why, retryAfterS } = admitted;
    return no({ status: 429, message: `this key is limited: ${why}`, retryAfterS });
  }
  const client = `${key.id} ${request.headers.get('user-agent') ?? ''}`;
  const leave = place.counted === null ? () => undefined : watch.enter(place.counted, client);
  const done = (): void => {
    admitted.release();
    leave();
  };
  try {
    // Read before the door is entered: a door is never left with half a request.
    const whole = await wholeRequest(knock);
    const response = await door.handle(whole, { key, rollout, signal: request.signal });
    return whenBodyRead(response, done);
  } catch (thrown) {
    done();
    throw thrown;
  }
}

function admittedCaller(
  { keys, closed, hasMcp }: GatewayDependencies,
  { door, noted, scopes }: DoorPlace,
  { request, url, token }: GatewayRequest,
): { key: Key; rollout: string | null } | GatewayRefusal {
  if (!isOurOrigin(request.headers.get('origin'), url)) {
    return { status: 403, message: 'a page of another site may not use the gateway' };
  }
  const why = closed();
  if (why !== null) return { status: 503, message: why };
  const text = token ?? secretIn(request.headers);
  const given = text === null ? null : readGivenKey(text);
  const key = given === null ? null : keys.find(given.secret);
  if (key === null) {
    keys.note('wrong_key', noted, null);
    const message = given === null ? 'a key is missing' : 'this key is not known, or it was revoked';
    const next = 'Use a key from Setup, Environments and Connect as the API key (Authorization: Bearer …)';
    return { status: 401, message, next };
  }
  const rollout = given?.rollout ?? null;
  if (rollout !== null && !isRolloutName(rollout)) return { status: 400, message: BAD_ROLLOUT };
  if (!scopes.some((scope) => key.scopes.includes(scope))) {
    keys.note('wrong_scope', noted, key);
    const message = `the key “${key.name}” does not open this door: it needs ${scopes.join(' or ')}`;
    return { status: 403, message };
  }
  if (door === 'mcp' && !hasMcp()) {
    return {
      status: 404,
      message: 'the MCP door is off',
      next: 'Switch it on under Setup, or start with --mcp',
    };
  }
  return { key, rollout };
}

const doorPlaceOf = (path: string): DoorPlace | null =>
  DOOR_PLACES.find((one) => one.path.test(path)) ?? null;

function stripped(pathname: string): { path: string; token: string | null } {
  const [, token, path] = PATH_KEY.exec(pathname) ?? [];
  return token === undefined || path === undefined ? { path: pathname, token: null } : { path, token };
}

/** The key in a client's headers: OpenAI's and MCP's as bearer, Azure's, Anthropic's and Google's in their own. */
function secretIn(headers: Headers): string | null {
  const bearer = /^Bearer\s+(\S.*)$/i.exec(headers.get('authorization') ?? '')?.[1]?.trim();
  const own = ['api-key', 'x-api-key', 'x-goog-api-key'].map((name) => headers.get(name));
  const given = bearer ?? own.find((one) => one !== null) ?? '';
  return given === '' ? null : given;
}

async function wholeRequest({ request, url, path }: GatewayRequest): Promise<Request> {
  const { method, headers, signal } = request;
  const address = new URL(`${path}${url.search}`, url);
  if (request.body === null) return new Request(address, { method, headers, signal });
  return new Request(address, { method, headers, signal, body: await request.arrayBuffer() });
}

/** The same answer; `done` is called once it was read to its end, or given up. */
function whenBodyRead(response: Response, done: () => void): Response {
  if (response.body === null) {
    done();
    return response;
  }
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { done: isOver, value } = await reader.read();
          if (!isOver) return controller.enqueue(value);
          done();
          controller.close();
        } catch (thrown) {
          done();
          controller.error(thrown);
        }
      },
      cancel: async (reason) => {
        done();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { status: response.status, headers: response.headers });
}
