// Reading what a reply asks for, in the shapes real models write it. What cannot be read is `malformed`, never a
// silent final answer; what was mended on the way is recorded.
import type { ToolSpec } from '../../shared/events/lifecycle.ts';
import type { JsonObject, Move } from '../../shared/events/turns.ts';
import { type LlmReply, REPLY_MAX } from '../llm/port.ts';
import { withoutThinking } from '../llm/thinking.ts';
import {
  type Block,
  embeddedValues,
  foreignBlock,
  mentionsTag,
  taggedBlocks,
  unopenedBlock,
  untaggedBlock,
} from './callBlocks.ts';
import { argumentsField, callFields, callInValue, listOf, own } from './callShape.ts';
import { readWholeJson } from './looseJson.ts';
import { ASK_EXPERT, CALL_TOOL, createNames, LIST_TOOLS, type Names } from './toolNames.ts';

export type MoveReading = {
  move: Move;
  repairs: string[];
  /** Calls in the same reply after the first. */
  ignoredCalls: number;
  /** Id of the native call that was read, or null when the call was text or there was none. */
  nativeCallId: string | null;
  calledName: string | null;
};
type Options = { protocol: 'native' | 'xml'; tools: readonly ToolSpec[] };

/** The move of one reply. Never throws. */
export function readMove(reply: LlmReply, { protocol, tools }: Options): MoveReading {
  const names = createNames(tools);
  const [native] = reply.toolCalls;
  if (native !== undefined) return readNative(reply, names);
  const reading = readTextReply(reply, names, tools);
  const isCall = reading.calledName !== null;
  return protocol === 'native' && isCall
    ? { ...reading, repairs: ['text_in_native', ...reading.repairs] }
    : reading;
}

function readNative(reply: LlmReply, names: Names): MoveReading {
  const [call] = reply.toolCalls;
  const name = call?.name ?? '';
  const length = name.length + (call?.arguments.length ?? 0);
  const meant =
    length > REPLY_MAX
      ? { move: tooLong('call', length), repairs: [] }
      : moveOfCall(name, call?.arguments ?? '', names);
  // Native arguments are a string by rule; that alone is no repair.
  const repairs = meant.repairs.filter(
    (repair, i) => !(repair === 'string_arguments' && i === meant.repairs.indexOf(repair)),
  );
  const isMeta = names.find(name)?.name === CALL_TOOL;
  return {
    move: cutNotice(meant.move, reply),
    repairs: isMeta ? ['call_tool_meta', ...repairs] : repairs,
    ignoredCalls: reply.toolCalls.length - 1,
    nativeCallId: call?.id ?? null,
    calledName: name === '' ? null : name,
  };
}

const tooLong = (what: 'call' | 'reply', length: number): Move =>
  malformed(
    'too_long',
    `The ${what} has ${length.toLocaleString('en')} characters; at most ${REPLY_MAX.toLocaleString('en')} are read. Make a shorter one.`,
  );

/** Says that the output limit was the cause, where it was. */
const cutNotice = (move: Move, { stopReason }: LlmReply): Move =>
  move.type === 'malformed' && stopReason === 'length'
    ? malformed('truncated_call', `Your reply was cut off at the output limit. ${move.detail}`)
    : move;

function readTextReply(reply: LlmReply, names: Names, tools: readonly ToolSpec[]): MoveReading {
  const { text, hadThinking, isUnclosed } = withoutThinking(reply.content);
  const isCut = reply.stopReason === 'length';
  const mended = hadThinking ? ['thinking_removed'] : [];
  if (text === '') return notACall(noMove(isUnclosed, hadThinking, isCut), mended);
  if (text.length > REPLY_MAX) return notACall(tooLong('reply', text.length), mended);
  const tagged = taggedBlocks(text, isCut, tools);
  const lone =
    tagged.length > 0
      ? null
      : (unopenedBlock(text) ?? foreignBlock(text, tools) ?? untaggedCall(text, names));
  const blocks = lone === null ? tagged : [lone];
  if (blocks.length > 0) return readBlocks(blocks, names, reply, mended);
  if (mentionsTag(text)) {
    return notACall(
      malformed('no_call_in_tag', 'The reply mentions a tool call but holds none that can be read.'),
      mended,
    );
  }
  if (hidesCall(text, names)) {
    return notACall(
      malformed('untagged_call', 'The reply holds a tool call among other text, outside of any tag.'),
      mended,
    );
  }
  // What came before thinking that never ended was no answer yet.
  if (isUnclosed) return notACall(noMove(isUnclosed, hadThinking, isCut), mended);
  if (isCut) {
    return notACall(
      malformed('truncated_reply', 'The reply was cut off at the output limit before it was finished.'),
      mended,
    );
  }
  return notACall({ type: 'final', text }, []);
}

