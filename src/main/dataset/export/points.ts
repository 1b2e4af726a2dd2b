// Owns: decision points: two replies to one prompt, of which somebody has said that one is better. Never two ways that an
// episode went on: the world is in the same state for both replies, or there is no pair.
import { PREFERENCE } from '../../../shared/annotate/agreement.ts';
import type { ItemRecord } from '../../../shared/annotate/record.ts';
import { doneBy } from '../../../shared/annotate/seating.ts';
import { inheritPrivilege } from '../../../shared/events/actor.ts';
import type { Candidate } from '../../../shared/events/annotations.ts';
import type { Told } from './format.ts';
import { ASK_EXPERT } from '../../../shared/wire.ts';
import { BLANK, type Line } from './line.ts';
import type { Reply } from './replies.ts';
import type { Origin } from './rowFacts.ts';
import { insteadOf, type Talk } from './talk.ts';

export type Point = {
  /** The line both replies stand in place of. */
  at: number;
  /**
   * `edited`: a person changed the call. `corrected`: a call that was turned down, and the one that went through after.
   * `refused`: the same for a call the agent may not make. `label`: what a person would have done. `reviewer`: what a
   * reviewer says should have been done. `pairwise`: which of two a reviewer prefers.
   */
  pair: 'edited' | 'corrected' | 'refused' | 'label' | 'reviewer' | 'pairwise';
  chosen: Reply;
  rejected: Reply;
  origin: Origin;
};

/** Points in the order of the conversation, and the rules that left some out. */
export function pointsOf(told: Told, talk: Talk): { points: Point[]; dropped: string[] } {
  const found: (Point | string)[] = talk.story.lines.flatMap((line, at) =>
    line.kind === 'reply' && line.untrainable !== 'copied' ? atLine(talk, line, at) : [],
  );
  found.push(...told.reviews().flatMap((item) => said(talk, item)));
  const dropped: string[] = [];
  const points = found.flatMap((one) => {
    const rule = typeof one === 'string' ? one : isSame(one) ? 'identical' : null;
    if (rule === null) return [one as Point];
    dropped.push(rule);
    return [];
  });
  return { points, dropped };
}

const isSame = ({ chosen, rejected }: Point): boolean => wordsOf(chosen) === wordsOf(rejected);
const wordsOf = ({ content, calls }: Reply): string =>
  JSON.stringify([content.trim(), calls.map(({ name, raw }) => [name, plain(raw)])]);

/** Arguments without what only spacing says. */
function plain(raw: string): unknown {
  try {
    return JSON.parse(raw) as unknown;
  } catch {
    return raw;
  }
}

function atLine(talk: Talk, line: Line, at: number): (Point | string)[] {
  const { of: turn, proposed, turn: number } = line;
  const decision = turn?.call?.decision ?? null;
  const origin = { consultation: null, turn: number };
  const found: (Point | string)[] = [];
  if (proposed !== null && decision?.type === 'edited') {
    const { actor, privilege } = decision;
    const by = { ...origin, actor: actor.type, act: 'edited_call', privilege };
    found.push({ at, pair: 'edited', chosen: line, rejected: proposed, origin: by });
  } else if (decision?.type === 'rejected') {
    const { actor, privilege } = decision;
    const by = { ...origin, actor: actor.type, act: 'rejected', privilege };
    found.push(corrected(talk, { at, pair: 'corrected', rejected: line, origin: by }));
  } else if (turn?.call?.refused) {
    const by = { ...origin, actor: 'agent' as const, act: 'corrected', privilege: [] };
    found.push(corrected(talk, { at, pair: 'refused', rejected: line, origin: by }));
  }
  const label = turn?.label ?? null;
  if (label !== null && !label.agrees) {
    const chosen = insteadOf(talk, line, label.move);
    const by = { ...origin, actor: label.actor.type, act: 'label', privilege: label.privilege };
    found.push(
      chosen === null ? 'malformed' : { at, pair: 'label', chosen, rejected: proposed ?? line, origin: by },
    );
  }
  return found;
}

/** The next reply, where its call went through: the one that was turned down never reached the environment. */
function corrected(talk: Talk, point: Omit<Point, 'chosen'>): Point | string {
  const next = talk.story.lines.slice(point.at + 1).find(({ kind }) => kind === 'reply');
  const returned = next?.of?.call?.returned ?? null;
  if (next === undefined || returned === null || returned.error !== null) return 'no_effective_call';
  return { ...point, chosen: next };
}

