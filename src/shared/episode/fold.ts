// The one fold from events to a record. Pure: no clock, no id, no I/O. A new kind breaks the build here.
import type { AnnotationEvent } from '../events/annotations.ts';
import type { EventOf, LogEvent, Recorded } from '../events/vocabulary.ts';
import { changeTurn, COPIED, countHuman, IN_PLACE, withItem, type Lists, type FoldStep } from './change.ts';
import { cancelUnanswered, foldConsultation } from './consultations.ts';
import { emptyRecord, type EpisodeRecord, type Turn } from './record.ts';
import { carriedApproval } from './branch.ts';
import { cameWithFolder, openDoubt, wasClosed, type Restart } from './restarts.ts';
import { foldGateway, type GatewayEvent } from './gateway.ts';
import { foldStepIn, type StepInEvent } from './stepIns.ts';
import { foldTurn } from './turns.ts';
import { turnOfCall } from './calls.ts';

/**
 * One more event. An event at or before the record's `n` is ignored, so a re-sent event changes nothing.
 * Never throws on an order the log could not have produced; it folds what it can.
 */
export function fold(record: EpisodeRecord, recorded: Recorded, lists: Lists = COPIED): EpisodeRecord {
  if (recorded.n <= record.n || recorded.stream !== record.id) return record;
  const folded = applyEvent(record, { recorded, lists });
  return {
    ...folded,
    n: recorded.n,
    seq: recorded.seq,
    updatedAt: recorded.at,
    status: recordStatus(folded),
  };
}

/** The record of a whole stream, or of its first events: replay is this with a shorter list. */
export const foldAll = (id: string, events: Iterable<Recorded>): EpisodeRecord => {
  let record = emptyRecord(id);
  for (const event of events) record = fold(record, event, IN_PLACE);
  return record;
};

/** A batch more: the lists are copied once for all of it, not once per event. The given record stays as it is. */
export function foldBatch(record: EpisodeRecord, batch: Iterable<Recorded>): EpisodeRecord {
  const { timeline, turns, messages, consultations } = record;
  let next: EpisodeRecord = {
    ...record,
    timeline: [...timeline],
    turns: [...turns],
    messages: [...messages],
    consultations: [...consultations],
  };
  for (const recorded of batch) next = fold(next, recorded, IN_PLACE);
  return next;
}

function recordStatus(record: EpisodeRecord): EpisodeRecord['status'] {
  if (record.ended !== null) return 'ended';
  if (record.brokeOff !== null || openDoubt(record) !== null) return 'waiting';
  // A client's question comes from an episode that is not seen: there is no reset to wait for.
  if (record.reset === null && record.started?.source !== 'ask') return 'starting';
  if (record.phase === 'paused') return 'waiting';
  const last = record.turns.at(-1)?.call ?? null;
  const isHeld = last !== null && last.held !== null && last.decision === null;
  const isAsking = record.consultations.some((c) => c.decision === null && c.answeredBy === 'human');
  return isHeld || isAsking ? 'waiting' : 'running';
}

function applyEvent(record: EpisodeRecord, step: FoldStep): EpisodeRecord {
  const { event } = step.recorded;
  switch (event.kind) {
    case 'message.added':
    case 'turn.generated':
    case 'model.failed':
    case 'move.proposed':
    case 'call.refused':
    case 'call.sent':
    case 'call.returned':
      return foldTurn(record, step, event);
    case 'consultation.asked':
    case 'advice.drafted':
    case 'advice.draft_failed':
    case 'advice.approved':
    case 'advice.declined':
    case 'consultation.expired':
    case 'consultation.cancelled':
    case 'consultation.admitted':
    case 'consultation.opened':
    case 'consultation.claimed':
    case 'consultation.passed':
    case 'consultation.extended':
    case 'consultation.rejoined':
    case 'advice.delivered':
      return foldConsultation(record, step, event);
    case 'tap.opened':
    case 'frame.passed':
    case 'recording.gap':
    case 'turn.touched':
    case 'ask.leaked':
    case 'turn.transcribed':
    case 'conversation.told':
      return foldGateway(record, step, event);
    case 'phase.changed':
    case 'breakpoint.set':
    case 'breakpoint.cleared':
    case 'breakpoint.hit':
    case 'policy.changed':
    case 'call.held':
    case 'call.extended':
    case 'call.waived':
    case 'call.approved':
    case 'call.edited':
    case 'call.rejected':
    case 'call.answered':
    case 'call.expired':
    case 'call.cancelled':
    case 'note.interjected':
    case 'note.delivered':
    case 'suggestion.shown':
    case 'suggestion.answered':
    case 'correction.discarded':
    case 'label.given':
      return foldStepIn(record, step, event);
    default:
      return foldLifecycle(record, step, event);
  }
}

