// One consultation straight through: asked, drafted while the question is already on screen, decided, and the exact
// text the agent gets. The waiter resolves from the log; a decision aborts the draft.
import { createHash } from 'node:crypto';
import { attemptsBefore } from '../../shared/episode/attempts.ts';
import { findConsultation } from '../../shared/episode/consultations.ts';
import type { Consultation, Decision } from '../../shared/episode/record.ts';
import {
  type Actor,
  AGENT,
  inheritPrivilege,
  type Privilege,
  seatActor,
  SYSTEM,
} from '../../shared/events/actor.ts';
import type { DeliveredAs, Hint } from '../../shared/events/consultations.ts';
import type { Admission } from '../../shared/events/lifecycle.ts';
import type { Text } from '../../shared/events/text.ts';
import type { EventOf, LogEvent } from '../../shared/events/vocabulary.ts';
import type { Routing } from '../../shared/experts/roster.ts';
import type { Answerers } from '../../shared/experts/route.ts';
import { Failure, failureShape } from '../../shared/failure.ts';
import type { Leak } from '../../shared/leak.ts';
import type { Advisor, DraftResult } from '../advisor/advisor.ts';
import { clientBrief } from '../advisor/clientBrief.ts';
import type { MeasureLeak } from '../advisor/leakMeter.ts';
import { admit, type Load } from '../desk/admission.ts';
import type { Desk } from '../desk/desk.ts';
import type { EventLog } from '../log/eventLog.ts';
import { drafterOf, openLater, type QuestionRouting, routeOf } from './routing.ts';

export type Consult = {
  /**
   * Asks, waits, and says what came of it. `move` is the turn that asks, where the log does not have it yet; it is
   * committed together with the question.
   */
  ask(
    episode: string,
    asked: EventOf<'consultation.asked'>,
    gate: Gate,
    signal: AbortSignal,
    move?: EventOf<'move.proposed'> | null,
  ): Promise<ConsultAdvice>;
  /**
   * The rest of a consultation that was asked before the program was killed: an answer given since is found, what is
   * open stays open, and what was not drafted yet is drafted.
   */
  resume(episode: string, consultation: string, gate: Gate, signal: AbortSignal): Promise<ConsultAdvice>;
  /**
   * Asks the advisor again, with words on what to take into account. Resolves with the new draft's id. What the person
   * had seen of the answer may be in their words: the draft inherits it.
   */
  redraft(episode: string, consultation: string, hint: Hint): Promise<string>;
};
/** Decides if a person gets the ask. `seed` makes the draw repeatable; `wanted`: the name that the agent asked for. */
type Gate = {
  admission: Admission;
  seed: string;
  wanted?: string | null;
  /** Nobody answers: nothing is drafted, and no person is asked. */
  isUnanswered?: boolean;
};
/** `isAgain`: the question was asked before the program was killed. */
type AskedGate = Gate & { isAgain?: boolean };
type Attendance = {
  isAttended: (episode: string) => boolean;
  /** Resolves once an expert may be back who was there when the program last ended; null where none is waited for. */
  returning?: () => Promise<void> | null;
  load: () => Load;
};
type ConsultDependencies = {
  log: EventLog;
  advisor: Advisor;
  desk: Desk;
  attendance: Attendance;
  newId: () => string;
  /** How much of a draft its agent could not know. */
  measureLeak?: MeasureLeak;
  /** Absent where there is never a roster. */
  routing?: QuestionRouting;
};