function said(talk: Talk, item: ItemRecord): (Point | string)[] {
  const done = new Set(doneBy(item));
  const corrections = item.corrections.flatMap((one): (Point | string)[] => {
    const { target, correct, reviewer, privilege } = one;
    if (!done.has(reviewer) || target.episode !== talk.record.id) return [];
    const at = target.on === 'trajectory' ? -1 : placeOf(talk, target.turn ?? -1);
    const line = talk.story.lines[at];
    if (line === undefined) return ['no_such_turn'];
    const isWords = line.calls.length === 0 && (line.move === null || line.move.type === 'final');
    if (correct.type === 'text' && !isWords) return ['correction_in_words'];
    const chosen =
      correct.type === 'text'
        ? { content: correct.text, calls: [], reasoning: null }
        : insteadOf(talk, line, correct.move);
    if (chosen === null) return ['malformed'];
    const origin = {
      consultation: null,
      turn: line.turn,
      actor: 'human' as const,
      act: 'reviewer',
      privilege,
    };
    return [{ at, pair: 'reviewer', chosen, rejected: line.proposed ?? line, origin }];
  });
  return item.subject.type === 'pair'
    ? [...corrections, ...preferred(talk, item, item.subject, done)]
    : corrections;
}

const placeOf = (talk: Talk, turn: number): number =>
  talk.story.lines.findIndex((line) => line.kind === 'reply' && line.turn === turn);

/** Which of two moves at one point reviewers prefer; two whole episodes are no pair, they went different ways. */
function preferred(
  talk: Talk,
  item: ItemRecord,
  { left, right }: { left: Candidate; right: Candidate },
  done: ReadonlySet<string>,
): (Point | string)[] {
  if (left.episode !== talk.record.id) return [];
  const preferences = item.preferences.filter(({ reviewer }) => done.has(reviewer));
  if (preferences.length === 0) return [];
  if (left.type === 'episode' || right.type === 'episode') return ['whole_episodes'];
  if (left.episode !== right.episode || left.turn !== right.turn) return ['other_point'];
  const choice = choiceOf(
    item,
    preferences.map((one) => one.choice),
  );
  if (choice === 'tie') return ['no_preference'];
  const at = placeOf(talk, left.turn);
  const line = talk.story.lines[at];
  if (line === undefined) return ['no_such_turn'];
  const [better, worse] = choice === 'left' ? [left, right] : [right, left];
  const [chosen, rejected] = [better, worse].map((one) =>
    one.type === 'move' ? insteadOf(talk, line, one.move) : line,
  );
  if (!chosen || !rejected) return ['malformed'];
  const privilege = inheritPrivilege(...preferences.map((one) => one.privilege));
  const origin = { consultation: null, turn: line.turn, actor: 'human' as const, act: 'pairwise', privilege };
  return [{ at, pair: 'pairwise', chosen, rejected, origin }];
}

/** The adjudicator's word, else what most say. */
function choiceOf(item: ItemRecord, choices: readonly string[]): 'left' | 'right' | 'tie' {
  const last = item.adjudications.find(({ dimension }) => dimension === PREFERENCE)?.value;
  const sure = last?.type === 'category' ? [last.option] : choices;
  const lead = sure.filter((one) => one === 'left').length - sure.filter((one) => one === 'right').length;
  return lead === 0 ? 'tie' : lead > 0 ? 'left' : 'right';
}

/** What was read before a point, or the rule that leaves the point out. */
export function promptOf(talk: Talk, { at, chosen, rejected }: Point): Line[] | string {
  const refused = talk.refuses(at);
  if (refused !== null) return refused;
  const read = talk.part(0, at);
  if (!read.some(({ role }) => role !== 'system')) return 'no_prompt';
  const asks = [chosen, rejected].some(({ calls, content }) =>
    calls.length === 0 ? content.includes(`"${ASK_EXPERT}"`) : calls.some(({ name }) => name === ASK_EXPERT),
  );
  return talk.isStripped && asks ? 'only_asked' : read;
}

/** A reply that nobody wrote into the conversation, as a line that is taught. */
export const asTaught = (talk: Talk, { at }: Pick<Point, 'at'>, reply: Reply): Line => ({
  ...((talk.story.lines[at] ?? BLANK) as Line),
  ...reply,
  kind: 'reply',
  role: 'assistant',
  untrainable: null,
});
