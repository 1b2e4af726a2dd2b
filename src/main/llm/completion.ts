// Reading a server's answer, whole or in chunks, into one reply; what is no answer is refused here.
import { z } from 'zod';
import type { NativeCall } from '../../shared/events/turns.ts';
import type { Failure } from '../../shared/failure.ts';
import type { ModelConfig } from '../../shared/modelConfig.ts';
import { modelAddress, modelFailure, modelIdentity } from './failures.ts';
import type { LlmReply } from './port.ts';
import { saidIn, withoutThinking } from './thinking.ts';

const OptionalText = z.string().nullish().catch(null);
const CallPart = z.looseObject({
  index: z.number().nullish().catch(null),
  id: OptionalText,
  function: z.looseObject({ name: OptionalText, arguments: z.unknown().optional() }).nullish(),
});
const ReasoningDetail = z.record(z.string(), z.unknown());
type ReasoningDetail = z.infer<typeof ReasoningDetail>;
const CompletionMessage = z.looseObject({
  content: z.unknown().optional(),
  reasoning_content: OptionalText,
  reasoning: OptionalText,
  reasoning_details: z.array(ReasoningDetail).nullish().catch(null),
  refusal: OptionalText,
  tool_calls: z.array(CallPart).nullish(),
  function_call: z.looseObject({ name: OptionalText, arguments: z.unknown().optional() }).nullish(),
});
const CompletionUsage = z
  .looseObject({
    prompt_tokens: z.number().nullish(),
    completion_tokens: z.number().nullish(),
    prompt_tokens_details: z.looseObject({ cached_tokens: z.number().nullish() }).nullish().catch(null),
    completion_tokens_details: z
      .looseObject({ reasoning_tokens: z.number().nullish() })
      .nullish()
      .catch(null),
  })
  .nullish()
  .catch(null);
const CompletionChoice = z.looseObject({
  message: CompletionMessage.nullish(),
  delta: CompletionMessage.nullish(),
  finish_reason: OptionalText,
});
/** A completion or a chunk of one: only what is read is checked. */
export const Completion = z.looseObject({
  model: OptionalText,
  choices: z.array(CompletionChoice),
  usage: CompletionUsage,
});
export type Completion = z.infer<typeof Completion>;
type CompletionMessage = z.infer<typeof CompletionMessage>;

type ReplyDraft = {
  content: string;
  reasoning: string;
  /** The field that the reasoning came in. */
  field: string | null;
  details: ReasoningDetail[];
  refusal: string;
  calls: { index: number | null; id: string; name: string; arguments: string }[];
  model: string | null;
  stopReason: string | null;
  usage: LlmReply['usage'];
};

export function createCollector(config: ModelConfig): { add(answer: Completion): void; reply(): LlmReply } {
  const draft: ReplyDraft = {
    content: '',
    reasoning: '',
    field: null,
    details: [],
    refusal: '',
    calls: [],
    model: null,
    stopReason: null,
    usage: null,
  };
  return {
    add: (answer) => addAnswer(draft, answer),
    reply: () => {
      const problem = problemWith(config, draft);
      if (problem !== null) throw problem;
      const { reasoning, calls, refusal: _refusal, field: _field, details: _details, ...said } = draft;
      const toolCalls = calls.map((call, i): NativeCall => ({
        id: call.id === '' ? `call_${String(i)}` : call.id,
        name: call.name,
        arguments: call.arguments,
      }));
      return {
        ...said,
        reasoning: reasoning === '' ? null : reasoning,
        toolCalls,
        ...thoughtOf(config, draft),
      };
    },
  };
}

/** The reasoning's field. Details hold what their text does, and more. */
function thoughtOf(config: ModelConfig, { content, field, details }: ReplyDraft): Partial<LlmReply> {
  const from = modelIdentity(config);
  if (details.length > 0)
    return { thought: { field: 'reasoning_details', from }, reasoningDetails: JSON.stringify(details) };
  const came = field ?? (saidIn(content) === content ? null : 'content');
  return came === null ? {} : { thought: { field: came, from } };
}