export const createConsult = (parts: ConsultDependencies): Consult => ({
  ask: (episode, question, gate, signal, move = null) => {
    const isUnanswered = gate.isUnanswered === true;
    const asked = isUnanswered ? question : routed(parts, episode, question, gate.wanted ?? null);
    const events = move === null ? [asked] : [move, asked];
    parts.log.appendAll(
      episode,
      // Nobody asks for a brief: it comes before the agent's first turn.
      events.map((event) => ({ actor: asked.trigger === 'brief' ? SYSTEM : AGENT, event })),
    );
    if (isUnanswered) parts.desk.expire(episode, asked.consultation, 'nobody');
    return settle(parts, episode, asked, gate, signal);
  },
  resume: (episode, consultation, gate, signal) => {
    const asked = parts.log
      .read(episode)
      .flatMap(({ event }) =>
        event.kind === 'consultation.asked' && event.consultation === consultation ? [event] : [],
      )[0];
    if (asked === undefined)
      throw new Failure('not_found', `episode ${episode} has no question ${consultation}`);
    if (gate.isUnanswered === true) parts.desk.expire(episode, consultation, 'nobody');
    return settle(parts, episode, asked, { ...gate, isAgain: true }, signal);
  },
  redraft: async (episode, consultation, hint) => {
    const { log } = parts;
    if (findConsultation(log.record(episode), consultation)?.decision !== null) {
      throw new Failure('already_answered', 'this question is over; there is nothing to draft for');
    }
    const id = await draft(parts, episode, consultation, new AbortController().signal, hint);
    const now = findConsultation(log.record(episode), consultation);
    const failure = now?.draftFailure ?? null;
    if (failure === null && now?.drafts.some((one) => one.id === id)) return id;
    if (failure === null) {
      throw new Failure('already_answered', 'the question was closed before the other draft came', {
        next: 'The draft was dropped; look at the timeline for what closed the question.',
      });
    }
    throw new Failure('model_unavailable', `no other draft: ${failure.message}`, {
      next: 'The draft that was there is kept.',
    });
  },
});

/** The question with the expert it goes to, where there is a roster. */
function routed(
  { log, routing }: ConsultDependencies,
  episode: string,
  asked: EventOf<'consultation.asked'>,
  wanted: string | null,
): EventOf<'consultation.asked'> {
  if (routing === undefined) return asked;
  const isDrafted = wantsDraft(log, episode, asked);
  const answerers: Answerers =
    asked.answered_by === 'model' ? 'model' : isDrafted ? 'people_and_draft' : 'people';
  const route = routeOf(routing, log.record(episode), asked, { answerers, wanted });
  return route === null ? asked : { ...asked, routed: route };
}

/** The rest of a consultation whose question is in the log. */
async function settle(
  parts: ConsultDependencies,
  episode: string,
  asked: EventOf<'consultation.asked'>,
  gate: AskedGate,
  signal: AbortSignal,
): Promise<ConsultAdvice> {
  const { log, desk } = parts;
  const id = asked.consultation;
  if (gate.isUnanswered === true) return { as: 'nobody', text: '', privilege: [] };
  const closed = admitTo(parts, episode, asked, gate);
  const answered = new AbortController();
  const broken = new AbortController();
  const giveUp = (thrown: unknown): void => broken.abort(thrown);
  const unwatch =
    parts.routing === undefined ? () => undefined : openLater((wait) => desk.arm(wait), log, episode, asked);
  const isByModel = asked.answered_by === 'model';
  const drafting =
    wantsDraft(log, episode, asked) && isUndrafted(log, episode, id)
      ? draft(parts, episode, id, AbortSignal.any([answered.signal, signal]), null).then(
          () => undefined,
          // A person can answer without the draft that a full disk did not take; a model cannot.
          (thrown: unknown) =>
            thrown instanceof Failure && thrown.code === 'data_unwritable' && !isByModel
              ? undefined
              : giveUp(thrown),
        )
      : Promise.resolve();
  if (isByModel) drafting.then(() => settleByModel(parts, episode, id)).catch(giveUp);
  if (closed !== null) closeUnanswered(parts, episode, id, closed, drafting).catch(giveUp);
  const over = AbortSignal.any([signal, broken.signal]);
  const decision = await desk.waitForDecision(episode, id, over).finally(() => {
    unwatch();
    answered.abort();
  });
  broken.signal.throwIfAborted();
  await drafting;
  const consultation = findConsultation(log.record(episode), id) ?? null;
  const route = { routed: asked.routed ?? null };
  if (decision.type === 'declined') {
    return {
      ...route,
      as: 'declined',
      text: log.cover(episode).reveal(decision.reason),
      privilege: declinePrivilege(parts, episode, consultation, decision.actor),
    };
  }
  return { ...route, ...log.cover(episode).reveal(adviceOf(decision, consultation, log)) };
}

/** Commits that no person answers, once the draft is there; where experts are on their way back, not before they had time. */
async function closeUnanswered(
  { desk, attendance }: ConsultDependencies,
  episode: string,
  id: string,
  why: 'nobody' | 'not_admitted',
  drafting: Promise<void>,
): Promise<void> {
  if (why === 'nobody') {
    for (
      let back = attendance.returning?.() ?? null;
      back !== null;
      back = attendance.returning?.() ?? null
    ) {
      await back;
      if (attendance.isAttended(episode)) return;
    }
  }
  await drafting;
  desk.expire(episode, id, why);
}

