// Human judgements of episodes, one line each, in a form of this product: no release of OpenEnv has a reader for it.
import { PREFERENCE } from '../../../../shared/review/agreement.ts';
import type { ItemRecord } from '../../../../shared/review/record.ts';
import { PROCESS_REWARD } from '../../../../shared/review/taxonomy.ts';
import { doneBy } from '../../../../shared/review/seating.ts';
import type { Privilege } from '../../../../shared/events/actor.ts';
import type { Candidate, Dimension, Target, Value } from '../../../../shared/events/annotations.ts';
import type { Turn } from '../../../../shared/episode/record.ts';
import { episodeFacts, privilegeWords } from '../rowFacts.ts';
import type { Format, MadeRow, EpisodeInput } from '../format.ts';
import { safeText } from '../json.ts';
import { createTally } from '../trainingConversation.ts';

export const humanFeedback: Format = {
  id: 'human_feedback',
  verdict: 'any',
  columns: [
    { name: 'kind', type: 'string' },
    { name: 'target', type: 'string' },
    { name: 'value', type: 'json', isNullable: true },
    { name: 'against', type: 'json', isNullable: true },
    { name: 'dimension', type: 'json', isNullable: true },
    { name: 'comment', type: 'json', isNullable: true },
    { name: 'reviewer_id', type: 'json', isNullable: true },
    { name: 'target_id', type: 'json' },
    { name: 'metadata', type: 'json' },
  ],
  says:
    'A line a judgement, in a form of Interject’s own: annotations, corrections, preferences and adjudications of finished ' +
    'reviews, and labels given live. `value` is a number or a text or null (a label a person set, a preferred ' +
    'candidate), so the columns that may be null are JSON: read them as such. `target_id` is the episode, with the turn ' +
    'or the event after “#”. Reviewers stand there by opaque ids. A tie has no place in the format.',
  rows: (input) => {
    const tally = createTally();
    const privileged = input.record.turns.flatMap((turn) => labelLines(input, turn));
    const all = [...privileged, ...input.reviews().flatMap((item) => linesOfItem(input, item, tally.drop))];
    all.forEach((line, i) => tally.rows.push(feedbackRow(input, line, i)));
    if (all.length === 0) tally.drop('no_feedback');
    return tally.made();
  },
};

type FeedbackLine = {
  kind: 'label' | 'preference' | 'correction';
  target: 'step' | 'trajectory' | 'dimension';
  value: number | string | null;
  against: string | null;
  dimension: string | null;
  comment: string | null;
  reviewer_id: string | null;
  target_id: string;
  metadata: Record<string, unknown>;
  privilege: Privilege;
  turn: number | null;
};

function feedbackRow({ record }: EpisodeInput, line: FeedbackLine, i: number): MadeRow {
  const { kind, target, value, against, dimension, comment, privilege, turn } = line;
  const metadata = { ...line.metadata, privilege: privilegeWords(privilege) };
  const judged = { kind, target, value, against, dimension, comment };
  const row = { ...judged, reviewer_id: line.reviewer_id, target_id: line.target_id, metadata };
  return {
    row,
    facts: {
      ...episodeFacts(record, { lines: [] }, `#${String(i)}`),
      turn,
      n: record.turns.find((one) => one.turn === turn)?.n ?? 1,
      actor: 'human',
      privilege,
      label: kind,
      mask: () => [{ role: kind, text: JSON.stringify(row), trains: false, why: 'a record' }],
    },
  };
}

const turnId = (episode: string, turn: number): string => `${episode}#turn-${String(turn)}`;

/** Feedback from a label given while the episode ran: whether the person agrees, and what they would have done. */
function labelLines({ record }: EpisodeInput, { turn, label }: Turn): FeedbackLine[] {
  if (label === null) return [];
  const common = {
    target: 'step' as const,
    against: null,
    dimension: null,
    comment: null,
    reviewer_id: label.actor.id,
    target_id: turnId(record.id, turn),
    privilege: label.privilege,
    turn,
  };
  const metadata = { at: label.at, given: 'live', move: label.move, share_asked: label.beta };
  return [
    { ...common, kind: 'label', value: label.agrees ? 1 : 0, metadata },
    ...(label.agrees ? [] : [{ ...common, kind: 'correction' as const, value: null, metadata }]),
  ];
}

