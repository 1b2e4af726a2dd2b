// A person's move as it is written: a call, a look at the tools, or the final answer. Pure.
import { z } from 'zod';
import type { HumanMove } from '../../../shared/contract/stepIns.ts';
import type { ToolSpec } from '../../../shared/events/lifecycle.ts';
import { wrongText } from '../../../shared/schema/checkValue.ts';
import { writtenArguments, notChosen, writtenWrongs, WrittenCall } from './writtenCall.ts';

export const MoveDraft = z.strictObject({
  type: z.enum(['call_tool', 'list_tools', 'final']),
  written: WrittenCall,
  say: z.string(),
  final: z.string(),
});
export type MoveDraft = z.infer<typeof MoveDraft>;

export const emptyMove = (tools: readonly ToolSpec[]): MoveDraft => ({
  type: 'call_tool',
  written: { tool: tools[0]?.name ?? '', args: {}, raw: null, sought: '' },
  say: '',
  final: '',
});

/** The move a draft stands for, or what keeps it from being one. Unchecked, only what cannot be sent at all does. */
export function moveFromDraft(
  { type, written, final }: MoveDraft,
  tools: readonly ToolSpec[],
  isUnchecked: boolean,
): { move: HumanMove | null; problem: string | null } {
  if (type === 'list_tools') return { move: { type }, problem: null };
  if (type === 'final') {
    const text = final.trim();
    return text === ''
      ? { move: null, problem: 'Write the final answer.' }
      : { move: { type, text }, problem: null };
  }
  const { args, fault } = writtenArguments(written);
  if (written.tool === '') return { move: null, problem: 'Choose a tool.' };
  if (args === null) return { move: null, problem: fault };
  const sought = notChosen(written);
  if (sought !== null) return { move: null, problem: sought };
  const wrongs = isUnchecked ? [] : writtenWrongs(written, tools);
  if (wrongs.length > 0) return { move: null, problem: wrongText(wrongs) };
  return { move: { type, tool_name: written.tool, arguments: args }, problem: null };
}