function noMove(isUnclosed: boolean, hadThinking: boolean, isCut: boolean): Move {
  if (isUnclosed) {
    return isCut
      ? malformed('truncated_reply', 'The reply was cut off at the output limit while thinking.')
      : malformed('unclosed_thinking', 'The reply is all thinking: the thinking tag is never closed.');
  }
  return malformed('empty_reply', hadThinking ? 'The reply holds only thinking.' : 'The reply is empty.');
}

const notACall = (move: Move, repairs: string[]): MoveReading => ({
  move,
  repairs,
  ignoredCalls: 0,
  nativeCallId: null,
  calledName: null,
});

/** A value without any tag is a call only when the name it gives is one we know. */
function untaggedCall(text: string, names: Names): Block | null {
  const block = untaggedBlock(text);
  if (block === null || !('value' in block)) return null;
  const called = callInValue(listOf(block.value)?.[0] ?? block.value, names);
  return called !== null && names.find(called.name) !== null ? block : null;
}

function hidesCall(text: string, names: Names): boolean {
  for (const value of embeddedValues(text)) {
    const called = callInValue(value, names);
    if (called !== null && called.arguments !== undefined && names.find(called.name) !== null) return true;
  }
  return false;
}

function readBlocks(blocks: readonly Block[], names: Names, reply: LlmReply, mended: string[]): MoveReading {
  const [block] = blocks;
  const others = blocks.length - 1;
  if (block === undefined || !('value' in block)) {
    const code = block?.code ?? 'bad_json';
    const move = cutNotice(malformed(code, block?.problem ?? ''), reply);
    return { ...notACall(move, [...mended, ...(block?.repairs ?? [])]), ignoredCalls: others };
  }
  const list = listOf(block.value);
  const repairs = [...mended, ...block.repairs, ...(list === null ? [] : ['list_wrapped'])];
  const ignoredCalls = others + Math.max(0, (list?.length ?? 1) - 1);
  const called = callInValue(list === null ? block.value : list[0], names);
  if (called === null) {
    const move = malformed(
      'not_a_call',
      'The tag holds JSON, but no call: it needs a "name" and "arguments".',
    );
    return { ...notACall(move, repairs), ignoredCalls };
  }
  const meant = moveOfCall(called.name, called.arguments, names);
  return {
    move: cutNotice(meant.move, reply),
    repairs: [...new Set([...repairs, ...called.repairs, ...meant.repairs])],
    ignoredCalls,
    nativeCallId: null,
    calledName: called.name,
  };
}

// The move that a name and its arguments stand for.
type Meant = { move: Move; repairs: string[] };

/** The limit of calls wrapped in a call, and arguments in a string. */
const WRAPPED_DEPTH_MAX = 3;
const ASK_KEYS: ReadonlySet<string> = new Set(['task', 'available_tools', 'context', 'expert']);

const malformed = (code: string, detail: string): Move => ({ type: 'malformed', code, detail });

/** The move of one call. An unknown tool is a move like any other: the environment answers it. */
function moveOfCall(written: string, given: unknown, names: Names, depth = 0): Meant {
  const found = names.find(written);
  const name = found?.name ?? written.trim();
  const repairs = found?.isRepaired === true ? ['name_prefix'] : [];
  if (name === '') return { move: malformed('missing_name', 'The call names no tool.'), repairs };
  const mended = (meant: Meant): Meant => ({ move: meant.move, repairs: [...repairs, ...meant.repairs] });
  if (name === LIST_TOOLS) return { move: { type: 'list_tools' }, repairs };
  if (name === ASK_EXPERT) return mended(askExpertCall(given));
  if (name === CALL_TOOL) return mended(wrappedCall(given, names, depth));
  const read = argumentsObject(given);
  if ('problem' in read)
    return mended({
      move: malformed(read.code, `${read.problem} The call was to ${JSON.stringify(name)}.`),
      repairs: [],
    });
  return mended({
    move: { type: 'call_tool', tool_name: name, arguments: read.value },
    repairs: read.repairs,
  });
}

