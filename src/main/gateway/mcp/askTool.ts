// One `ask_expert` of an MCP client, from its arguments to the words it gets.
import type { GatewaySettings } from '../../../shared/contract/gateway.ts';
import { findConsultation } from '../../../shared/episode/consultations.ts';
import type { EventLog } from '../../log/eventLog.ts';
import type { Prompts } from '../../settings/prompts.ts';
import type { Asking, ClientQuestion } from '../expert/asking.ts';
import { requestDigest } from '../expert/body.ts';
import { COVER_CRITERIA, type CoveredRequest } from '../expert/coverRequest.ts';
import type { KnownCriteria } from '../expert/known.ts';
import type { Rejoin, WaitingClient } from '../expert/rejoin.ts';
import { notFollowedText } from '../../agent/namedExperts.ts';
import { routedTo, withoutHarm, textForClient } from '../expert/answerText.ts';
import type { GatewayCaller } from '../gateway.ts';
import { claimOf, type EpisodeClaim } from '../link/episodeClaim.ts';
import type { Linker } from '../link/link.ts';
import type { AskArguments } from './tools.ts';

export type AskToolParts = {
  log: EventLog;
  asking: Asking;
  rejoin: Rejoin;
  linker: Pick<Linker, 'find' | 'settle'>;
  known: KnownCriteria;
  prompts: Prompts;
  settings: () => GatewaySettings;
  report: (thrown: unknown) => void;
};

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
  parts: AskToolParts,
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
  { linker, settings }: AskToolParts,
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
