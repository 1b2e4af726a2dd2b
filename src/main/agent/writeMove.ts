// Writing a move the way an agent writes it, for turns that no model wrote.
import type { NativeCall } from '../../shared/events/turns.ts';
import type { LlmReply } from '../llm/port.ts';
import { ASK_EXPERT, CALL_TOOL, LIST_TOOLS } from './toolNames.ts';

type WrittenCall = { id: string; name: string; args: Record<string, unknown> };

/** A reply that says `say` and makes one call, or only says something. `readMove` reads it back. */
export function writeMove(say: string, call: WrittenCall | null, protocol: 'native' | 'xml'): LlmReply {
  const reply: LlmReply = {
    content: say,
    reasoning: null,
    toolCalls: [],
    model: null,
    stopReason: 'stop',
    usage: null,
  };
  if (call === null) return reply;
  if (protocol === 'native') {
    const native: NativeCall = { id: call.id, name: call.name, arguments: JSON.stringify(call.args) };
    return { ...reply, toolCalls: [native], stopReason: 'tool_calls' };
  }
  const isVirtual = call.name === ASK_EXPERT || call.name === LIST_TOOLS;
  const written = isVirtual
    ? { name: call.name, arguments: call.args }
    : { name: CALL_TOOL, arguments: { tool_name: call.name, arguments: call.args } };
  return { ...reply, content: `${say}\n<tool_call>\n${JSON.stringify(written)}\n</tool_call>`.trimStart() };
}
