// One `ask_expert` of an MCP client, from its arguments to the words it gets.
import { z } from 'zod';
import { findConsultation } from '../../../shared/episode/consultations.ts';
import { NO_ADVICE } from '../../../shared/wire.ts';
import { notFollowedText } from '../../agent/namedExperts.ts';
import type { EventLog } from '../../log/eventLog.ts';
import { type ClientQuestion, routedTo, textForClient, withoutHarm } from '../expert/asking.ts';
import { requestDigest } from '../expert/body.ts';
import { COVER_CRITERIA, type CoveredRequest } from '../expert/coverRequest.ts';
import type { WaitingClient } from '../expert/rejoin.ts';
import type { DoorParts } from '../doors.ts';
import type { GatewayCaller } from '../gateway.ts';
import { claimOf, type EpisodeClaim } from '../link/link.ts';

type ToolResult = {
  content: { type: 'text'; text: string }[];
  structuredContent: Record<string, unknown>;
};
export type RunningAsk = {
  /** What the client gets; null when it is gone and nothing was delivered. */
  result: Promise<ToolResult | null>;
  /** In words, how far it is. */
  state(): string;
  leave(isFinal: boolean): void;
};

/** Asks. Throws what the log throws: nobody is asked what could not be recorded. */
export async function runAsk(
  parts: DoorParts,
  args: AskArguments,
  { headers, isRecorded, idempotency }: { headers: Headers; isRecorded: boolean; idempotency: string | null },
  { key, rollout, signal }: GatewayCaller,
): Promise<RunningAsk> {
  const claim = claimOf(headers, {}, rollout);
  const covering = { body: args, known: parts.known.of(key.id) };
  const kept = await parts.log.runLarge(COVER_CRITERIA, covering);
  const request = requestDigest(kept.digest, 'mcp', key.id, claim.episode ?? '');
  // A client of this protocol does not say that it sends again: without a key of its own it is another.
  const client = { request, idempotency, isRetry: false, isShared: false };
  const question = {
    ...toolQuestion(parts, kept, { claim, isRecorded }, key.id),
    identity: { request, idempotency },
  };
  const waiting = await parts.asking.enter(question, (known) =>
    parts.rejoin.enter(client, (stop) => parts.asking.open(known, stop)),
  );
  let isGone = false;
  return {
    result: waiting.answered
      .then(({ episode, consultation, link, advice }) => {
        if (isGone || signal.aborted) return null;
        const words = textForClient(parts.prompts, advice);
        const given = { as: advice.as, text: words, full_length: words.length };
        withoutHarm(parts.report, () => waiting.took(given, advice.privilege));
        return {
          content: [words, ...notFollowedText(parts.prompts, advice.routed ?? null)].map((text) => ({
            type: 'text' as const,
            text,
          })),
          structuredContent: { outcome: advice.as, episode, consultation, link, ...routedTo(advice) },
        };
      })
      .finally(() => waiting.leave(false)),
    state: () => stateOf(parts.log, waiting),
    leave: (isFinal) => {
      isGone = true;
      waiting.leave(isFinal);
    },
  };
}

function toolQuestion(
  { linker, settings }: DoorParts,
  { request, body, covered }: CoveredRequest,
  { claim, isRecorded }: { claim: EpisodeClaim; isRecorded: boolean },
  key: string,
): Omit<ClientQuestion, 'identity'> {
  const { question, context, task, tools, urgency, expert } = body as AskArguments;
  const { ask_deadline_ms, ask_fallback } = settings();
  const words = [
    ...(urgency === 'high' || urgency === 'low' ? [`Urgency: ${urgency}.`] : []),
    question,
    ...(context ? [`Context:\n${context}`] : []),
  ];
  return {
    via: 'mcp',
    linked: linker.find(claim, key, isRecorded),
    trainer: claim.trainer,
    task: task ?? null,
    question: words.join('\n\n'),
    availableTools: Array.isArray(tools) ? tools.join(', ') : (tools ?? null),
    request,
    covered,
    privilege: covered.length > 0 ? ['criteria'] : 'unknown',
    purpose: 'advice',
    answeredBy: 'human',
    expert: expert ?? null,
    deadline_ms: ask_deadline_ms,
    fallback: ask_fallback,
  };
}

function stateOf(log: EventLog, { episode, consultation }: WaitingClient): string {
  const asked = findConsultation(log.record(episode), consultation);
  if (asked?.claim !== null && asked?.claim !== undefined) return 'An expert is at your question.';
  return asked?.draft === null || asked === undefined
    ? 'Your question waits for an expert.'
    : 'A draft of the answer waits for an expert.';
}

// The two tools of the MCP door as clients read them, and what their arguments must be.
export const AskArguments = z.looseObject({
  question: z.string().min(1).max(200_000),
  context: z.string().max(1_000_000).nullish(),
  task: z.string().max(200_000).nullish(),
  tools: z.union([z.string(), z.array(z.string())]).nullish(),
  urgency: z.enum(['low', 'normal', 'high']).nullish(),
  expert: z.string().max(200).nullish(),
});
export type AskArguments = z.infer<typeof AskArguments>;

const textArgument = (description: string) => ({ type: 'string', description });

const TOOLS = [
  {
    name: 'ask_expert',
    title: 'Ask a human expert',
    description:
      'Puts a question before a human expert and waits for the answer, which may take minutes. Use it when you are ' +
      'stuck, after a try of your own: say what you tried and what went wrong. The answer is advice; when it begins ' +
      `with "${NO_ADVICE}", nobody answered, and you go on with what you know.`,
    inputSchema: {
      type: 'object',
      properties: {
        question: textArgument('What you want to know. One question at a time.'),
        context: textArgument('What you tried so far, with the exact errors.'),
        task: textArgument('The task you were given, word for word.'),
        tools: {
          description: 'Names of the tools you have.',
          anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'string' }],
        },
        urgency: {
          type: 'string',
          enum: ['low', 'normal', 'high'],
          description: 'Shown to the expert with the question.',
        },
      },
      required: ['question'],
    },
    annotations: { readOnlyHint: true, openWorldHint: true },
  },
  {
    name: 'expert_status',
    title: 'Is an expert there?',
    description:
      'Tells how many experts are on duty, how many questions wait, how long a question may wait, and what happens then.',
    inputSchema: { type: 'object', properties: {} },
    annotations: { readOnlyHint: true },
  },
] as const;

/** The tools as they are listed; whom a client may name is said where there is a choice. */
export function listedTools(who: { names: string[]; text: string } | null): readonly unknown[] {
  if (who === null) return TOOLS;
  const expert = { ...textArgument(who.text), enum: who.names };
  return TOOLS.map((tool) =>
    tool.name === 'ask_expert'
      ? {
          ...tool,
          inputSchema: { ...tool.inputSchema, properties: { ...tool.inputSchema.properties, expert } },
        }
      : tool,
  );
}