function linesOfItem(input: EpisodeInput, item: ItemRecord, drop: (rule: string) => void): FeedbackLine[] {
  const done = new Set(doneBy(item));
  const isHere = (target: Target): boolean => target.episode === input.record.id;
  return [
    ...item.annotations
      .filter(({ reviewer, target }) => done.has(reviewer) && isHere(target))
      .flatMap((one) => judged(input, item, one, one.reviewer, {})),
    ...item.adjudications
      .filter(({ target, dimension }) => isHere(target) && dimension !== PREFERENCE)
      .flatMap((one) => judged(input, item, one, one.reviewer, { adjudication: true, reason: one.reason })),
    ...item.corrections
      .filter(({ reviewer, target }) => done.has(reviewer) && isHere(target))
      .map((one): FeedbackLine => {
        const { target, correct, reason, reviewer, privilege, at } = one;
        return {
          kind: 'correction',
          ...targetFields(target),
          value: null,
          against: null,
          dimension: null,
          comment: reason === null ? null : safeText(reason),
          reviewer_id: reviewer,
          metadata: { at, correct: correct.type === 'move' ? correct.move : correct.text },
          privilege,
        };
      }),
    ...preferences(input, item, done, drop),
  ];
}

const targetFields = (target: Target): Pick<FeedbackLine, 'target' | 'target_id' | 'turn'> => {
  const { episode } = target;
  switch (target.on) {
    case 'trajectory':
      return { target: 'trajectory', target_id: episode, turn: null };
    case 'step':
    case 'call':
      return { target: 'step', target_id: turnId(episode, target.turn), turn: target.turn };
    case 'range': {
      const range = `${target.field}:${String(target.start)}-${String(target.end)}`;
      return {
        target: 'step',
        target_id: `${episode}#event-${String(target.n)}:${range}`,
        turn: target.turn,
      };
    }
  }
};

type GivenJudgement = {
  at: number;
  target: Target;
  dimension: string;
  schemaVersion: number;
  value: Value | null;
  privilege: Privilege;
};

/** One line for a value; one for each label where several are set. */
function judged(
  input: EpisodeInput,
  item: ItemRecord,
  { at, target, dimension: id, schemaVersion, value, privilege }: GivenJudgement,
  reviewer: string,
  more: Record<string, unknown>,
): FeedbackLine[] {
  const asked = itemDimension(input, item, id, schemaVersion);
  const place = targetFields(target);
  const metadata = { at, on: target.on, use: asked?.use ?? null, type: value?.type ?? null, ...more };
  const line = (said: number | string | null, comment: string | null = null): FeedbackLine => ({
    kind: 'label',
    ...place,
    target: 'dimension',
    value: said,
    against: null,
    dimension: id,
    comment,
    reviewer_id: reviewer,
    metadata,
    privilege,
  });
  switch (value?.type) {
    case 'label':
      return value.options.map((option) => line(option));
    case 'category':
      return [line(value.option)];
    case 'scale':
      return [line(value.number)];
    case 'free_text':
      return [line(null, safeText(value.text))];
    case undefined:
      return [line(null)];
  }
}

/** The preferred candidate and the other, by the first episode's id alone so that a pair is told once. */
function preferences(
  { record }: EpisodeInput,
  item: ItemRecord,
  done: ReadonlySet<string>,
  drop: (rule: string) => void,
): FeedbackLine[] {
  if (item.subject.type !== 'pair' || item.subject.left.episode !== record.id) return [];
  return item.preferences.flatMap(
    ({ left, right, choice, reason, reviewer, privilege, at }): FeedbackLine[] => {
      if (!done.has(reviewer)) return [];
      if (choice === 'tie') {
        drop('tie');
        return [];
      }
      const [better, worse] = choice === 'left' ? [left, right] : [right, left];
      const turn = left.type === 'episode' ? null : left.turn;
      return [
        {
          kind: 'preference',
          target: turn === null ? 'trajectory' : 'step',
          value: candidateId(better),
          against: candidateId(worse),
          dimension: null,
          comment: reason === null ? null : safeText(reason),
          reviewer_id: reviewer,
          target_id: turn === null ? record.id : turnId(record.id, turn),
          metadata: { at, preferred: better, other: worse },
          privilege,
          turn,
        },
      ];
    },
  );
}

function candidateId(candidate: Candidate): string {
  switch (candidate.type) {
    case 'episode':
      return candidate.episode;
    case 'turn':
      return turnId(candidate.episode, candidate.turn);
    case 'move':
      return `${turnId(candidate.episode, candidate.turn)}:${candidate.source}`;
  }
}

/** The schema of its project; without it the one that projects start with. */
const itemDimension = (
  input: EpisodeInput,
  item: ItemRecord,
  id: string,
  version: number,
): Dimension | null =>
  input.dimension?.(item, id, version) ?? (id === PROCESS_REWARD.id ? PROCESS_REWARD : null);
