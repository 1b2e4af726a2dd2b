// Owns: one consultation straight through: asked, drafted while the question is already on screen, decided, and the
// exact text the agent gets. The waiter resolves from the log; a decision aborts the draft.
import { inheritPrivilege, SYSTEM, type Actor, type Privilege } from '../../shared/events/actor.ts';
import type { DeliveredAs } from '../../shared/events/consultations.ts';
import type { EventOf, LogEvent } from '../../shared/events/vocabulary.ts';
import { failureShape } from '../../shared/failure.ts';
import { findConsultation } from '../../shared/episode/consultations.ts';
import type { Consultation, Decision } from '../../shared/episode/record.ts';
import { attemptsBefore } from '../../shared/episode/rows.ts';
import type { Advisor, DraftResult } from '../advisor/advisor.ts';
import type { Desk } from '../desk/desk.ts';
import type { EventLog } from '../log/eventLog.ts';

/** What the consultation came to. `text` is the advice, or the reason of a decline; empty when nobody answered. */
export type Advice = { as: DeliveredAs; text: string; privilege: Privilege };
export type Consult = (
  episode: string,
  asked: EventOf<'consultation.asked'>,
  signal: AbortSignal,
) => Promise<Advice>;
type Parts = { log: EventLog; advisor: Advisor; desk: Desk; newId: () => string };

export const createConsult =
  ({ log, advisor, desk, newId }: Parts): Consult =>
  async (episode, asked, signal) => {
    const id = asked.consultation;
    log.append(episode, { type: 'agent', id: null }, asked);
    const answered = new AbortController();
    const drafting = wantsDraft(log, episode, asked)
      ? draft({ log, advisor, newId }, episode, id, AbortSignal.any([answered.signal, signal]))
      : Promise.resolve();
    if (asked.answered_by === 'model') void drafting.then(() => settleByModel({ log, desk }, episode, id));
    const decision = await desk.waitForDecision(episode, id, signal).finally(() => answered.abort());
    await drafting;
    const consultation = findConsultation(log.record(episode), id);
    return adviceOf(decision, consultation?.draft ?? null, log);
  };

const wantsDraft = (log: EventLog, episode: string, asked: EventOf<'consultation.asked'>): boolean =>
  asked.answered_by === 'model' || log.record(episode).started?.condition === 'human+draft';

/** Asks the advisor; a draft that comes after the decision is dropped, a failed one is recorded as what it is. */
async function draft(
  { log, advisor, newId }: Pick<Parts, 'log' | 'advisor' | 'newId'>,
  episode: string,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  const startedAt = performance.now();
  const draftId = newId();
  const result = await advisor
    .draft(draftRequest(log, episode, id), signal)
    .catch((thrown: unknown): DraftResult => ({ ok: false, ...failureShape(thrown) }));
  const isOpen = findConsultation(log.record(episode), id)?.decision === null;
  if (!isOpen || signal.aborted) return;
  const author: Actor =
    result.ok && result.generator === 'model' ? { type: 'model', id: result.model } : SYSTEM;
  log.append(episode, author, draftEvent(id, draftId, result, performance.now() - startedAt));
}

function draftRequest(log: EventLog, episode: string, id: string) {
  const record = log.record(episode);
  const asked = findConsultation(record, id);
  const task = record.reset?.task ?? null;
  const question = asked?.question ?? null;
  return {
    scenario: record.reset?.scenario ?? record.started?.scenario ?? null,
    taskIdx: record.reset?.task_idx ?? record.started?.task_idx ?? null,
    task: task === null ? '' : log.texts.whole(task),
    question: question === null ? null : log.texts.whole(question),
    askedTask: asked?.task ?? null,
    tools: record.tools,
    attempts: attemptsBefore(record, asked?.turn ?? 0),
    hint: null,
  };
}

const draftEvent = (consultation: string, id: string, result: DraftResult, latencyMs: number): LogEvent =>
  result.ok
    ? {
        kind: 'advice.drafted',
        consultation,
        draft: id,
        text: result.text,
        generator: result.generator,
        model: result.model,
        privilege: result.privilege,
        usage: result.usage,
        latency_ms: latencyMs,
      }
    : { kind: 'advice.draft_failed', consultation, draft: id, code: result.code, message: result.message };

/** With nobody but the advisor to answer, its draft is the advice; without one, nobody answered. */
function settleByModel({ log, desk }: Pick<Parts, 'log' | 'desk'>, episode: string, id: string): void {
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
      text: log.texts.whole(drafted.text),
      draft: drafted.id,
      seenSeq: log.record(episode).seq,
      timing: { first_seen_at: null, active_ms: null },
    },
    actor,
  );
}

function adviceOf(decision: Decision, draft: Consultation['draft'], log: EventLog): Advice {
  switch (decision.type) {
    case 'approved':
      return { as: 'advice', text: log.texts.whole(decision.text), privilege: decision.privilege };
    case 'declined':
      return { as: 'declined', text: decision.reason, privilege: inheritPrivilege(draft?.privilege ?? []) };
    case 'expired':
      if (decision.fallback === 'draft' && draft !== null) {
        return { as: 'draft', text: log.texts.whole(draft.text), privilege: draft.privilege };
      }
      return { as: decision.reason === 'nobody' ? 'nobody' : 'timed_out', text: '', privilege: [] };
    case 'cancelled':
      return { as: 'nobody', text: '', privilege: [] };
  }
}
