// Reading a client's frame: which of the five kinds it is, and everything that is wrong with it. Must not know: what
// a frame does. Unlike zod's, these errors are the ones the Python server would list.
import { isRecord } from '../../shared/json.ts';
import { extra, missingField, notObject, notString, noTag, type FrameProblem, wrongTag } from './problems.ts';
import { str } from './python.ts';

type FrameData = Record<string, unknown>;
export type StepAction =
  { type: 'list_tools' } | { type: 'call_tool'; tool_name: string; arguments: FrameData };

type ClientMessage =
  | { type: 'reset'; data: FrameData }
  | { type: 'step'; data: FrameData }
  | { type: 'mcp'; data: FrameData }
  | { type: 'state' }
  | { type: 'close' }
  | { type: 'invalid'; problems: FrameProblem[] }
  | { type: 'unknown'; named: string };

const HAS_DATA = {
  reset: 'optional',
  step: 'required',
  mcp: 'required',
  state: 'none',
  close: 'none',
} as const;

const isKind = (type: unknown): type is keyof typeof HAS_DATA =>
  typeof type === 'string' && Object.hasOwn(HAS_DATA, type);

/** A frame's envelope. Keys the kind does not have are refused, as upstream refuses them. */
export function readClientFrame(message: FrameData): ClientMessage {
  const type = Object.hasOwn(message, 'type') ? message['type'] : '';
  if (!isKind(type)) return { type: 'unknown', named: str(type) };
  const problems: FrameProblem[] = [];
  const takesData = HAS_DATA[type];
  const data = Object.hasOwn(message, 'data') ? message['data'] : undefined;
  if (takesData === 'required' && data === undefined) problems.push(missingField(['data'], message));
  if (takesData !== 'none' && data !== undefined && !isRecord(data)) problems.push(notObject(['data'], data));
  for (const [key, value] of Object.entries(message)) {
    if (key !== 'type' && !(key === 'data' && takesData !== 'none')) problems.push(extra([key], value));
  }
  if (problems.length > 0) return { type: 'invalid', problems };
  if (type === 'state' || type === 'close') return { type };
  return { type, data: isRecord(data) ? data : {} };
}

const TAGS = ['list_tools', 'call_tool'] as const;

/** The action inside a step, or what is wrong with it. */
export function readAction(
  data: FrameData,
): { ok: true; action: StepAction } | { ok: false; problems: FrameProblem[] } {
  if (!Object.hasOwn(data, 'type')) return { ok: false, problems: [noTag(data)] };
  const tag = TAGS.find((name) => name === data['type']);
  if (tag === undefined) return { ok: false, problems: [wrongTag(str(data['type']), TAGS, data)] };
  const problems: FrameProblem[] = [];
  const metadata = data['metadata'];
  if (Object.hasOwn(data, 'metadata') && !isRecord(metadata))
    problems.push(notObject([tag, 'metadata'], metadata));
  if (tag === 'call_tool') problems.push(...callProblems(data));
  const known = tag === 'call_tool' ? CALL_KEYS : LIST_KEYS;
  for (const [key, value] of Object.entries(data)) {
    if (!known.has(key)) problems.push(extra([tag, key], value));
  }
  if (problems.length > 0) return { ok: false, problems };
  if (tag === 'list_tools') return { ok: true, action: { type: tag } };
  const args = data['arguments'];
  const action: StepAction = {
    type: tag,
    tool_name: str(data['tool_name']),
    arguments: isRecord(args) ? args : {},
  };
  return { ok: true, action };
}

const LIST_KEYS: ReadonlySet<string> = new Set(['type', 'metadata']);
const CALL_KEYS: ReadonlySet<string> = new Set(['type', 'metadata', 'tool_name', 'arguments']);

function callProblems(data: FrameData): FrameProblem[] {
  const problems: FrameProblem[] = [];
  const name = data['tool_name'];
  if (!Object.hasOwn(data, 'tool_name')) problems.push(missingField(['call_tool', 'tool_name'], data));
  else if (typeof name !== 'string') problems.push(notString(['call_tool', 'tool_name'], name));
  const args = data['arguments'];
  // A JSON text is refused too: upstream takes an object only.
  if (Object.hasOwn(data, 'arguments') && !isRecord(args))
    problems.push(notObject(['call_tool', 'arguments'], args));
  return problems;
}
