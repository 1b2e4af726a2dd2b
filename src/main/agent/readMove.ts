// Reading what a reply asks for, in the shapes real models write it. What cannot be read is `malformed`, never a
// silent final answer; what was mended on the way is recorded.
import type { ToolSpec } from '../../shared/events/lifecycle.ts';
import type { Move } from '../../shared/events/turns.ts';
import { REPLY_MAX, type LlmReply } from '../llm/port.ts';
import { withoutThinking } from '../llm/thinking.ts';
import { type Block, taggedBlocks } from './callBlocks.ts';
import { callInValue, listOf } from './callShape.ts';
import { embeddedValues, foreignBlock, mentionsTag, unopenedBlock, untaggedBlock } from './looseBlocks.ts';
import { malformed, moveOfCall } from './moveOf.ts';
import { CALL_TOOL, createNames, type Names } from './toolNames.ts';

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