const toolsListed = ({ tools, call }: EventOf<'tools.listed'>) =>
  ({ type: 'tools', count: tools.length, byAgent: call !== null }) as const;

const startRetried = ({ tries, retries, wait_ms: waitMs, failure }: EventOf<'start.retried'>) =>
  ({ type: 'start_retried', tries, retries, waitMs, failure }) as const;

const connectionChanged = (event: EventOf<'connection.changed'>) => {
  const { kind: _kind, ...changed } = event;
  return { type: 'connection', ...changed } as const;
};

type LifecycleEvent = Exclude<
  LogEvent,
  Parameters<typeof foldTurn>[2] | Parameters<typeof foldConsultation>[2] | StepInEvent | GatewayEvent
>;

function foldLifecycle(record: EpisodeRecord, step: FoldStep, event: LifecycleEvent): EpisodeRecord {
  const { at } = step.recorded;
  switch (event.kind) {
    case 'episode.started':
      return withItem({ ...record, started: event, startedAt: at }, step, { type: 'started' });
    case 'environment.reset':
      return withItem({ ...record, reset: { ...event, at } }, step, {
        type: 'reset',
      });
    case 'tools.listed':
      return withItem({ ...record, tools: event.tools }, step, toolsListed(event));
    case 'tools.offered':
      return { ...record, offered: event.tools };
    case 'start.retried':
      return withItem(record, step, startRetried(event));
    case 'connection.changed':
      return withItem(record, step, connectionChanged(event));
    case 'criteria.prepared':
      return withItem({ ...record, criteria: event }, step, { type: 'criteria' });
    case 'answer_key.shown':
      return withItem(record, step, { type: 'answer_key', seat: event.seat });
    case 'stop.requested':
      return withItem(countHuman(record, step), step, { type: 'stop_requested', reason: event.reason });
    case 'verifier.ran':
      return withItem({ ...record, verified: { ...event, at } }, step, { type: 'verified' });
    case 'environment.finished':
      return withItem({ ...record, finished: { ...event, at } }, step, { type: 'finished' });
    case 'episode.ended':
      return withItem({ ...cancelUnanswered(record, step), ended: endFromEvent(event, at) }, step, {
        type: 'ended',
      });
    case 'state.compared':
      return compared(record, step, event);
    case 'preview.ran':
      return previewed(record, step, event);
    case 'episode.imported':
      return withItem(imported(record, step, event), step, { type: 'imported' });
    case 'episode.erased':
      return withItem({ ...record, erased: { ...event, at } }, step, { type: 'erased' });
    case 'episode.forked':
      return withItem(forked(record, step, event), step, { type: 'forked' });
    case 'episode.broke_off':
      return brokenOff(waitsOn(record, step), step, event);
    case 'episode.picked_up':
      return {
        ...waitsOn(record, step),
        brokeOff: null,
        restarts: [...record.restarts, pickedUp(step, event)],
      };
    case 'call.doubted':
    case 'doubt.settled':
      return foldDoubt(record, step, event);
    case 'episode.went_on':
      return withItem(wentOn(record, event), step, { type: 'went_on', attempt: event.attempt });
    default:
      event satisfies NotOfAnEpisode;
      return record;
  }
}

/** Kinds of other streams, and of what is noted beside an episode. A kind that stands in neither list does not compile. */
type NotOfAnEpisode =
  | AnnotationEvent
  | EventOf<
      | 'answer.seen'
      | 'seat.changed'
      | 'guide.ended'
      | 'advice.late'
      | 'tags.changed'
      | 'reward_profile.saved'
      | 'reward_profile.removed'
      | 'run.imported'
      | 'export.written'
      | 'split.changed'
      | 'bench.planned'
      | 'lift.planned'
      | 'lift.measured'
      | 'curriculum.assigned'
      | 'curriculum.configured'
      | 'curriculum.tasks_named'
      | 'curriculum.reported'
      | 'curriculum.decided'
      | 'curriculum.set_back'
    >;

const compared = (record: EpisodeRecord, step: FoldStep, event: EventOf<'state.compared'>): EpisodeRecord =>
  changeTurn(
    record,
    step,
    ({ callId }) => callId === event.call,
    (turn) => ({
      ...turn,
      call:
        turn.call === null
          ? null
          : event.is_covered === true
            ? { ...turn.call, areChangesCovered: true }
            : { ...turn.call, changes: event.changes },
    }),
  );

