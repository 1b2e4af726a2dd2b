// Writing a move the way an agent writes it, for turns that no model wrote.
import { taggedCalls } from '../../shared/events/turns.ts';
import type { LlmReply } from '../llm/port.ts';

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
  const written = { id: call.id, name: call.name, arguments: JSON.stringify(call.args) };
  return protocol === 'native'
    ? { ...reply, toolCalls: [written], stopReason: 'tool_calls' }
    : { ...reply, content: taggedCalls(say, [written]) };
}
