// Routes a question to an expert: the one the agent named, or by the table. Pure: a replay routes it alike.
import type { EpisodeRecord } from '../episode/record.ts';
import { troubleBefore } from '../episode/attempts.ts';
import { isFormatError } from '../episode/turns.ts';
import { plainName, type Expert, type QuestionKind, type Roster, type Routing } from './roster.ts';

/** Failed calls in a row from which a question counts as one about recovery. */
const REPEATED_ERRORS = 2;

/** Possible answerers: a model alone, people without a draft, or people with one. */
export type Answerers = 'model' | 'people' | 'people_and_draft';

export type RoutedQuestion = {
  kind: QuestionKind;
  /** The name the agent gave, as it wrote it; null where it named nobody. */
  wanted: string | null;
  answerers: Answerers;
  now: number;
  deadline_at: number | null;
  isOnDuty: (seat: string) => boolean;
};

/** Experts an agent may name where these answer. */
export const expertsFor = ({ experts }: Pick<Roster, 'experts'>, answerers: Answerers): Expert[] =>
  experts.filter(({ kind }) =>
    answerers === 'model' ? kind === 'model' : answerers === 'people' ? kind === 'person' : true,
  );

/** The question's subject before this turn: the last thing that went wrong, or the start. */
export function questionKind(record: EpisodeRecord, before: number): QuestionKind {
  const earlier = record.turns.filter(({ turn, move }) => turn < before && move !== null);
  const last = earlier.at(-1);
  if (last !== undefined && isBadlyFormed(record, last)) return 'format_error';
  if (troubleBefore(record, before).error_streak >= REPEATED_ERRORS) return 'tool_errors';
  return earlier.some(({ move }) => move?.type === 'call_tool') ? 'other' : 'start';
}

const isBadlyFormed = ({ tools }: EpisodeRecord, { move, call }: EpisodeRecord['turns'][number]): boolean =>
  move?.type === 'malformed' || (call !== null && isFormatError(tools, move, call.decision, call.returned));

const QUESTION_WORDS: Readonly<Record<QuestionKind, string>> = {
  format_error: 'after a format error',
  tool_errors: 'after repeated tool errors',
  start: 'at the start',
  other: 'any other question',
};

export function routeQuestion(roster: Roster, question: RoutedQuestion): Routing {
  const { kind, wanted, answerers } = question;
  const skill = roster.routes[kind];
  const able = expertsFor(roster, answerers);
  const named = wanted === null ? undefined : able.find(({ name }) => plainName(name) === plainName(wanted));
  const chosen = named ?? bySkill(able, skill);
  const missed = wanted !== null && named === undefined ? whyNotFollowed(roster, wanted) : null;
  const seated = firstSeat(roster, chosen, question);
  const rule =
    named === undefined ? ruleWords(chosen, kind, skill) : `the agent asked for ${named.name} by name`;
  return {
    expert: chosen?.name ?? null,
    by: named === undefined ? 'rule' : 'name',
    question: kind,
    skill,
    reason: [missed, rule, seated.words].filter((part) => part !== null).join('; '),
    ...(wanted === null || named !== undefined ? {} : { not_followed: wanted.trim() }),
    drafter: drafterOf(roster, chosen, skill, answerers),
    first: seated.first,
  };
}

/** The first of the roster with the skill, or the first of all. */
const bySkill = <E extends Expert>(experts: readonly E[], skill: string): E | undefined =>
  experts.find(({ skills }) => skills.some((one) => plainName(one) === plainName(skill))) ?? experts[0];

function ruleWords(chosen: Expert | undefined, kind: QuestionKind, skill: string): string {
  const rule = `${QUESTION_WORDS[kind]}: ${skill}`;
  if (chosen === undefined) return `${rule}, and the roster has nobody who may answer here`;
  const isSkilled = chosen.skills.some((one) => plainName(one) === plainName(skill));
  return isSkilled ? rule : `${rule}, which nobody has, so the first of the roster`;
}

function whyNotFollowed({ experts }: Roster, wanted: string): string {
  const known = experts.find(({ name }) => plainName(name) === plainName(wanted));
  if (known === undefined) return `the agent asked for ${wanted.trim()}, who is not in the roster`;
  return known.kind === 'person'
    ? `the agent asked for ${known.name}, and no person answers in this condition`
    : `the agent asked for ${known.name}, and no model answers in this condition`;
}

/** The model expert itself, or the one with the skill where a person was chosen. */
function drafterOf(
  { experts }: Roster,
  chosen: Expert | undefined,
  skill: string,
  answerers: Answerers,
): string | null {
  if (answerers === 'people') return null;
  if (chosen?.kind === 'model') return chosen.name;
  return bySkill(expertsFor({ experts }, 'model'), skill)?.name ?? null;
}

type FirstSeat = { first: Routing['first']; words: string | null };

/** A seat comes first only while it is there, and never beyond half of the time there is: nothing waits for ever. */
function firstSeat(
  { seat_first_s }: Roster,
  chosen: Expert | undefined,
  { now, deadline_at, isOnDuty }: RoutedQuestion,
): FirstSeat {
  if (chosen?.kind !== 'person') return { first: null, words: null };
  if (!isOnDuty(chosen.seat))
    return { first: null, words: `${chosen.name} is not at the desk: open to every seat` };
  const half = deadline_at === null ? Number.POSITIVE_INFINITY : Math.max(0, deadline_at - now) / 2;
  const wait = Math.min(seat_first_s * 1000, half);
  if (wait <= 0) return { first: null, words: null };
  return {
    first: { seat: chosen.seat, until: Math.floor(now + wait) },
    words: `shown to ${chosen.name} first`,
  };
}
