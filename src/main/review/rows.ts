// Rows of projects, queues and items for a caller. In a blind queue a reviewer hears of nobody else.
import type {
  AnnotationRow,
  CorrectionRow,
  ConflictRow,
  ItemRow,
  ItemView,
  PreferenceRow,
  ProjectRow,
  QueueRow,
} from '../../shared/contract/review.ts';
import { agreementOf, conflictsOf } from '../../shared/review/agreement.ts';
import { openConflicts, progressOf } from '../../shared/review/progress.ts';
import type {
  Annotation,
  Correction,
  ItemRecord,
  Preference,
  ProjectRecord,
  QueueRecord,
} from '../../shared/review/record.ts';
import { doneBy, free, isComplete } from '../../shared/review/seating.ts';
import { episodesOf } from '../../shared/review/target.ts';
import type { Candidate, Subject } from '../../shared/events/annotations.ts';
import type { EpisodeRow } from '../../shared/episode/rowShapes.ts';
import { mayReview, type ReviewerItem, type Reviewer } from './reviewer.ts';

/** Rows of episodes as the caller may read them. */
export type RowOf = (episode: string) => EpisodeRow | null;

export const projectRow = (record: ProjectRecord, reviewer: Reviewer, now: number): ProjectRow => ({
  project: record.id,
  name: record.name,
  instructions: record.instructions,
  created_at: record.createdAt,
  updated_at: record.updatedAt,
  schema_version: record.schema.version,
  dimensions: [...record.schema.dimensions],
  queues: [...record.queues.values()]
    .filter((queue) => mayReview(queue, reviewer))
    .map((queue) => queueRow(record, queue, reviewer, now)),
});

function queueRow(record: ProjectRecord, queue: QueueRecord, reviewer: Reviewer, now: number): QueueRow {
  const { dimensions } = record.schema;
  const { seat, isOwner } = reviewer;
  const progress = progressOf(dimensions, queue, now);
  return {
    queue: queue.queue,
    name: queue.name,
    subject: queue.subject,
    reviewers_per_item: queue.reviewers_per_item,
    seats: isOwner ? queue.seats : [],
    is_blind: queue.is_blind,
    hides_outcome: queue.hides_outcome,
    lease_ms: queue.lease_ms,
    made_at: queue.madeAt,
    progress: isOwner
      ? progress
      : {
          ...progress,
          conflicts: 0,
          adjudicated: 0,
          reviewers: progress.reviewers.filter((one) => one.seat === seat),
        },
    agreement: isOwner ? agreementOf(dimensions, queue) : [],
    free: free(queue, seat, now).length,
    done: queue.items.filter((item) => item.seats.get(seat)?.state === 'done').length,
  };
}

export function reviewItemRow(
  { project, queue, item }: ReviewerItem,
  reviewer: Reviewer,
  rowOf: RowOf,
): ItemRow {
  const { seat, isOwner } = reviewer;
  const seats = [...item.seats].map(([id, { state, timing }]) => ({
    seat: id,
    state,
    active_ms: timing.active_ms,
  }));
  return {
    item: item.item,
    subject: doneBy(item).includes(seat) ? item.subject : unsourced(item.subject),
    episodes: episodesOf(item.subject).map((episode) => {
      const row = rowOf(episode);
      return row === null || !isHidden(queue, item, seat)
        ? row
        : { ...row, reward: null, reward_type: null, is_covered: true };
    }),
    reviewers: isOwner || !queue.is_blind ? [...item.reviewers] : [],
    mine: item.seats.get(seat)?.state ?? 'open',
    seats: isOwner || !queue.is_blind ? seats : seats.filter((one) => one.seat === seat),
    is_complete: isComplete(queue, item),
    conflicts: isOwner ? openConflicts(project.schema.dimensions, item) : { all: 0, open: 0 },
  };
}

/** Whose move stands on which side would decide between them. */
const unsourced = (subject: Subject): Subject =>
  subject.type === 'episode'
    ? subject
    : { ...subject, left: nameless(subject.left), right: nameless(subject.right) };
const nameless = (candidate: Candidate): Candidate =>
  candidate.type === 'move' ? { ...candidate, source: '' } : candidate;

/** The outcome is kept back until the reviewer has finished. */
const isHidden = (queue: QueueRecord, item: ItemRecord, seat: string): boolean =>
  queue.hides_outcome && !doneBy(item).includes(seat);

export function itemView(
  found: ReviewerItem,
  reviewer: Reviewer,
  how: { rowOf: RowOf; until: number | null },
): ItemView {
  const { project, queue, item } = found;
  // Nobody reads another's view before giving their own: owners too, while they review.
  const isMine = ({ reviewer: by }: { reviewer: string }): boolean => !queue.is_blind || by === reviewer.seat;
  return {
    row: reviewItemRow(found, reviewer, how.rowOf),
    until: how.until,
    hides_outcome: isHidden(queue, item, reviewer.seat),
    is_blind: queue.is_blind,
    schema_version: project.schema.version,
    annotations: item.annotations.filter(isMine).map(annotationRow),
    corrections: item.corrections.filter(isMine).map(correctionRow),
    preferences: item.preferences.filter(isMine).map(preferenceRow),
  };
}

/** Rows for an adjudicator: everybody's finished word where they differ. */
export const conflictRows = ({ project, item }: ReviewerItem): ConflictRow[] =>
  conflictsOf(project.schema.dimensions, item).map(
    ({ adjudication, corrections, isOpenQuestion, ...rest }) => ({
      ...rest,
      corrections: corrections.map(correctionRow),
      is_open_question: isOpenQuestion,
      adjudication:
        adjudication === null
          ? null
          : {
              adjudication: adjudication.id,
              value: adjudication.value,
              correct: adjudication.correct,
              reason: adjudication.reason,
              reviewer: adjudication.reviewer,
              at: adjudication.at,
            },
    }),
  );

export const annotationRow = ({ id, schemaVersion, ...rest }: Annotation): AnnotationRow => ({
  annotation: id,
  schema_version: schemaVersion,
  ...rest,
});
export const correctionRow = ({ id, ...rest }: Correction): CorrectionRow => ({ correction: id, ...rest });
const preferenceRow = ({ id, left: _left, right: _right, ...rest }: Preference): PreferenceRow => ({
  preference: id,
  ...rest,
});
