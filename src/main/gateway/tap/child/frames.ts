// Parses the frames that the tap looks into, and writes its own. A frame is only looked into where a cheap search of
// its bytes says that there is something to find.
import { isRecord, parseJson, wholeOr } from '../../../../shared/json.ts';
import {
  hasEqualKeys,
  itemSpans,
  memberSpan,
  memberSpans,
  replaced,
  type Span,
  spanAt,
  wholeMembers,
  withChanges,
  withoutSpan,
} from '../../../../shared/jsonSpans.ts';
import { mayName } from '../../../../shared/redact/assigned.ts';
import type { Cover } from '../../../../shared/redact/cover.ts';
import { secretsOf } from '../../../../shared/redact/redact.ts';
import type { TapRules } from '../linkProtocol.ts';

type FrameObject = Record<string, unknown>;

export type ParsedFrame =
  | { type: 'reset'; kwargs: FrameObject }
  | { type: 'call'; tool: string; arguments: FrameObject }
  /** An action of an environment that has no tools, whatever it is. */
  | { type: 'action' }
  | { type: 'other' };

const RESET = Buffer.from('"reset"');
const OWN_KWARG = Buffer.from('interject_');
const OWN_KWARGS: ReadonlySet<string> = new Set(
  ['run', 'step', 'group', 'checkpoint', 'episode', 'arm', 'hint'].map((name) => `interject_${name}`),
);

/** True if a frame may be a reset: a search of its bytes, no parse. */
export const mayReset = (frame: Buffer): boolean => frame.includes(RESET);

function parseFrame(frame: Buffer): unknown {
  try {
    return parseJson(frame.toString('utf8'));
  } catch {
    return null;
  }
}

/** A frame of the client as far as the tap may have to act on it. */
export function readClientFrame(frame: Buffer): ParsedFrame {
  const value = parseFrame(frame);
  if (!isRecord(value)) return { type: 'other' };
  const data = isRecord(value['data']) ? value['data'] : {};
  if (value['type'] === 'reset') return { type: 'reset', kwargs: data };
  if (value['type'] !== 'step' || data['type'] === 'list_tools') return { type: 'other' };
  return 'tool_name' in data ? frameCall(data['tool_name'], data['arguments']) : { type: 'action' };
}

const CLOSE = Buffer.from('"close"');
/** A message that ends the session says nothing else. */
const CLOSE_MAX = 200;

/** True if a client says with it that it leaves. */
export function isLeave(frame: Buffer): boolean {
  if (frame.length > CLOSE_MAX || !frame.includes(CLOSE)) return false;
  const value = parseFrame(frame);
  return isRecord(value) && value['type'] === 'close';
}

/** A JSON-RPC request: its method, the session it names, and the call where it is one. */
export function readRpcFrame(body: Buffer): {
  method: string;
  session: string | null;
  id: unknown;
  call: ParsedFrame;
} {
  const value = parseFrame(body);
  const params = isRecord(value) && isRecord(value['params']) ? value['params'] : {};
  const method = isRecord(value) && typeof value['method'] === 'string' ? value['method'] : '';
  const session = typeof params['session_id'] === 'string' ? params['session_id'] : null;
  const call =
    method === 'tools/call' ? frameCall(params['name'], params['arguments']) : { type: 'other' as const };
  return { method, session, id: isRecord(value) ? (value['id'] ?? null) : null, call };
}

function frameCall(tool: unknown, args: unknown): ParsedFrame {
  if (typeof tool !== 'string') return { type: 'other' };
  return { type: 'call', tool, arguments: isRecord(args) ? args : {} };
}

/** The result in a JSON-RPC answer to `openenv/session/*`. */
export function rpcResult(body: Buffer): FrameObject {
  const value = parseFrame(body);
  return isRecord(value) && isRecord(value['result']) ? value['result'] : {};
}

/** The reset as the environment gets it, the kwargs that were for us, and the secret values in it. Null for others. */
export function readResetFrame(frame: Buffer): {
  frame: Buffer;
  trainer: FrameObject;
  scenario: string | null;
  task_idx: number | null;
  secrets: string[];
} | null {
  const parsed = readClientFrame(frame);
  if (parsed.type !== 'reset') return null;
  const { scenario, task_idx } = parsed.kwargs;
  const task = {
    scenario: typeof scenario === 'string' ? scenario : null,
    task_idx: wholeOr(task_idx),
  };
  const own = Object.entries(parsed.kwargs).filter(([key]) => OWN_KWARGS.has(key));
  const secrets = secretsOf(parsed.kwargs);
  if (own.length === 0 || !frame.includes(OWN_KWARG)) return { frame, trainer: {}, secrets, ...task };
  const text = withoutMembers(frame.toString('utf8'), ['data'], (key) => OWN_KWARGS.has(key));
  return { frame: Buffer.from(text), trainer: Object.fromEntries(own), secrets, ...task };
}

