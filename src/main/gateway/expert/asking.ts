// A client's question as a consultation: in its tapped episode, or in an episode of its own; and its delivery. Must
// not know: which door it came through, or how an answer is put into a response.
import { serverSpec } from '../../../shared/environmentKinds.ts';
import { findConsultation } from '../../../shared/episode/consultations.ts';
import { endedWithoutVerdict } from '../../../shared/episode/phase.ts';
import type { Consultation } from '../../../shared/episode/record.ts';
import { type Privilege, SYSTEM } from '../../../shared/events/actor.ts';
import type { CoveredSpan, Link, Purpose, RejoinedBy } from '../../../shared/events/consultations.ts';
import { ADMIT_EVERYTHING, type Fallback, type TrainerRef } from '../../../shared/events/lifecycle.ts';
import type { EventOf } from '../../../shared/events/vocabulary.ts';
import { LARGE, sizeOf } from '../../../shared/redact/ahead.ts';
import { NO_ADVICE } from '../../../shared/wire.ts';
import type { Consult, ConsultAdvice } from '../../episode/consult.ts';
import type { EventLog } from '../../log/eventLog.ts';
import { fillPrompt, type Prompts } from '../../settings/prompts.ts';
import { type LinkedEpisode, NOT_HERE } from '../link/link.ts';
import { callId } from '../tap/frameEvents.ts';
import { coverQuestion, wordsOf } from './coverRequest.ts';
import type { QuestionIdentity } from './rejoin.ts';

export type ClientQuestion = {
  via: 'chat_completions' | 'mcp';
  linked: LinkedEpisode;
  trainer: TrainerRef | null;
  task: string | null;
  question: string;
  availableTools: string | null;
  /** The client's request as it is kept, criteria covered. */
  request: string;
  covered: CoveredSpan[];
  /** So many characters of the answer the client takes, where it said so. */
  limitChars?: number;
  privilege: Privilege;
  purpose: Purpose;
  answeredBy: 'human' | 'model';
  /** Whom the client asks for by name; null for whoever fits. */
  expert: string | null;
  /** Where it was covered ahead: the episode, and what of it. */
  ahead?: { episode: string; words: ReturnType<typeof wordsOf> };
  identity: QuestionIdentity;
  deadline_ms: number;
  fallback: Fallback;
};

export type DeliveredAdvice = { as: ConsultAdvice['as']; text: string; full_length: number };

export type OpenQuestion = {
  episode: string;
  consultation: string;
  link: Link | null;
  purpose: Purpose;
  advice: Promise<ConsultAdvice>;
  /** Whether a client had got the answer when this was opened. */
  isDelivered: boolean;
  /** Commits that its client is there again, while its episode plays. False where nobody can come back to it any more. */
  rejoin(by: RejoinedBy): boolean;
  /** Commits that the client got it, and ends an episode that was the question's own. */
  deliver(given: DeliveredAdvice, privilege: Privilege): void;
  /** Ends an episode of its own without a delivery. */
  abandon(reason: string): void;
};

export type Asking = {
  /** Enters a question that is large once it is covered on another thread; any other at once. */
  enter<T>(question: ClientQuestion, enter: (question: ClientQuestion) => T): T | Promise<T>;
  open(question: ClientQuestion, signal: AbortSignal): OpenQuestion;
  /** Goes on with one that a process before this had asked. */
  reopen(episode: string, consultation: string, signal: AbortSignal): OpenQuestion;
};

type AskingDependencies = {
  log: EventLog;
  consult: Pick<Consult, 'ask' | 'resume'>;
  newId: () => string;
  clock: () => number;
};