function addAnswer(draft: ReplyDraft, answer: Completion): void {
  draft.model ??= answer.model ?? null;
  if (answer.usage) {
    const { prompt_tokens: input, completion_tokens: output, ...details } = answer.usage;
    const cached = details.prompt_tokens_details?.cached_tokens ?? null;
    const thought = details.completion_tokens_details?.reasoning_tokens ?? null;
    draft.usage = {
      input_tokens: input ?? null,
      output_tokens: output ?? null,
      ...(cached === null ? {} : { cached_tokens: cached }),
      ...(thought === null ? {} : { reasoning_tokens: thought }),
    };
  }
  const choice = answer.choices[0];
  if (choice === undefined) return;
  draft.stopReason = choice.finish_reason ?? draft.stopReason;
  const said = choice.message ?? choice.delta;
  if (!said) return;
  draft.content += contentText(said.content);
  addReasoning(draft, said);
  draft.refusal += said.refusal ?? '';
  addCalls(draft, said);
}

function addReasoning(draft: ReplyDraft, said: CompletionMessage): void {
  const field = said.reasoning_content ? 'reasoning_content' : 'reasoning';
  const details = said.reasoning_details ?? [];
  if (said[field]) draft.field ??= field;
  draft.reasoning += said[field] || details.map(({ text, summary }) => asText(text ?? summary)).join('');
  for (const detail of details) addDetail(draft.details, detail);
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : '');
const GROWING: ReadonlySet<string> = new Set(['text', 'summary', 'data']);

/** A whole detail or a piece of the last one: its texts go on, all else is as it came last. */
function addDetail(details: ReasoningDetail[], piece: ReasoningDetail): void {
  const last = details.at(-1);
  if (last === undefined || last['type'] !== piece['type'] || last['index'] !== piece['index'])
    details.push({ ...piece });
  else
    for (const [name, value] of Object.entries(piece).filter(([, one]) => one !== null))
      last[name] = GROWING.has(name) ? asText(last[name]) + asText(value) : value;
}

/**
 * Adds whole calls or pieces of calls. A piece belongs to the call of its index; servers that number badly are told
 * apart by a new id, or by a name that comes after arguments.
 */
function addCalls(draft: ReplyDraft, said: CompletionMessage): void {
  const legacy = said.function_call ? [{ index: 0, id: null, function: said.function_call }] : [];
  for (const part of [...(said.tool_calls ?? []), ...legacy]) {
    const index = part.index ?? null;
    const id = part.id ?? '';
    const name = part.function?.name ?? '';
    const found =
      index === null
        ? id === '' && name === ''
          ? draft.calls.at(-1)
          : draft.calls.findLast((call) => id !== '' && call.id === id)
        : draft.calls.findLast((call) => call.index === index);
    const isOther =
      found === undefined ||
      (id !== '' && found.id !== '' && id !== found.id) ||
      (name !== '' && found.name !== '' && found.arguments !== '');
    const call = isOther ? { index, id, name: '', arguments: '' } : found;
    if (isOther) draft.calls.push(call);
    if (call.id === '') call.id = id;
    call.name += name;
    call.arguments += argumentsText(part.function?.arguments);
  }
}

const argumentsText = (value: unknown): string => {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
};

const ContentParts = z.array(z.looseObject({ text: z.string().optional() }));

/** Content as text; some servers send a list of parts. */
function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  return (ContentParts.safeParse(content).data ?? []).map((part) => part.text ?? '').join('');
}

/** The failure if this is no reply, else null. */
function problemWith(config: ModelConfig, draft: ReplyDraft): Failure | null {
  const where = `the model at ${modelAddress(config)}`;
  if (draft.stopReason === 'content_filter') {
    return modelFailure(config, 'model_refused', `${where} stopped its answer: its content filter objected`, {
      next: 'Change the task or the model; nothing of the answer was used.',
    });
  }
  if (draft.calls.length > 0 || withoutThinking(draft.content).text !== '') return null;
  if (draft.refusal !== '') {
    return modelFailure(config, 'model_refused', `${where} refused`, {
      detail: draft.refusal,
      next: 'Change the task or the model.',
    });
  }
  const thought = draft.reasoning !== '' || draft.content.trim() !== '';
  const only = thought ? ', only thinking' : '';
  if (draft.stopReason === 'length') {
    return modelFailure(
      config,
      'model_truncated',
      `${where} used up its output tokens before it said anything${only}`,
      { next: 'Allow the model more output tokens, or less reasoning.' },
    );
  }
  return modelFailure(config, 'model_empty', `${where} answered with nothing${only}`, {
    next: 'Try again, or choose another model.',
    trouble: { isPassing: true },
  });
}