/**
 * The copy of a frame that is recorded: secrets are covered by name and by shape in a reset and a call's arguments, by
 * shape elsewhere, and those known by now wherever they come up again. Every other byte is as it came.
 */
export function recordedFrame(frame: Buffer, cover: Cover): Buffer {
  const text = frame.toString('utf8');
  const clean = cover.cover(withoutNamed(text, cover));
  return clean === text ? frame : Buffer.from(clean);
}

/** Short secrets are covered where a reset or a call names them only: elsewhere they are ordinary words. */
function withoutNamed(text: string, cover: Cover): string {
  if (!mayName(text)) return text;
  const value = parseFrame(Buffer.from(text));
  if (!isRecord(value)) return text;
  const isAsked = value['type'] === 'reset' || value['type'] === 'step';
  const path = isAsked ? ['data'] : value['method'] === 'tools/call' ? ['params', 'arguments'] : null;
  const span = path === null ? null : spanAt(text, path);
  if (path === null || span === null) return text;
  const given = path.reduce<unknown>((at, name) => (isRecord(at) ? at[name] : undefined), value);
  return isRecord(given) ? withChanges(text, span, cover.coverArguments(given)) : text;
}

/** The wording of an environment's observations; of one without tools only its errors have a known form. */
export type EnvironmentDialect = 'awm' | 'generic' | 'actions';
const AWM_LABEL = Buffer.from('"reward_type"');
const AWM_RESULT = Buffer.from('"tool_result"');
const GENERIC_RESULT = Buffer.from('"result"');

/** The dialect that an answer shows; null when it shows none. */
export function dialectOf(reply: Buffer): EnvironmentDialect | null {
  if (reply.includes(AWM_LABEL) || reply.includes(AWM_RESULT)) return 'awm';
  return reply.includes(GENERIC_RESULT) ? 'generic' : null;
}

/** Paths to an observation with its metadata, over the socket and in a JSON-RPC answer. */
const OBSERVATION_PATHS = { ws: ['data', 'observation'], rpc: ['result'] } as const;
export type Channel = keyof typeof OBSERVATION_PATHS;
export type Extras = { notes?: string[]; touched_turns?: number[] };

/** The answer with our extras in `observation.metadata.interject`, every other byte as it was. Null when it has no place. */
export function withExtras(reply: Buffer, channel: Channel, extras: Extras): Buffer | null {
  try {
    const text = reply.toString('utf8');
    const place = [...OBSERVATION_PATHS[channel]];
    if (channel === 'ws' && spanAt(text, ['type']) === null) return null;
    const metadata = spanAt(text, [...place, 'metadata']);
    const isThere = metadata !== null && text[metadata.from] === '{';
    const changed = isThere
      ? withMember(text, [...place, 'metadata'], 'interject', extras)
      : withMember(text, place, 'metadata', { interject: extras });
    return changed === null ? null : Buffer.from(changed);
  } catch {
    return null;
  }
}

/** The answer with words after the text of its result. Null when it has no such text. */
export function withWordsInResult(reply: Buffer, channel: Channel, words: string): Buffer | null {
  try {
    const text = reply.toString('utf8');
    const place = [...OBSERVATION_PATHS[channel]];
    const span = spanAt(text, [...place, 'tool_result']) ?? lastTextPart(text, place);
    if (span === null || text[span.from] !== '"') return null;
    const added = JSON.stringify(`\n\n${words}`).slice(1, -1);
    return Buffer.from(replaced(text, { from: span.to - 1, to: span.to }, `${added}"`));
  } catch {
    return null;
  }
}

function lastTextPart(text: string, place: readonly string[]): Span | null {
  const content = spanAt(text, [...place, 'result', 'content']);
  const last = content === null ? undefined : itemSpans(text, content.from).at(-1);
  return last === undefined ? null : (memberSpan(text, last.from, 'text') ?? null);
}

/** A fabricated observation: never a reward, never a label, never the end. */
export function ownReply(
  channel: Channel,
  dialect: EnvironmentDialect,
  said: { tool: string; text: string; isError: boolean; extras: Extras; id: unknown },
): Buffer {
  if (dialect === 'actions') return actionReply(said);
  const metadata = Object.keys(said.extras).length === 0 ? {} : { interject: said.extras };
  const observation = { metadata, ...replyBody(dialect, said) };
  return channel === 'ws'
    ? Buffer.from(JSON.stringify({ type: 'observation', data: { observation, reward: null, done: false } }))
    : Buffer.from(
        JSON.stringify({
          jsonrpc: '2.0',
          id: said.id,
          result: { done: false, reward: null, ...observation },
        }),
      );
}