/** `open` appends at once and throws what the log throws: nobody is asked what could not be recorded. */
export function createAsking(parts: AskingDependencies): Asking {
  const { log, consult, newId, clock } = parts;
  return {
    enter: (question, enter) => {
      const words = wordsOf(question);
      return sizeOf(words) <= LARGE ? enter(question) : enterAhead(parts, question, words, enter);
    },
    open: (given, signal) => {
      const isOwn = given.linked.episode === null;
      const episode = given.linked.episode ?? given.ahead?.episode ?? newId();
      const question = coverQuestion(given, log.cover(episode), given.ahead?.words);
      if (isOwn) log.append(episode, SYSTEM, questionStarted(question));
      const consultation = `${episode}:c${String(log.record(episode).consultations.length + 1)}`;
      const place = questionTurn(log, question);
      const asked = askedEvent(
        question,
        { consultation, turn: place.turn, call: place.move?.call ?? null },
        clock(),
      );
      const gate = { ...gateOf(log, episode), wanted: question.expert };
      const advice = consult.ask(episode, asked, gate, signal, place.move);
      return follow(log, { episode, consultation, purpose: question.purpose, advice });
    },
    reopen: (episode, consultation, signal) => {
      const purpose = findConsultation(log.record(episode), consultation)?.purpose ?? 'advice';
      const advice = consult.resume(episode, consultation, gateOf(log, episode), signal);
      return follow(log, { episode, consultation, purpose, advice });
    },
  };
}

async function enterAhead<T>(
  { log, newId }: AskingDependencies,
  question: ClientQuestion,
  words: ReturnType<typeof wordsOf>,
  enter: (question: ClientQuestion) => T,
): Promise<T> {
  const ahead = { episode: question.linked.episode ?? newId(), words };
  await log.cover(ahead.episode).ahead([ahead.words]);
  // Nothing is added to an episode that ended meanwhile.
  if (log.record(ahead.episode).ended !== null) return enter({ ...question, linked: NOT_HERE });
  try {
    return enter({ ...question, ahead });
  } finally {
    // It was asked before, and goes on where it was.
    if (log.record(ahead.episode).started === null) log.cover(ahead.episode, null);
  }
}

const gateOf = (log: EventLog, episode: string) => ({
  admission: log.record(episode).started?.admission ?? ADMIT_EVERYTHING,
  seed: episode,
});

/** A question as its client may use it. Once it outlives its episode nothing more is written. */
function follow(
  log: EventLog,
  asked: Pick<OpenQuestion, 'episode' | 'consultation' | 'purpose' | 'advice'>,
): OpenQuestion {
  const { episode, consultation, advice } = asked;
  const isOwn = log.record(episode).started?.source === 'ask';
  const found = (): Consultation | undefined => findConsultation(log.record(episode), consultation);
  // Whoever waits hears of it; a client that is gone does not.
  advice.catch(() => undefined);
  return {
    ...asked,
    link: found()?.link ?? null,
    isDelivered: (found()?.delivered ?? null) !== null,
    rejoin: (by) => {
      if (found()?.delivered !== null) return false;
      if (log.record(episode).ended === null)
        log.append(episode, SYSTEM, { kind: 'consultation.rejoined', consultation, by });
      return true;
    },
    deliver: (given, privilege) => {
      if (log.record(episode).ended !== null || found()?.delivered !== null) return;
      log.append(episode, SYSTEM, deliveredEvent(consultation, given, privilege));
      if (isOwn) log.append(episode, SYSTEM, endedWithoutVerdict('done', null));
    },
    abandon: (reason) => {
      if (isOwn && log.record(episode).ended === null)
        log.append(episode, SYSTEM, endedWithoutVerdict('stopped', reason));
    },
  };
}

/**
 * An agent's ask is a turn of its own after the last one, as in our own loop, so that what it tried before counts as
 * tried. A client that wants to know what a verifier checks makes no turn of its agent.
 */