/** Neither answered nor drafted for, and no draft has failed. */
function isUndrafted(log: EventLog, episode: string, id: string): boolean {
  const found = findConsultation(log.record(episode), id);
  return found?.decision === null && found.draft === null && found.draftFailure === null;
}

/** The reason for no answer, or null when a person may. Waiting without end needs nobody there yet. */
function admitTo(
  { log, attendance }: ConsultDependencies,
  episode: string,
  { consultation, answered_by, fallback, deadline_at }: EventOf<'consultation.asked'>,
  { admission, seed, isAgain = false }: AskedGate,
): 'nobody' | 'not_admitted' | null {
  if (answered_by !== 'human') return null;
  const known = findConsultation(log.record(episode), consultation);
  if (isAgain && (known?.decision ?? null) !== null) return null;
  // Consoles find the program again a moment after it is back: until its deadline the question stays open.
  const isNobodyThere =
    fallback !== 'wait' && !(isAgain && deadline_at !== null) && !attendance.isAttended(episode);
  const earlier = known?.admission ?? null;
  if (earlier !== null) return earlier.isAdmitted ? (isNobodyThere ? 'nobody' : null) : 'not_admitted';
  const verdict = admit(admission, attendance.load, () =>
    seededDraw(`${seed}:${consultation.split(':').at(-1) ?? ''}`),
  );
  if (verdict.rule !== 'open') {
    log.append(episode, SYSTEM, { kind: 'consultation.admitted', consultation, ...verdict });
  }
  if (!verdict.is_admitted) return 'not_admitted';
  return isNobodyThere ? 'nobody' : null;
}

const wantsDraft = (log: EventLog, episode: string, asked: EventOf<'consultation.asked'>): boolean =>
  asked.answered_by === 'model' ||
  asked.trigger === 'brief' ||
  // A client's question is always drafted for: the condition of its episode is not ours to know.
  asked.via !== 'loop' ||
  log.record(episode).started?.condition === 'human+draft';

/** Asks the advisor; a draft that comes after the decision is dropped, a failed one is recorded as what it is. */
async function draft(
  { log, advisor, desk, newId, measureLeak, routing }: Omit<ConsultDependencies, 'attendance'>,
  episode: string,
  id: string,
  signal: AbortSignal,
  hint: Hint | null,
): Promise<string> {
  const startedAt = performance.now();
  const draftId = newId();
  // A long question was written just now: others have their turn before it is read again.
  if (typeof findConsultation(log.record(episode), id)?.question === 'object')
    await new Promise((resolve) => setImmediate(resolve));
  const route = findConsultation(log.record(episode), id)?.routed ?? null;
  const expert = routing === undefined ? null : drafterOf(routing, log.record(episode), route);
  const result = await advisor
    .draft({ ...draftRequest(log, episode, id, hint?.text ?? null), expert }, signal)
    .catch((thrown: unknown): DraftResult => ({ ok: false, ...failureShape(thrown) }));
  const isOpen = findConsultation(log.record(episode), id)?.decision === null;
  if (!isOpen || signal.aborted) return draftId;
  const author: Actor =
    result.ok && result.generator === 'model' ? { type: 'model', id: result.model } : SYSTEM;
  const by = expert === null ? {} : { expert: expert.name };
  const about = { consultation: id, draft: draftId, ...by, ...(hint === null ? {} : { hint }) };
  const hinted = hint === null || hint.text === '' ? [] : desk.privilegeOf(episode, seatActor(hint.seat));
  const asked = findConsultation(log.record(episode), id)?.privilege ?? [];
  const inherited = inheritPrivilege(asked, hinted);
  const leak = result.ok ? (measureLeak?.(episode, id, result.text) ?? null) : null;
  const measured = { latency_ms: performance.now() - startedAt, ...(leak === null ? {} : { leak }) };
  log.append(episode, author, draftEvent(about, result, inherited, measured));
  return draftId;
}

