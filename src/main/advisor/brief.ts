// The advisor's brief on a consultation, in words. Nothing gets in that is not an argument.
import type { Attempt } from '../../shared/episode/rowShapes.ts';
import { fateWords } from '../../shared/episode/attempts.ts';
import { baselineText, BRIEF_WORDS } from '../../shared/episode/baseline.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import { textHead, type Text } from '../../shared/events/text.ts';
import type { ToolSpec } from '../../shared/events/lifecycle.ts';
import type { ChatMessage } from '../llm/port.ts';
import { toolLines } from '../llm/toolText.ts';
import type { ClientBrief } from './clientBrief.ts';
import { fillPrompt, type Prompts } from '../settings/prompts.ts';

export type DraftRequest = {
  episode: string;
  /** The earlier run a brief is to be written of; absent or null for a question. */
  baseline?: EpisodeRecord | null;
  loadText?: (text: Text) => string;
  task: string;
  question: string | null;
  askedTask: string | null;
  tools: ToolSpec[];
  attempts: Attempt[];
  /** What a person asked the draft to take into account. */
  hint: string | null;
  /** A client's own request, which the model reads in place of a brief; absent where the loop asked. */
  client?: ClientBrief | null;
  /** The model expert that drafts; absent or null where the advisor does. */
  expert?: { profile: string; prompt?: string | undefined } | null;
};

/** Messages for the author of a brief: the task, the tools and the earlier run. Criteria stay out. */
export function baselineMessages(
  prompts: Prompts,
  { task, tools, hint, loadText = textHead }: DraftRequest,
  baseline: EpisodeRecord,
): ChatMessage[] {
  const content = fillPrompt(prompts.advisorBaseline, {
    words: String(BRIEF_WORDS),
    task,
    tools: tools.length === 0 ? 'None are known.' : toolLines(tools),
    baseline: baselineText(baseline, loadText),
    hint: hint === null ? '' : fillPrompt(prompts.advisorHint, { hint }),
  });
  return [{ role: 'user', content: content.trim() }];
}

/** A client's messages as they came, its tools in words, and what a person wants from the draft. */
export function clientMessages(
  prompts: Prompts,
  { hint, expert }: DraftRequest,
  client: ClientBrief,
): ChatMessage[] {
  const extra = (content: string): ChatMessage => ({ role: 'system', content: content.trim() });
  const tools =
    client.tools.length === 0
      ? []
      : [extra(fillPrompt(prompts.advisorClientTools, { tools: toolLines(client.tools) }))];
  const wishes = hint === null ? [] : [extra(fillPrompt(prompts.advisorHint, { hint }))];
  const own = expert?.prompt === undefined ? [] : [extra(expert.prompt)];
  return [...own, ...tools, ...client.messages, ...wishes];
}

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
    { role: 'system', content: request.expert?.prompt ?? fillPrompt(prompts.advisorSystem, {}) },
    { role: 'user', content: brief.trim() },
  ];
}

const attemptText = (attempts: readonly Attempt[]): string =>
  attempts.length === 0
    ? 'None yet.'
    : attempts
        .map((attempt) => {
          const { turn, tool_name, arguments: args, by } = attempt;
          const who = by === 'human' ? ' (a person, in the agent’s place)' : '';
          return `- turn ${String(turn)}${who}: ${tool_name} ${args} ${fateWords(attempt)}`;
        })
        .join('\n');

function questionText({ question, askedTask }: DraftRequest): string {
  const asked = [askedTask, question].filter((text) => text !== null && text.trim() !== '');
  return asked.length === 0 ? 'It asked for advice without saying more.' : asked.join('\n\n');
}