function questionTurn(
  log: EventLog,
  { linked: { episode }, purpose }: ClientQuestion,
): { turn: number; move: EventOf<'move.proposed'> | null } {
  const turns = episode === null ? [] : log.record(episode).turns;
  const last = turns.reduce((most, { turn }) => Math.max(most, turn), 0);
  if (episode === null || purpose === 'analysis') return { turn: last, move: null };
  const turn = last + 1;
  const move = {
    kind: 'move.proposed' as const,
    turn,
    call: callId(turn),
    // Its words stand in the question.
    move: { type: 'ask_expert' as const, task: null, available_tools: null, context: null, arguments: {} },
    repairs: [],
    ignored_calls: 0,
  };
  return { turn, move };
}

const questionStarted = ({
  trainer,
  answeredBy,
  deadline_ms,
  fallback,
}: ClientQuestion): EventOf<'episode.started'> => ({
  kind: 'episode.started',
  environment: serverSpec('client', 'A client’s own environment', ''),
  scenario: null,
  task_idx: null,
  condition: answeredBy === 'model' ? 'model' : 'human+draft',
  agent: { policy: 'foreign', protocol: null, model: null },
  limits: null,
  deadline_ms,
  fallback,
  seed: null,
  repeat: 0,
  group: null,
  prompt_sha256: null,
  source: 'ask',
  trainer,
});

const askedEvent = (
  question: ClientQuestion,
  { consultation, turn, call }: { consultation: string; turn: number; call: string | null },
  now: number,
): EventOf<'consultation.asked'> => ({
  kind: 'consultation.asked',
  consultation,
  turn,
  call,
  // What a verifier checks is asked before the agent's first turn, and not by the agent.
  trigger: question.purpose === 'analysis' ? 'brief' : 'agent_call',
  task: question.task,
  available_tools: question.availableTools,
  question: question.question,
  answered_by: question.answeredBy,
  deadline_at: now + question.deadline_ms,
  fallback: question.fallback,
  via: question.via,
  request: question.request,
  link: question.linked.link,
  covered: question.covered,
  ...(question.limitChars === undefined ? {} : { limit_chars: question.limitChars }),
  client: {
    request_sha256: question.identity.request,
    idempotency_sha256: question.identity.idempotency,
  },
  privilege: question.privilege,
  purpose: question.purpose,
});

const deliveredEvent = (
  consultation: string,
  { as, text, full_length }: DeliveredAdvice,
  privilege: Privilege,
): EventOf<'advice.delivered'> => ({
  kind: 'advice.delivered',
  consultation,
  as,
  text,
  full_length,
  delivered_length: text.length,
  privilege,
  to: 'client',
});

/** A log that cannot be written must not keep from a client what a person has answered. */
export function withoutHarm(report: (thrown: unknown) => void, run: () => void): void {
  try {
    run();
  } catch (thrown) {
    report(thrown);
  }
}

/** The expert the question went to and why, for a client that reads it; nothing where there is no roster. */
export const routedTo = ({ routed = null }: Pick<ConsultAdvice, 'routed'>): Record<string, unknown> =>
  routed === null ? {} : { routed: { expert: routed.expert, by: routed.by, reason: routed.reason } };

/** The advisor alone was asked, and no model is set for it: who reads this sets it up. */
const NO_ADVISOR = `${NO_ADVICE} no model is set for the advisor. Set one in Interject under Setup, Models, or with --expert-model. Go on with what you know, or finish with your final answer.`;

/** The words of an outcome. The same texts that our own agents read. */
export function textForClient(
  prompts: Prompts,
  {
    as,
    text,
    isAdvisorUnset,
    isSetAside,
  }: Pick<ConsultAdvice, 'as' | 'text' | 'isAdvisorUnset' | 'isSetAside'>,
): string {
  switch (as) {
    case 'advice':
    case 'draft':
      return text;
    case 'declined':
      return fillPrompt(prompts.adviceDeclined, { reason: text });
    case 'timed_out':
      return fillPrompt(prompts.adviceTimedOut, {});
    case 'nobody':
      if (isSetAside === true) return `${NO_ADVICE} ${text}.`;
      return isAdvisorUnset === true ? NO_ADVISOR : fillPrompt(prompts.adviceNobody, {});
  }
}
