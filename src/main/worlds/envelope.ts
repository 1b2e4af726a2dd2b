// Reads a client's frame: which of the five kinds it is, and everything that is wrong with it.
import { isRecord } from '../../shared/json.ts';
import {
  ANY_MEMBER,
  type FrameProblem,
  type Member,
  memberProblems,
  problem,
  TEXT_MEMBER,
} from './problems.ts';

type FrameData = Record<string, unknown>;
export type StepAction =
  { type: 'list_tools' } | { type: 'call_tool'; tool_name: string; arguments: FrameData };

type ClientMessage =
  | { type: 'reset' | 'step' | 'mcp'; data: FrameData }
  | { type: 'state' | 'close' }
  | { type: 'invalid'; problems: FrameProblem[] }
  | { type: 'unknown'; named: string };

// A JSON text is refused too: upstream takes an object only.
const OBJECT: Member = { fits: isRecord, type: 'dict_type' };

const FRAMES = {
  reset: { type: ANY_MEMBER, data: OBJECT },
  step: { type: ANY_MEMBER, data: { ...OBJECT, isRequired: true } },
  mcp: { type: ANY_MEMBER, data: { ...OBJECT, isRequired: true } },
  state: { type: ANY_MEMBER },
  close: { type: ANY_MEMBER },
} satisfies Record<string, Record<string, Member>>;

const isKind = (type: unknown): type is keyof typeof FRAMES =>
  typeof type === 'string' && Object.hasOwn(FRAMES, type);

/** A frame's envelope. Keys the kind does not have are refused, as upstream refuses them. */
export function readClientFrame(message: FrameData): ClientMessage {
  const { type = '', data } = message;
  if (!isKind(type)) return { type: 'unknown', named: textOf(type) };
  const problems = memberProblems(message, FRAMES[type]);
  if (problems.length > 0) return { type: 'invalid', problems };
  if (type === 'state' || type === 'close') return { type };
  return { type, data: isRecord(data) ? data : {} };
}

const ACTIONS = {
  list_tools: { type: ANY_MEMBER, metadata: OBJECT },
  call_tool: {
    type: ANY_MEMBER,
    metadata: OBJECT,
    tool_name: { ...TEXT_MEMBER, isRequired: true },
    arguments: OBJECT,
  },
} satisfies Record<string, Record<string, Member>>;

export function readAction(data: FrameData): { action: StepAction } | { problems: FrameProblem[] } {
  const discriminator = "'type'";
  const { type, tool_name: name, arguments: args } = data;
  if (!Object.hasOwn(data, 'type'))
    return { problems: [problem('union_tag_not_found', [], data, { discriminator })] };
  if (type !== 'list_tools' && type !== 'call_tool') {
    const ctx = { discriminator, tag: textOf(type), expected_tags: "'list_tools', 'call_tool'" };
    return { problems: [problem('union_tag_invalid', [], data, ctx)] };
  }
  const problems = memberProblems(data, ACTIONS[type], [type]);
  if (problems.length > 0) return { problems };
  if (type === 'list_tools') return { action: { type } };
  return { action: { type, tool_name: textOf(name), arguments: isRecord(args) ? args : {} } };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
