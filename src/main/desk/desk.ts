// Owns: the wait for an answer, and that each consultation gets exactly one outcome. The first writer wins.
// Must not know: what the agent reads in each case, or who drives the episode.
import { inheritPrivilege, SYSTEM, type Actor, type Privilege, type Saw } from '../../shared/events/actor.ts';
import type { Act, Timing } from '../../shared/events/consultations.ts';
import type { EventOf, LogEvent, Recorded } from '../../shared/events/vocabulary.ts';
import { Failure } from '../../shared/failure.ts';
import { findConsultation } from '../../shared/episode/consultations.ts';
import type { Consultation, Decision, EpisodeRecord } from '../../shared/episode/record.ts';
import type { EventLog } from '../log/eventLog.ts';

export type Answer = {
  episode: string;
  consultation: string;
  text: string;
  /** The draft it was edited from, or null when it was written without one. */
  draft: string | null;
  seenSeq: number;
  timing: Timing;
};
export type Decline = Omit<Answer, 'text' | 'draft'> & { reason: string };

export type Desk = {
  /**
   * Resolves with what closed the consultation, whoever did. At the deadline the stated fallback is recorded, unless
   * it is `wait`. When `signal` aborts the consultation is recorded as cancelled.
   */
  waitForDecision(episode: string, consultation: string, signal: AbortSignal): Promise<Decision>;
  /** Commits advice. Throws `already_answered`, `stale` (another draft since) or `not_found`. */
  answer(answer: Answer, actor: Actor): { recorded: Recorded; act: Act };
  /** Commits that no advice comes, with the person's reason. Throws as `answer` does. */
  decline(decline: Decline, actor: Actor): Recorded;
  /** Commits that nobody will answer. A consultation that has its outcome already is left as it is. */
  expire(episode: string, consultation: string, reason: 'deadline' | 'nobody'): void;
  /** Commits that the consultation ended without an outcome for the agent. */
  cancel(episode: string, consultation: string, reason: string): void;
  /** Notes on the seat's stream that it has seen part of a task's answer; it sticks to later advice. */
  noteSeen(seat: string, episode: string, saw: readonly Saw[]): void;
  close(): void;
};

export type Schedule = (delayMs: number, run: () => void) => () => void;
type Edges = { log: EventLog; clock: () => number; schedule: Schedule };

export function createDesk({ log, clock, schedule }: Edges): Desk {
  const waiting = new Set<() => void>();

  const append = (
    episode: string,
    id: string,
    actor: Actor,
    make: (consultation: Consultation, record: EpisodeRecord) => LogEvent,
  ): Recorded => log.append(episode, actor, (record) => make(openConsultation(record, id), record));

  const settle = (episode: string, id: string, event: LogEvent): void => {
    if (findConsultation(log.record(episode), id)?.decision !== null) return;
    append(episode, id, SYSTEM, () => event);
  };
  const expire = (episode: string, id: string, reason: 'deadline' | 'nobody'): void => {
    const fallback = findConsultation(log.record(episode), id)?.fallback ?? 'proceed';
    settle(episode, id, { kind: 'consultation.expired', consultation: id, fallback, reason });
  };
  const cancel = (episode: string, id: string, reason: string): void =>
    settle(episode, id, { kind: 'consultation.cancelled', consultation: id, reason });
  const noteSeen = (seat: string, episode: string, saw: readonly Saw[]): void =>
    recordSeen(log, seat, episode, saw);

  return {
    waitForDecision: (episode, id, signal) =>
      waitForDecision({ log, clock, schedule, waiting, expire, cancel }, episode, id, signal),
    answer: (answer, actor) => {
      let act: Act = 'send';
      const saw = sawOf(log, answer, actor);
      const recorded = append(answer.episode, answer.consultation, actor, (consultation) => {
        const event = approval(log, consultation, answer, saw);
        act = event.act;
        return event;
      });
      return { recorded, act };
    },
    decline: ({ episode, consultation, reason, seenSeq, timing }, actor) =>
      append(episode, consultation, actor, () => ({
        kind: 'advice.declined',
        consultation,
        reason,
        seen_seq: seenSeq,
        timing,
      })),
    expire,
    cancel,
    noteSeen,
    close: () => {
      for (const stop of waiting) stop();
    },
  };
}

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
  answer: Answer,
  saw: Privilege,
): EventOf<'advice.approved'> {
  const { draft } = consultation;
  if (answer.draft !== null && draft?.id !== answer.draft) {
    throw new Failure('stale', 'the draft changed while you were editing it', {
      next: 'Compare your words with the new draft, then send again.',
    });
  }
  const isUnchanged = answer.draft !== null && draft !== null && log.texts.whole(draft.text) === answer.text;
  return {
    kind: 'advice.approved',
    consultation: consultation.id,
    act: answer.draft === null ? 'send' : isUnchanged ? 'accept' : 'edit',
    text: answer.text,
    draft: answer.draft,
    // A draft that was on screen has been seen, whether or not it was used.
    privilege: inheritPrivilege(saw, draft?.privilege ?? []),
    seen_seq: answer.seenSeq,
    timing: answer.timing,
  };
}