/** `call_tool` with the real name and arguments inside, at whatever depth models nest it. */
function wrappedCall(given: unknown, names: Names, depth: number): Meant {
  const read = argumentsObject(given);
  if ('problem' in read) return { move: malformed(read.code, read.problem), repairs: [] };
  const key = ['tool_name', 'name', 'tool'].find((k) => typeof own(read.value, k) === 'string');
  const toolName = key === undefined ? '' : read.value[key];
  if (
    key === undefined ||
    typeof toolName !== 'string' ||
    toolName.trim() === '' ||
    depth >= WRAPPED_DEPTH_MAX
  ) {
    return {
      move: malformed('missing_tool_name', '`call_tool` needs a `tool_name` and its `arguments`.'),
      repairs: read.repairs,
    };
  }
  const inner = argumentsField(read.value);
  const rest = Object.fromEntries(Object.entries(read.value).filter(([k]) => k !== key));
  const isFlat = inner === null && Object.keys(rest).length > 0;
  const meant = moveOfCall(toolName, inner === null ? rest : inner.value, names, depth + 1);
  const repairs = [
    ...read.repairs,
    ...(key === 'tool_name' ? [] : [`${key}_for_tool_name`]),
    ...(inner !== null && inner.key !== 'arguments' ? [`${inner.key}_key`] : []),
    ...(isFlat ? ['flat_arguments'] : []),
    ...(meant.move.type === 'call_tool' ? [] : ['virtual_through_call_tool']),
  ];
  return { move: meant.move, repairs: [...repairs, ...meant.repairs] };
}

function askExpertCall(given: unknown): Meant {
  const read = argumentsObject(given);
  if ('problem' in read) {
    // A bare question is one a person would understand; nothing else could be meant by it.
    if (typeof given === 'string' && given.trim() !== '') {
      return { move: askExpertMove({ context: given.trim() }), repairs: ['bare_question'] };
    }
    return { move: malformed(read.code, read.problem), repairs: [] };
  }
  const isOther = Object.keys(read.value).some((key) => !ASK_KEYS.has(key));
  return {
    move: askExpertMove(read.value),
    repairs: isOther ? [...read.repairs, 'other_ask_arguments'] : read.repairs,
  };
}

const askExpertMove = (given: JsonObject): Move => ({
  type: 'ask_expert',
  task: textArgument(own(given, 'task')),
  available_tools: textArgument(own(given, 'available_tools')),
  context: textArgument(own(given, 'context') ?? own(given, 'question') ?? own(given, 'query')),
  arguments: given,
});

function textArgument(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value === 'string') return value;
  const isNames = Array.isArray(value) && value.every((item) => typeof item === 'string');
  return isNames ? value.join(', ') : JSON.stringify(value);
}

type ArgumentsRead = { value: JsonObject; repairs: string[] } | { problem: string; code: string };

/** Arguments as an object: nothing is `{}`, a string is read as JSON, also inside another string. */
function argumentsObject(given: unknown): ArgumentsRead {
  const repairs: string[] = [];
  let value = given;
  for (let depth = 0; typeof value === 'string'; depth += 1) {
    const text = value.trim();
    if (text === '') return { value: {}, repairs };
    const read = readWholeJson(text);
    if (!read.ok) {
      const near = text.slice(Math.max(0, read.at - 20), read.at + 20);
      return {
        code: 'bad_arguments',
        problem: `The arguments are not valid JSON: ${read.problem} (near ${JSON.stringify(near)}).`,
      };
    }
    if (depth >= WRAPPED_DEPTH_MAX) break;
    repairs.push(depth === 0 ? 'string_arguments' : 'nested_string_arguments', ...read.repairs);
    value = read.value;
  }
  if (value === undefined || value === null) return { value: {}, repairs };
  if (Array.isArray(value) && value.length === 0)
    return { value: {}, repairs: [...repairs, 'empty_list_arguments'] };
  const fields = callFields(value);
  if (fields !== null) return { value: fields as JsonObject, repairs };
  return { code: 'arguments_not_object', problem: 'The arguments must be one JSON object.' };
}
