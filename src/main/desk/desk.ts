// The wait for an answer, and that each consultation gets exactly one outcome. The first writer wins. Must not know:
// what the agent reads in each case, or who drives the episode.
import { findConsultation } from '../../shared/episode/consultations.ts';
import type { Consultation, Decision, Draft, EpisodeRecord } from '../../shared/episode/record.ts';
import {
  type Actor,
  inheritPrivilege,
  type Privilege,
  type Saw,
  SYSTEM,
  type Timing,
} from '../../shared/events/actor.ts';
import type { Act, DraftRef } from '../../shared/events/consultations.ts';
import type { EventOf, LogEvent, Recorded } from '../../shared/events/vocabulary.ts';
import { Failure } from '../../shared/failure.ts';
import type { Leak } from '../../shared/leak.ts';
import type { EventLog } from '../log/eventLog.ts';
import {
  type CallDesk,
  createCallDesk,
  createDeadlines,
  deadlineName,
  type Deadlines,
  type Schedule,
  waitAtDesk,
} from './waiting.ts';
import { noteDraftSeen, recordSeen, seenBy } from './seen.ts';

type DeskAnswer = {
  episode: string;
  consultation: string;
  text: string;
  /** The draft it was edited from, or null when it was written without one. */
  draft: string | null;
  /** The draft of another ask it was edited from, where this one has none of the same words. */
  draftFrom?: DraftRef | null;
  seen_seq: number;
  timing: Timing;
  /** The model expert whose draft it is; of a person it is found by their seat. */
  expert?: string;
  /** Set when one act answers several asks. */
  humanAct?: string;
  /** Earlier advice the words were taken from. */
  reused?: readonly { episode: string; consultation: string }[];
};
type ExpiryReason = EventOf<'consultation.expired'>['reason'];
type DeskDecline = Omit<DeskAnswer, 'text' | 'draft' | 'draftFrom' | 'reused'> & { reason: string };

export type Desk = CallDesk & {
  /**
   * Resolves with what closed the consultation, whoever did. At the deadline the stated fallback is recorded, unless
   * it is `wait`. When `signal` aborts the consultation is recorded as cancelled.
   */
  waitForDecision(episode: string, consultation: string, signal: AbortSignal): Promise<Decision>;
  /** Commits advice. Throws `already_answered`, `stale` (another draft since) or `not_found`. */
  answer(answer: DeskAnswer, actor: Actor): { recorded: Recorded; act: Act };
  /** Commits that no advice comes, with the person's reason. Throws as `answer` does. */
  decline(decline: DeskDecline, actor: Actor): Recorded;
  /** Commits that nobody will answer. A consultation that has its outcome already is left as it is. */
  expire(episode: string, consultation: string, reason: ExpiryReason): void;
  /** Commits that the consultation ended without an outcome for the agent. */
  cancel(episode: string, consultation: string, reason: string): void;
  /** What a person has seen of the episode's answer, to be written with what they decide. */
  privilegeOf(episode: string, actor: Actor): Privilege;
  /** Notes on the seat's stream that it has seen part of a task's answer; it sticks to later advice. */
  noteSeen(seat: string, episode: string, saw: readonly Saw[]): void;
  /** What is left until a consultation's deadline; null where nobody waits for it, or for ever. */
  leftMs: (episode: string, consultation: string) => number | null;
  /** Counts something else about a question down, which no set clock ends or prolongs. */
  arm: Deadlines['arm'];
  close(): void;
};

type DeskEdges = {
  log: EventLog;
  clock: () => number;
  /** ms on a clock that never jumps. */
  monotonic: () => number;
  schedule: Schedule;
  /** How much of an advice its agent could not know; null where that cannot be told. */
  measureLeak?: (episode: string, consultation: string, text: string) => Leak | null;
  /** The expert of the roster who sits at this seat. */
  expertAt?: ExpertAt;
};

