// A person's move as it is written: a call, a look at the tools, or the final answer. Pure.
import { z } from 'zod';
import type { HumanMove } from '../../../shared/contract/stepIns.ts';
import type { ToolSpec } from '../../../shared/events/lifecycle.ts';
import type { FailureShape } from '../../../shared/failure.ts';
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

/** True if a draft is a call whose only fault is that it does not fit the tool's schema. */
export const canSendUnchecked = (draft: MoveDraft, tools: readonly ToolSpec[]): boolean =>
  draft.type === 'call_tool' && moveFromDraft(draft, tools, true).move !== null;

/**
 * The failure of the draft that was tried, as far as it still holds: what has been put right since is not said any
 * more, and faults of arguments stand beside the arguments.
 */
export function failureNow(
  failure: FailureShape | null,
  tried: MoveDraft | null,
  draft: MoveDraft,
  tools: readonly ToolSpec[],
): FailureShape | null {
  if (failure === null) return null;
  const { problem } = moveFromDraft(draft, tools, false);
  const isUnchanged = JSON.stringify(tried) === JSON.stringify(draft);
  if (isUnchanged && failure.message !== problem) return failure;
  if (problem === null) return null;
  if (draft.type !== 'call_tool' || draft.written.tool === '' || notChosen(draft.written) !== null)
    return { ...failure, code: 'bad_input', message: problem, next: null };
  return canSendUnchecked(draft, tools)
    ? { ...failure, ...BAD_INPUT, message: 'The arguments do not fit the tool’s schema.' }
    : { ...failure, ...BAD_INPUT, message: 'The arguments are not a JSON object.' };
}

const BAD_INPUT = { code: 'bad_input', next: 'What is wrong stands at the arguments.' } as const;

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