/** Clients of an action read its own observation or an error: a person's words are that, an object the observation. */
function actionReply({ text, isError }: { text: string; isError: boolean }): Buffer {
  const observation = isError ? null : parseFrame(Buffer.from(text));
  return Buffer.from(
    JSON.stringify(
      isRecord(observation)
        ? { type: 'observation', data: { observation, reward: null, done: false } }
        : { type: 'error', data: { message: text, code: 'EXECUTION_ERROR' } },
    ),
  );
}

function replyBody(
  dialect: Exclude<EnvironmentDialect, 'actions'>,
  { tool, text, isError }: { tool: string; text: string; isError: boolean },
) {
  if (dialect === 'awm') return { tool_name: tool, [isError ? 'error' : 'tool_result']: text };
  if (isError)
    return { tool_name: tool, result: null, error: { error_type: 'execution_error', message: text } };
  const content = [{ type: 'text', text }];
  return {
    tool_name: tool,
    result: { content, structured_content: null, meta: null, data: text, is_error: false },
    error: null,
  };
}

/** The reply of an episode that a person stopped, from then on: the label that rollouts leave out. */
export function stoppedReply(
  channel: Channel,
  reason: string,
  { extras, id, frame }: { extras: Extras; id: unknown; frame: Buffer },
): Buffer {
  if (channel === 'ws' && readClientFrame(frame).type === 'action') {
    return Buffer.from(JSON.stringify({ type: 'error', data: { message: reason, code: 'SESSION_ERROR' } }));
  }
  const observation = { metadata: { interject: extras }, reward_type: 'server_error', error: reason };
  return channel === 'ws'
    ? Buffer.from(JSON.stringify({ type: 'observation', data: { observation, reward: null, done: true } }))
    : Buffer.from(
        JSON.stringify({ jsonrpc: '2.0', id, result: { done: true, reward: null, ...observation } }),
      );
}

const RESERVED_TOOLS = ['verify', 'done'].map((name) => ({ name, bytes: Buffer.from(`"${name}"`) }));

/** The host's tool that a client calls although this tap refuses it, or null. */
export function refusedTool(
  frame: Buffer,
  rules: TapRules,
  read: (frame: Buffer) => ParsedFrame,
): string | null {
  if (rules.reserved_tools === 'pass') return null;
  if (!RESERVED_TOOLS.some(({ bytes }) => frame.includes(bytes))) return null;
  const parsed = read(frame);
  return parsed.type === 'call' && RESERVED_TOOLS.some(({ name }) => name === parsed.tool)
    ? parsed.tool
    : null;
}

/** The client's own frame with another call, or another action, in it; what was not edited stays byte for byte. */
export function editedFrame(
  frame: Buffer,
  channel: Channel,
  { tool, args, action }: { tool: string; args: FrameObject; action: FrameObject | null },
): Buffer {
  const text = frame.toString('utf8');
  if (action !== null) return Buffer.from(withValue(text, [], 'data', action));
  const place = channel === 'ws' ? ['data'] : ['params'];
  const renamed = withValue(text, place, channel === 'ws' ? 'tool_name' : 'name', tool);
  return Buffer.from(withValue(renamed, place, 'arguments', args));
}

/** The text with a member made into a value; one with equal keys in it is written anew as a whole. */
function withValue(text: string, path: readonly string[], key: string, value: unknown): string {
  const span = spanAt(text, [...path, key]);
  if (span === null || hasEqualKeys(text.slice(span.from, span.to)))
    return withMember(text, path, key, value) ?? text;
  return withChanges(text, span, value);
}

/** The text with one member more (or another value for it) in the object at a path; null where there is no object. */
function withMember(text: string, path: readonly string[], key: string, value: unknown): string | null {
  const object = spanAt(text, path);
  if (object === null || text[object.from] !== '{') return null;
  const there = memberSpan(text, object.from, key);
  const json = JSON.stringify(value);
  if (there !== undefined) return replaced(text, there, json);
  const at = object.from + 1;
  const comma = memberSpans(text, object.from).length === 0 ? '' : ',';
  return `${text.slice(0, at)}${JSON.stringify(key)}:${json}${comma}${text.slice(at)}`;
}

/** The text without those members of the object at a path that `isUnwanted` names. */
function withoutMembers(text: string, path: readonly string[], isUnwanted: (key: string) => boolean): string {
  const object = spanAt(text, path);
  if (object === null) return text;
  const members = memberSpans(text, object.from);
  const at = members.findLastIndex(({ key }) => isUnwanted(key));
  if (at === -1) return text;
  return withoutMembers(withoutSpan(text, wholeMembers(members), at), path, isUnwanted);
}