function previewed(record: EpisodeRecord, step: FoldStep, event: EventOf<'preview.ran'>): EpisodeRecord {
  const { at, actor } = step.recorded;
  const previews = [...record.previews, { ...event, at, actor }];
  return withItem(countHuman({ ...record, previews }, step), step, {
    type: 'preview',
    preview: event.preview,
  });
}

/** A file that tells of no reset may still tell the task: whoever reads the record finds it where it always is. */
const imported = (
  record: EpisodeRecord,
  { recorded: { at } }: FoldStep,
  event: EventOf<'episode.imported'>,
): EpisodeRecord => ({
  ...record,
  imported: event,
  reset:
    record.reset ??
    (event.task === null
      ? null
      : {
          kind: 'environment.reset',
          request: {},
          frame: '',
          reward_type: null,
          reward: null,
          done: false,
          scenario: record.started?.scenario ?? null,
          task: event.task,
          task_idx: record.started?.task_idx ?? null,
          num_tools: null,
          warning: null,
          latency_ms: null,
          at,
        }),
});

const forked = (
  record: EpisodeRecord,
  { recorded: { n } }: FoldStep,
  event: EventOf<'episode.forked'>,
): EpisodeRecord => ({
  ...record,
  forked: event,
  copiedN: n - 1,
  turns: record.turns.map((turn) => ({ ...turn, isCopied: true })),
  // What people did in the other episode counts there.
  counts: { ...record.counts, humanActs: 0 },
});

function brokenOff(
  record: EpisodeRecord,
  { recorded: { n, at } }: FoldStep,
  { kind: _kind, ...event }: EventOf<'episode.broke_off'>,
): EpisodeRecord {
  const { started, restarts } = record;
  const brokeOff = { ...event, n, at };
  const last = restarts.at(-1);
  return {
    ...record,
    brokeOff,
    // Whoever made the folder chose what becomes of calls that nobody decides; here nobody has.
    started:
      started?.approval !== undefined && cameWithFolder(brokeOff)
        ? { ...started, approval: carriedApproval(started.approval) }
        : started,
    restarts:
      last !== undefined && wasClosed(brokeOff)
        ? [...restarts.slice(0, -1), { ...last, wasClosed: true }]
        : restarts,
  };
}

/** A call that was held when Interject ended waits until somebody decides: nobody may have been there for its limit. */
const waitsOn = (record: EpisodeRecord, step: FoldStep): EpisodeRecord =>
  changeTurn(
    record,
    step,
    ({ call }) => call !== null && call.held !== null && call.decision === null,
    (turn) => {
      const { call } = turn;
      if (call === null || call.held === null) return turn;
      return { ...turn, call: { ...call, held: { ...call.held, deadline_at: null, fallback: 'wait' } } };
    },
  );

function foldDoubt(
  record: EpisodeRecord,
  step: FoldStep,
  event: EventOf<'call.doubted' | 'doubt.settled'>,
): EpisodeRecord {
  const { at, n, actor } = step.recorded;
  const isIt = ({ callId }: Turn): boolean => callId === event.call;
  const { turn = 0, call = null } = turnOfCall(record, event.call) ?? {};
  const doubt =
    event.kind === 'call.doubted'
      ? { at, n, settled: null, isSentAgain: false }
      : call?.doubt?.settled === null
        ? { ...call.doubt, settled: { at, actor, act: event.act } }
        : null;
  // The first word stands.
  if (doubt === null) return record;
  const changed = changeTurn(countHuman(record, step), step, isIt, (one) => ({
    ...one,
    call: one.call === null ? null : { ...one.call, doubt },
  }));
  return withItem(changed, step, {
    type: 'doubt',
    turn,
    act: event.kind === 'call.doubted' ? null : event.act,
  });
}

const pickedUp = (
  { recorded: { n, at, actor } }: FoldStep,
  { kind: _kind, ...event }: EventOf<'episode.picked_up'>,
): Restart => ({ ...event, n, at, actor, wentOn: null });

function wentOn(
  record: EpisodeRecord,
  { kind: _kind, attempt, ...went }: EventOf<'episode.went_on'>,
): EpisodeRecord {
  const restarts = record.restarts.map((one) => (one.attempt === attempt ? { ...one, wentOn: went } : one));
  return { ...record, restarts };
}

const endFromEvent = (event: EventOf<'episode.ended'>, at: number): EpisodeRecord['ended'] => ({
  at,
  outcome: event.outcome,
  reason: event.reason,
  ...(event.limit === undefined ? {} : { limit: event.limit }),
  failure: event.failure,
  final_answer: event.final_answer,
  reward_type: event.reward_type,
  reward: event.reward,
});