function draftRequest(log: EventLog, episode: string, id: string, hint: string | null) {
  const record = log.record(episode);
  const asked = findConsultation(record, id);
  const task = record.reset?.task ?? null;
  const question = asked?.question ?? null;
  return {
    episode,
    task:
      task === null
        ? record.started?.source === 'ask'
          ? (asked?.task ?? '')
          : ''
        : log.texts.loadText(task),
    question: question === null ? null : log.texts.loadText(question),
    askedTask: asked?.task ?? null,
    tools: record.tools,
    attempts: attemptsBefore(record, asked?.before ?? 0),
    hint,
    baseline: asked?.baseline ? log.record(asked.baseline.episode) : null,
    loadText: (text: Text) => log.texts.loadText(text),
    client: asked === undefined ? null : clientBrief(asked, (text) => log.texts.loadText(text)),
  };
}

const draftEvent = (
  about: { consultation: string; draft: string; hint?: Hint; expert?: string },
  result: DraftResult,
  inherited: Privilege,
  measured: { latency_ms: number; leak?: Leak },
): LogEvent =>
  result.ok
    ? {
        kind: 'advice.drafted',
        ...about,
        text: result.text,
        generator: result.generator,
        model: result.model,
        privilege: inheritPrivilege(result.privilege, inherited),
        usage: result.usage,
        ...measured,
      }
    : { kind: 'advice.draft_failed', ...about, code: result.code, message: result.message };

/** With nobody but the advisor to answer, its draft is the advice; without one, nobody answered. */
function settleByModel(
  { log, desk }: Pick<ConsultDependencies, 'log' | 'desk'>,
  episode: string,
  id: string,
): void {
  const consultation = findConsultation(log.record(episode), id);
  if (consultation?.decision !== null) return;
  const { draft: drafted } = consultation;
  if (drafted === null) return desk.expire(episode, id, 'nobody');
  const actor: Actor =
    drafted.generator === 'model'
      ? { type: 'model', id: drafted.model }
      : { type: 'scripted', id: 'reference' };
  desk.answer(
    {
      episode,
      consultation: id,
      text: log.texts.loadText(drafted.text),
      draft: drafted.id,
      ...(drafted.expert === undefined ? {} : { expert: drafted.expert }),
      seen_seq: log.record(episode).seq,
      timing: { first_seen_at: null, active_ms: null },
    },
    actor,
  );
}

/** A reason is words like any advice: who gives it has seen the drafts that were on screen, and what they saw before. */
const declinePrivilege = (
  { desk }: Pick<ConsultDependencies, 'desk'>,
  episode: string,
  consultation: Consultation | null,
  actor: Actor,
): Privilege =>
  inheritPrivilege(
    desk.privilegeOf(episode, actor),
    consultation?.privilege ?? [],
    ...(consultation?.drafts ?? []).map(({ privilege }) => privilege),
  );

/** A number in [0, 1) that depends on the seed alone. */
const seededDraw = (seed: string): number =>
  createHash('sha256').update(seed).digest().readUInt32BE(0) / 2 ** 32;

/** The result of the consultation. `text` is the advice, or the reason of a decline or a cancel; else empty. */
export type ConsultAdvice = {
  as: DeliveredAs;
  text: string;
  privilege: Privilege;
  /** Which expert it went to; null or absent where no roster was set. */
  routed?: Routing | null;
  /** It was closed without an outcome: a person took over instead of answering, or its episode ended. */
  isSetAside?: true;
  /** The advisor alone was asked, and no model is set for it. */
  isAdvisorUnset?: true;
};

/** The advice that a decision other than a decline gives. */
function adviceOf(
  decision: Exclude<Decision, { type: 'declined' }>,
  consultation: Consultation | null,
  log: EventLog,
): ConsultAdvice {
  const draft = consultation?.draft ?? null;
  switch (decision.type) {
    case 'approved':
      return { as: 'advice', text: log.texts.loadText(decision.text), privilege: decision.privilege };
    case 'expired':
      if (decision.fallback === 'draft' && draft !== null) {
        return { as: 'draft', text: log.texts.loadText(draft.text), privilege: draft.privilege };
      }
      return {
        as: decision.reason === 'nobody' ? 'nobody' : 'timed_out',
        text: '',
        privilege: [],
        ...(isAdvisorUnset(consultation) ? { isAdvisorUnset: true } : {}),
      };
    case 'cancelled':
      return { as: 'nobody', text: decision.reason, privilege: [], isSetAside: true };
  }
}

const isAdvisorUnset = (consultation: Consultation | null): boolean =>
  consultation?.answeredBy === 'model' && consultation.draftFailure?.code === 'model_not_configured';