/** What the author had seen before this draft, and from now on has seen of it. */
function sawOf(log: EventLog, { episode, consultation }: Answer, actor: Actor): Privilege {
  if (actor.type !== 'human' || actor.id === null) return [];
  const record = log.record(episode);
  const { scenario, taskIdx } = taskOf(record);
  const before = scenario === null ? [] : log.projections.seen(actor.id, scenario, taskIdx);
  const draft = findConsultation(record, consultation)?.draft ?? null;
  if (draft !== null && draft.privilege !== 'unknown') recordSeen(log, actor.id, episode, draft.privilege);
  return before;
}

function recordSeen(log: EventLog, seat: string, episode: string, saw: readonly Saw[]): void {
  const { scenario, taskIdx } = taskOf(log.record(episode));
  if (scenario === null) return;
  const known = log.projections.seen(seat, scenario, taskIdx);
  const fresh = saw.filter((one) => !known.includes(one));
  if (fresh.length === 0) return;
  log.append(
    `seat/${seat}`,
    { type: 'human', id: seat },
    { kind: 'answer.seen', seat, scenario, task_idx: taskIdx, saw: fresh, episode },
  );
}

const taskOf = ({ reset, started }: EpisodeRecord): { scenario: string | null; taskIdx: number | null } => ({
  scenario: reset?.scenario ?? started?.scenario ?? null,
  taskIdx: reset?.task_idx ?? started?.task_idx ?? null,
});

type Waiting = Edges & {
  waiting: Set<() => void>;
  expire: Desk['expire'];
  cancel: Desk['cancel'];
};

function waitForDecision(
  { log, clock, schedule, waiting, expire, cancel }: Waiting,
  episode: string,
  id: string,
  signal: AbortSignal,
): Promise<Decision> {
  const decided = (record: EpisodeRecord): Decision | null => findConsultation(record, id)?.decision ?? null;
  return new Promise((resolve, reject) => {
    const undo: (() => void)[] = [];
    const stop = (): void => {
      for (const step of undo) step();
      waiting.delete(shut);
    };
    const shut = (): void => {
      stop();
      reject(new Failure('closed', 'the desk was closed'));
    };
    // Look before subscribing: an answer given while we were down has no event left to hear.
    const settled = decided(log.record(episode));
    if (settled !== null) return resolve(settled);
    waiting.add(shut);
    undo.push(
      log.subscribe((recorded, record) => {
        if (recorded.stream !== episode) return;
        const decision = decided(record);
        if (decision === null) return;
        stop();
        resolve(decision);
      }),
    );
    const abort = (): void => cancel(episode, id, reasonOf(signal));
    signal.addEventListener('abort', abort, { once: true });
    undo.push(() => signal.removeEventListener('abort', abort));
    const consultation = findConsultation(log.record(episode), id);
    if (consultation !== undefined && consultation.deadlineAt !== null && consultation.fallback !== 'wait') {
      undo.push(
        schedule(Math.max(0, consultation.deadlineAt - clock()), () => expire(episode, id, 'deadline')),
      );
    }
    if (signal.aborted) abort();
  });
}

/** An episode ends because someone stopped it, or because something broke that has a name. */
const reasonOf = (signal: AbortSignal): string =>
  signal.reason instanceof Failure ? signal.reason.message : 'the episode was stopped';
