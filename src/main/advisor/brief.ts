// Owns: what the advisor is shown of a consultation, in words. Nothing gets in that is not an argument.
import type { Attempt } from '../../shared/contract/rows.ts';
import type { ToolSpec } from '../../shared/events/lifecycle.ts';
import type { ChatMessage } from '../llm/port.ts';
import { toolLines } from '../llm/toolText.ts';
import { fillPrompt, type Prompts } from '../settings/prompts.ts';

export type DraftRequest = {
  scenario: string | null;
  taskIdx: number | null;
  task: string;
  question: string | null;
  askedTask: string | null;
  tools: ToolSpec[];
  attempts: Attempt[];
  /** What a person asked the draft to take into account. */
  hint: string | null;
};

/** System prompt and brief. `criteria` is null for an advisor that must not know them. */
export function briefMessages(
  prompts: Prompts,
  request: DraftRequest,
  criteria: string | null,
): ChatMessage[] {
  const brief = fillPrompt(prompts.advisorBrief, {
    task: request.task,
    criteria: criteria === null ? '' : fillPrompt(prompts.advisorCriteria, { criteria }),
    tools: request.tools.length === 0 ? 'None are known.' : toolLines(request.tools),
    attempts: attemptText(request.attempts),
    question: questionText(request),
    hint: request.hint === null ? '' : fillPrompt(prompts.advisorHint, { hint: request.hint }),
  });
  return [
    { role: 'system', content: fillPrompt(prompts.advisorSystem, {}) },
    { role: 'user', content: brief.trim() },
  ];
}

const attemptText = (attempts: readonly Attempt[]): string =>
  attempts.length === 0
    ? 'None yet.'
    : attempts
        .map(({ turn, tool_name, arguments: args, error }) => {
          const outcome = error === null ? 'succeeded' : `failed: ${error}`;
          return `- turn ${String(turn)}: ${tool_name} ${args} ${outcome}`;
        })
        .join('\n');

function questionText({ question, askedTask }: DraftRequest): string {
  const asked = [askedTask, question].filter((text) => text !== null && text.trim() !== '');
  return asked.length === 0 ? 'It asked for advice without saying more.' : asked.join('\n\n');
}