export function createDesk(edges: DeskEdges): Desk {
  const { log } = edges;
  const deadlines = createDeadlines(edges);
  const waiting = new Set<() => void>();
  const waits = { log, deadlines, waiting };

  const append: Append = (episode, id, actor, make) =>
    log.append(episode, actor, (record) => make(openConsultation(record, id), record));

  const settle = (episode: string, id: string, event: LogEvent): void => {
    if (findConsultation(log.record(episode), id)?.decision !== null) return;
    append(episode, id, SYSTEM, () => event);
  };
  const expire = (episode: string, id: string, reason: ExpiryReason): void => {
    const fallback = findConsultation(log.record(episode), id)?.fallback ?? 'proceed';
    settle(episode, id, { kind: 'consultation.expired', consultation: id, fallback, reason });
  };
  const cancel = (episode: string, id: string, reason: string): void =>
    settle(episode, id, { kind: 'consultation.cancelled', consultation: id, reason });
  const noteSeen = (seat: string, episode: string, saw: readonly Saw[]): void =>
    recordSeen(log, seat, episode, saw);

  return {
    waitForDecision: (episode, id, signal) => {
      return waitAtDesk(waits, {
        stream: episode,
        id,
        look: (record) => findConsultation(record, id)?.decision ?? null,
        deadline_at: (record) => {
          const consultation = findConsultation(record, id);
          return consultation?.fallback === 'wait' ? null : (consultation?.deadline_at ?? null);
        },
        expire: () => expire(episode, id, 'deadline'),
        restate: (deadlineAt) => {
          append(episode, id, SYSTEM, () => extended(id, deadlineAt));
        },
        cancel: (reason) => cancel(episode, id, reason),
        signal,
      });
    },
    ...createCallDesk(waits),
    privilegeOf: (episode, actor) => seenBy(log, episode, actor),
    ...createDecisions(edges, append),
    expire,
    cancel,
    noteSeen,
    leftMs: (episode, id) => deadlines.leftMs(deadlineName(episode, id)),
    arm: (wait) => deadlines.arm(wait),
    close: () => {
      deadlines.close();
      waiting.forEach((stop) => stop());
    },
  };
}

const extended = (consultation: string, deadline_at: number): LogEvent => ({
  kind: 'consultation.extended',
  consultation,
  deadline_at,
});

type Append = (
  episode: string,
  id: string,
  actor: Actor,
  make: (consultation: Consultation, record: EpisodeRecord) => LogEvent,
) => Recorded;

/** Decisions on a question, by people and models, each with their name in the roster. */
const createDecisions = (
  { log, measureLeak, expertAt }: DeskEdges,
  append: Append,
): Pick<Desk, 'answer' | 'decline'> => ({
  answer: (answer, actor) => {
    let act: Act = 'send';
    const saw = noteDraftSeen(log, answer.episode, answer.consultation, actor);
    const recorded = append(answer.episode, answer.consultation, actor, (consultation, record) => {
      const event = {
        ...approval(log, consultation, answer, saw),
        ...expertField(answer.expert ?? nameAt(expertAt, record, consultation, actor)),
      };
      act = event.act;
      const leak = measureLeak?.(answer.episode, answer.consultation, answer.text) ?? null;
      return leak === null ? event : { ...event, leak };
    });
    return { recorded, act };
  },
  decline: (decline, actor) => {
    noteDraftSeen(log, decline.episode, decline.consultation, actor);
    return append(decline.episode, decline.consultation, actor, (consultation, record) => ({
      ...declineEvent(decline),
      ...expertField(nameAt(expertAt, record, consultation, actor)),
    }));
  },
});

/** The name of the expert at a seat; undefined where the episode had no roster, or nobody of it sits there. */
type ExpertAt = (record: EpisodeRecord, seat: string) => string | undefined;

const nameAt = (
  expertAt: ExpertAt | undefined,
  record: EpisodeRecord,
  { routed }: Consultation,
  { type, id }: Actor,
): string | undefined =>
  routed === null || type !== 'human' || id === null ? undefined : expertAt?.(record, id);

const expertField = (expert: string | undefined): { expert?: string } =>
  expert === undefined ? {} : { expert };

const declineEvent = ({
  consultation,
  reason,
  seen_seq,
  timing,
}: DeskDecline): EventOf<'advice.declined'> => ({
  kind: 'advice.declined',
  consultation,
  reason,
  seen_seq,
  timing,
});

