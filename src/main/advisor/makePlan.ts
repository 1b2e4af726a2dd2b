// Turning a person's plain words into calls: by the advisor's model, or by rule where there is none. The words
// themselves are never changed; what is sent holds both.
import { escapeRegExp } from '../../shared/escapeRegExp.ts';
import type { ToolSpec } from '../../shared/events/lifecycle.ts';
import { Failure } from '../../shared/failure.ts';
import { parsePlan, type PlannedCall } from '../../shared/plan.ts';
import { truncate } from '../../shared/truncate.ts';
import type { Llm } from '../llm/port.ts';
import { type RetryEdges, sleepFor, withRetries } from '../llm/retry.ts';
import { withoutThinking } from '../llm/thinking.ts';
import { toolLines } from '../llm/toolText.ts';
import { fillPrompt, type Prompts } from '../settings/prompts.ts';

type PlanRequest = { task: string; question: string; words: string; tools: ToolSpec[] };
type MadePlan = { calls: PlannedCall[]; by: 'model' | 'rule'; unread: string[] };
export type MakePlan = (request: PlanRequest, signal: AbortSignal) => Promise<MadePlan>;

type MakePlanDependencies = {
  llm: () => Llm | null;
  prompts: Prompts;
  retry?: Pick<RetryEdges, 'sleep' | 'random'>;
};

/** Rejects with the model's failure; the words can be sent without a plan in any case. */
export const createMakePlan =
  ({ llm, prompts, retry = { sleep: sleepFor, random: Math.random } }: MakePlanDependencies): MakePlan =>
  async (request, signal) => {
    const model = llm();
    if (model === null) return { by: 'rule', ...readPlain(request.words, request.tools) };
    const content = fillPrompt(prompts.advisorPlan, {
      task: request.task,
      tools: toolLines(request.tools),
      question: request.question,
      words: request.words,
    });
    const asked = {
      messages: [{ role: 'user' as const, content }],
      tools: null,
      maxOutputTokens: null,
      temperature: null,
      seed: null,
    };
    const edges = { ...retry, failed: () => {} };
    const reply = await withRetries(() => model.complete(asked, signal), edges, signal);
    const plan = parsePlan(withoutThinking(reply.content).text);
    if (plan.form === 'none') {
      throw new Failure('model_bad_request', 'the model answered with something that is no plan', {
        next: 'Try again, or send your words as they are.',
      });
    }
    const known = new Set(request.tools.map(({ name }) => name));
    return { by: 'model', calls: plan.calls.filter(({ tool }) => known.has(tool)), unread: [] };
  };

// Reading calls out of plain words without a model: a line that names a tool is a call, with the values it names. It
// reads only what stands there; a value that cannot be placed is left out, never guessed.
type PlainReading = {
  calls: PlannedCall[];
  /** Lines that name no known tool. */
  unread: string[];
};

/** Calls in a text in the order they are said; one per line or sentence. How a long text goes on is not read. */
export function readPlain(text: string, tools: readonly ToolSpec[]): PlainReading {
  const calls: PlannedCall[] = [];
  const unread: string[] = [];
  const known = new Set(tools.map(({ name }) => name));
  const namedTool = createToolFinder(tools);
  for (const line of sentencesOf(truncate(text))) {
    const written = /[{(]/.test(line) ? parsePlan(line).calls.filter(({ tool }) => known.has(tool)) : [];
    const tool = written.length > 0 ? null : namedTool(line);
    if (written.length > 0) calls.push(...written);
    else if (tool === null) unread.push(line);
    else calls.push({ tool: tool.name, args: argumentsInLine(line, tool), purpose: line });
  }
  return { calls, unread };
}

/** Lines, and within them sentences; a point between digits or letters ends none. */
const sentencesOf = (text: string): string[] =>
  text
    .split(/\n+|(?<=[.;!?])\s+(?=[A-ZÀ-Þ])/)
    .map((line) => line.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, '').trim())
    .filter((line) => line !== '');

/** Names of more words than this are looked for nowhere. */
const NAME_WORDS_MAX = 16;

/** Finds the longest tool name that stands in a line, written as it is or with spaces. */
function createToolFinder(tools: readonly ToolSpec[]): (line: string) => ToolSpec | null {
  const byPhrase = new Map<string, ToolSpec & { order: number }>();
  let longest = 1;
  for (const [order, tool] of tools.entries())
    for (const phrase of [tool.name.toLowerCase(), withSpaces(tool.name)]) {
      const length = phrase.split(' ').length;
      const other = byPhrase.get(phrase);
      if (length > NAME_WORDS_MAX || (other !== undefined && other.name.length >= tool.name.length)) continue;
      byPhrase.set(phrase, { ...tool, order });
      longest = Math.max(longest, length);
    }
  return (line) => {
    const words = line.toLowerCase().match(/[a-z0-9_]+/g) ?? [];
    let found: (ToolSpec & { order: number }) | null = null;
    for (let at = 0; at < words.length; at += 1)
      for (let length = 1, phrase = ''; length <= longest && at + length <= words.length; length += 1) {
        phrase += `${length === 1 ? '' : ' '}${words[at + length - 1] ?? ''}`;
        const tool = byPhrase.get(phrase);
        if (tool === undefined) continue;
        const gain = tool.name.length - (found?.name.length ?? 0);
        if (gain > 0 || (gain === 0 && tool.order < (found?.order ?? 0))) found = tool;
      }
    return found;
  };
}

const withSpaces = (name: string): string => name.toLowerCase().replaceAll('_', ' ');

type ArgumentSchema = { type?: unknown; enum?: unknown };

function argumentsInLine(line: string, { name, input_schema: schema }: ToolSpec): Record<string, unknown> {
  const properties = (schema['properties'] ?? {}) as Record<string, ArgumentSchema>;
  const rest = line.replace(new RegExp(`${escapeRegExp(name)}|${escapeRegExp(withSpaces(name))}`, 'i'), ' ');
  const found = Object.entries(properties).flatMap(([argument, property]) => {
    const value = argumentValue(rest, argument, property);
    return value === undefined ? [] : [[argument, value] as const];
  });
  return Object.fromEntries(found);
}

/** The value said beside an argument's name (`workflow 103`, `status: paused`), or a listed value wherever it stands. */
function argumentValue(line: string, argument: string, { type, enum: options }: ArgumentSchema): unknown {
  if (Array.isArray(options)) {
    const said = options.filter((one) => typeof one === 'string' && hasWord(line, one));
    return said.length === 1 ? said[0] : undefined;
  }
  const label = argumentLabels(argument);
  const between = String.raw`\s*(?:(?:[:=#]|is|to|number|no\.)\s*)?`;
  if (type === 'integer' || type === 'number') {
    const match = new RegExp(String.raw`\b(?:${label})${between}(-?\d+(?:\.\d+)?)\b`, 'i').exec(line);
    return match?.[1] === undefined ? undefined : Number(match[1]);
  }
  if (type === 'string') {
    const match = new RegExp(String.raw`\b(?:${label})${between}["“'‘]([^"“”'‘’]+)["”'’]`, 'i').exec(line);
    return match?.[1];
  }
  return undefined;
}

/** `workflow_id` may be said as it is, as "workflow id", or as "workflow". */
const argumentLabels = (argument: string): string =>
  [argument, withSpaces(argument), withSpaces(argument).replace(/ id$/, '')].map(escapeRegExp).join('|');

const hasWord = (line: string, word: string): boolean =>
  new RegExp(String.raw`(?<![\w-])${escapeRegExp(word)}(?![\w-])`, 'i').test(line);
