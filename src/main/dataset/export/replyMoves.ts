// What a reply calls, in its call list or written into its text.
import type { TranscriptLine } from './transcriptLine.ts';
import { parseArguments } from './replies.ts';

type CalledTool = { id: string | null; name: string; args: Record<string, unknown> };

/** Calls beside the text, or the one written into it. */
export function replyMoves({ calls, move }: TranscriptLine): CalledTool[] {
  if (calls.length > 0) return calls.map(({ id, name, raw }) => ({ id, name, args: parseArguments(raw) }));
  switch (move?.type) {
    case 'call_tool':
      return [{ id: null, name: move.tool_name, args: move.arguments }];
    case 'ask_expert':
      return [{ id: null, name: 'ask_expert', args: move.arguments }];
    case 'list_tools':
      return [{ id: null, name: 'list_tools', args: {} }];
    default:
      return [];
  }
}