function openConsultation(record: EpisodeRecord, id: string): Consultation {
  const consultation = findConsultation(record, id);
  if (consultation === undefined) {
    throw new Failure('not_found', `episode ${record.id} has no consultation ${id}`, {
      next: 'Reload the desk; the episode may belong to another data folder.',
    });
  }
  const { decision } = consultation;
  if (decision === null) return consultation;
  throw new Failure('already_answered', `this question was ${saidOf(decision)}`, {
    next: 'Your words were not sent. They are kept so that you can copy them.',
  });
}

function saidOf(decision: Decision): string {
  switch (decision.type) {
    case 'approved':
      return `already answered by ${decision.actor.id ?? decision.actor.type}`;
    case 'declined':
      return `already declined by ${decision.actor.id ?? decision.actor.type}`;
    case 'expired':
      return 'past its deadline; the agent has gone on';
    case 'cancelled':
      return `cancelled: ${decision.reason}`;
  }
}

function approval(
  log: EventLog,
  consultation: Consultation,
  answer: DeskAnswer,
  saw: Privilege,
): EventOf<'advice.approved'> {
  const { drafts } = consultation;
  const draft = drafts.find(({ id }) => id === answer.draft) ?? null;
  // Words may go on from an older draft, once the newer one has been on the same screen.
  const isUnseen = (drafts.at(-1)?.seq ?? 0) > answer.seen_seq && drafts.at(-1)?.id !== answer.draft;
  if (answer.draft !== null && (draft === null || isUnseen)) {
    throw new Failure('stale', 'the draft changed while you were editing it', {
      next: 'Compare your words with the new draft, then send again.',
    });
  }
  const from = answer.draftFrom ?? null;
  const basis = draft ?? (from === null ? null : findDraft(log, from));
  const isUnchanged = basis !== null && log.texts.loadText(basis.text) === answer.text;
  return {
    kind: 'advice.approved',
    consultation: consultation.id,
    act: basis === null ? 'send' : isUnchanged ? 'accept' : 'edit',
    text: answer.text,
    draft: answer.draft,
    ...(from === null ? {} : { draft_from: from }),
    // A draft that was on screen has been seen, whether or not it was used.
    privilege: inheritPrivilege(
      saw,
      consultation.privilege,
      ...drafts.map(({ privilege }) => privilege),
      ...reusedPrivileges(log, answer),
    ),
    human_act: answer.humanAct ?? null,
    seen_seq: answer.seen_seq,
    timing: answer.timing,
  };
}

/** The privilege behind reused advice. Advice that is not in the log cannot be inherited from. */
function reusedPrivileges(log: EventLog, { reused = [] }: DeskAnswer): Privilege[] {
  return reused.map(({ episode, consultation }) => {
    const decision = findConsultation(log.record(episode), consultation)?.decision ?? null;
    if (decision?.type === 'approved') return decision.privilege;
    throw new Failure('bad_input', `there is no advice on ${consultation} of episode ${episode} to reuse`);
  });
}

// One answer to several asks that are alike: which draft each of the others was answered from.
type ConsultationAt = { episode: string; consultation: string };
type Basis = { draft: string | null; draftFrom: DraftRef | null };

const findDraft = (log: EventLog, { episode, consultation, draft }: DraftRef): Draft | null =>
  findConsultation(log.record(episode), consultation)?.drafts.find(({ id }) => id === draft) ?? null;

/**
 * The draft that another ask is answered from when the person worked on `source`: its own draft where that has the
 * words that are sent, or the words the person began with; else the source, by its place. Words written without a draft
 * have none anywhere.
 */
export function basisAt(log: EventLog, at: ConsultationAt, text: string, source: DraftRef | null): Basis {
  const begun = source === null ? null : findDraft(log, source);
  if (source === null || begun === null) return { draft: null, draftFrom: null };
  const own = findConsultation(log.record(at.episode), at.consultation)?.drafts ?? [];
  const withText = (wanted: string) => own.findLast((draft) => log.texts.loadText(draft.text) === wanted);
  const same = withText(text) ?? withText(log.texts.loadText(begun.text));
  return same === undefined ? { draft: null, draftFrom: source } : { draft: same.id, draftFrom: null };
}
