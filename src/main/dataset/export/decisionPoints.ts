// Decision points: two replies to one prompt of which a person said that one is better. Both must start from the same
// state of the world, so two continuations of an episode never make a pair.
import { PREFERENCE } from '../../../shared/review/agreement.ts';
import type { ItemRecord } from '../../../shared/review/record.ts';
import { doneBy } from '../../../shared/review/seating.ts';
import { AGENT, inheritPrivilege, seatActor, UNKNOWN } from '../../../shared/events/actor.ts';
import type { Candidate } from '../../../shared/events/annotations.ts';
import type { EpisodeInput, RowFacts } from './format.ts';
import { ASK_EXPERT } from '../../../shared/wire.ts';
import { tryExactJson } from '../../../shared/json.ts';
import {
  BLANK,
  hasThought,
  isBarred,
  isUnreadable,
  joinReplies,
  replyTurn,
  type TranscriptLine,
  withoutThought,
  callsInText,
  together,
  type TrainingReply,
  withWords,
} from './transcriptLine.ts';
import { rowFacts, type RowOrigin, turnOrigin } from './rowFacts.ts';
import { moveKey, playedKey, pairOutcomes, type ActionKey } from './outcomes.ts';
import type { Sides } from './format.ts';
import { maskLine, replyInstead, type TrainingConversation, wordsByRule } from './trainingConversation.ts';
import { transcriptOf } from './transcript.ts';

export type DecisionPoint = {
  /** The line both replies stand in place of. */
  at: number;
  /**
   * `edited`: a person changed the call. `corrected`: a call that was turned down, and the one that went through after.
   * `refused`: the same for a call the agent may not make. `label`: what a person would have done. `reviewer`: what a
   * reviewer says should have been done. `pairwise`: which of two a reviewer prefers.
   * `file`: the sides of a pair that was imported.
   */
  pair: 'edited' | 'corrected' | 'refused' | 'label' | 'reviewer' | 'pairwise' | 'file';
  chosen: TrainingReply;
  rejected: TrainingReply;
  /** What follows these in the sides of an imported pair, up to the last reply of each. */
  further?: { chosen: TranscriptLine[]; rejected: TranscriptLine[] };
  origin: RowOrigin;
  sides: Sides;
};
/** A point before both replies have the form of its protocol, with what each side does and what was done. */
type FoundPoint = Omit<DecisionPoint, 'sides'> & {
  /** Its file says that a reply of either side must not train. */
  isBarred?: boolean;
  actions: { chosen: ActionKey; rejected: ActionKey; played: ActionKey };
};

/** Points in the order of the conversation, and the rules that left some out. */
export function decisionPoints(
  input: EpisodeInput,
  conversation: TrainingConversation,
): { points: DecisionPoint[]; dropped: string[] } {
  const found: (FoundPoint | string)[] = conversation.transcript.lines.flatMap((line, at) =>
    line.kind === 'reply' && line.untrainable !== 'copied' ? atLine(conversation, line, at) : [],
  );
  found.push(...input.reviews().flatMap((item) => correctionPoints(conversation, item)));
  found.push(...importedPair(input, conversation));
  const dropped: string[] = [];
  const points = found.flatMap((part): DecisionPoint[] => {
    const one = typeof part === 'string' ? part : pairOf(conversation, part);
    if (typeof one === 'string') {
      dropped.push(one);
      return [];
    }
    const { actions, isBarred: _, ...point } = one;
    return [{ ...equallyThought(point), sides: pairOutcomes(input, actions) }];
  });
  return { points, dropped };
}

/** The point with the same words on both sides, or the rule that leaves it out. */
function pairOf(conversation: TrainingConversation, part: FoundPoint): FoundPoint | string {
  const point = ofWholeReply(conversation, part);
  const { transcript, words } = conversation;
  // What the agent said stands before the first of several calls; a person's reason is of the one they changed.
  const line = transcript.lines[words === 'agent' ? point.at : part.at];
  const said = line === undefined ? '' : wordsByRule(line, words);
  // What a file compares is as the file has it.
  const spoken = (side: TrainingReply): TrainingReply =>
    point.pair === 'file' ? side : withWords(side, said);
  const pair = { ...point, chosen: spoken(point.chosen), rejected: spoken(point.rejected) };
  if (sideKey(pair, 'chosen') === sideKey(pair, 'rejected')) return 'identical';
  if (pair.isBarred === true) return 'marked';
  if (isUnreadable(pair.chosen)) return 'malformed';
  return hasFailed(conversation, point.at, pair.chosen) ? 'failed' : pair;
}

/** True if the reply makes a call that the environment refused as malformed when it was made in the place of this line. */
export function hasFailed(
  { transcript: { lines } }: TrainingConversation,
  at: number,
  reply: TrainingReply,
): boolean {
  const made = new Set(callKeys(reply));
  return lines.some(
    (line) => line.isFailed && isSameReply(line, lines[at]) && callKeys(line).some((key) => made.has(key)),
  );
}

const isSameReply = (line: TranscriptLine, other: TranscriptLine | undefined): boolean =>
  line.kind === 'reply' && other !== undefined && replyTurn(line) === replyTurn(other);

/** The sides of an imported pair from the first reply in which they differ, where the same stands before both. */
function importedPair(
  input: EpisodeInput,
  { transcript: { lines } }: TrainingConversation,
): (FoundPoint | string)[] {
  const at = lines.findIndex(({ of }) => of?.marks?.judged === true);
  const others = at === -1 ? [] : (input.rejected?.() ?? []);
  if (others.length === 0) return [];
  const before = (all: readonly TranscriptLine[]): string =>
    JSON.stringify(all.slice(0, at).map(({ role, content }) => [role, content]));
  const other = others
    .map((record) => transcriptOf({ record, loadText: input.loadText })?.lines ?? [])
    .find((told) => told[at]?.of?.marks?.judged === false && before(told) === before(lines));
  const [chosen, ...more] = sideFrom(lines, at);
  const [rejected, ...otherMore] = sideFrom(other ?? [], at);
  if (chosen === undefined || rejected === undefined) return ['other_point'];
  const origin = turnOrigin(chosen.turn, 'imported', { actor: UNKNOWN });
  const actions = { chosen: null, rejected: null, played: null };
  const further = { chosen: more, rejected: otherMore };
  const bars = [chosen, rejected, ...more, ...otherMore].some(({ of }) => isBarred(of));
  return [{ at, pair: 'file', chosen, rejected, further, isBarred: bars, origin, actions }];
}

/** From a reply to the last one, each with all its calls. */
const sideFrom = (lines: readonly TranscriptLine[], at: number): TranscriptLine[] =>
  joinReplies(lines.slice(at, lines.findLastIndex(({ kind }) => kind === 'reply') + 1));

/**
 * Of a reply with several calls both sides are the whole reply, after what was read before it: its calls were made without
 * the results of each other. What a person turned down is not taught with the rest.
 */
function ofWholeReply({ transcript: { lines } }: TrainingConversation, point: FoundPoint): FoundPoint {
  const line = lines[point.at];
  if (line === undefined || point.pair === 'file') return point;
  const reply = lines.filter((one) => isSameReply(one, line));
  const [first] = reply;
  if (first === undefined || reply.length === 1) return point;
  const isOwn = point.chosen.calls.length > 0 && point.pair !== 'corrected' && point.pair !== 'refused';
  const kept = reply.filter((one) => one === line || one.of?.call?.decision?.type !== 'rejected');
  return {
    ...point,
    at: lines.indexOf(first),
    chosen: isOwn
      ? { ...point.chosen, calls: kept.flatMap((one) => (one === line ? point.chosen : one).calls) }
      : point.chosen,
    rejected: together(reply.map((one) => one.proposed ?? one)),
  };
}

/** A side that a person wrote has no reasoning: beside one that has, a pair would teach not to think. */
function equallyThought<Point extends Pick<DecisionPoint, 'chosen' | 'rejected' | 'further'>>(
  point: Point,
): Point {
  const { chosen, rejected, further = { chosen: [], rejected: [] } } = point;
  if ([chosen, ...further.chosen].some(hasThought) && [rejected, ...further.rejected].some(hasThought))
    return point;
  return {
    ...point,
    chosen: withoutThought(chosen),
    rejected: withoutThought(rejected),
    further: {
      chosen: further.chosen.map(withoutThought),
      rejected: further.rejected.map(withoutThought),
    },
  };
}

const sideKey = (point: Omit<FoundPoint, 'actions'>, side: 'chosen' | 'rejected'): string =>
  [point[side], ...(point.further?.[side] ?? [])].map(replyKey).join('\n');

const replyKey = (reply: TrainingReply): string => JSON.stringify([reply.content.trim(), callKeys(reply)]);

const callKeys = (reply: TrainingReply): string[] => [
  ...reply.calls.map(({ name, raw }) => JSON.stringify([name, canonicalArguments(raw)])),
  ...callsInText(reply),
];

/** Arguments without what only spacing says. */
function canonicalArguments(raw: string): unknown {
  const value = tryExactJson(raw);
  return value === undefined ? raw : value;
}

function atLine(
  conversation: TrainingConversation,
  line: TranscriptLine,
  at: number,
): (FoundPoint | string)[] {
  const { of: turn, proposed, turn: number } = line;
  const { loadText } = conversation;
  const agents = moveKey(turn?.move ?? null, loadText);
  const played = turn === null ? null : playedKey(turn, loadText);
  const decision = turn?.call?.decision ?? null;
  const found: (FoundPoint | string)[] = [];
  if (proposed !== null && decision?.type === 'edited') {
    const actions = { chosen: played, rejected: agents, played };
    const origin = turnOrigin(number, 'edited_call', decision);
    found.push({ at, pair: 'edited', chosen: line, rejected: proposed, origin, actions });
  } else if (decision?.type === 'rejected') {
    const origin = turnOrigin(number, 'rejected', decision);
    found.push(corrected(conversation, { at, pair: 'corrected', rejected: line, origin }));
  } else if (turn?.call?.refused) {
    const origin = turnOrigin(number, 'corrected', { actor: AGENT, privilege: [] });
    found.push(corrected(conversation, { at, pair: 'refused', rejected: line, origin }));
  }
  const label = turn?.label ?? null;
  if (label !== null && !label.agrees) {
    const chosen = replyInstead(conversation, line, label.move);
    const origin = turnOrigin(number, 'label', label);
    const actions = { chosen: moveKey(label.move, loadText), rejected: agents, played };
    if (chosen === null) found.push('malformed');
    else found.push({ at, pair: 'label', chosen, rejected: proposed ?? line, origin, actions });
  }
  return found;
}

/** The next reply, where its call went through: the one that was turned down never reached the environment. */
function corrected(
  conversation: TrainingConversation,
  point: Omit<FoundPoint, 'chosen' | 'actions'> & { rejected: TranscriptLine },
): FoundPoint | string {
  const next = conversation.transcript.lines
    .slice(point.at + 1)
    .find((one) => one.kind === 'reply' && !isSameReply(one, point.rejected));
  const returned = next?.of?.call?.returned ?? null;
  if (next === undefined || returned === null || returned.error !== null || next.isFailed)
    return 'no_effective_call';
  const played = next.of === null ? null : playedKey(next.of, conversation.loadText);
  const rejected = moveKey(point.rejected.move, conversation.loadText);
  return { ...point, chosen: next, actions: { chosen: played, rejected, played } };
}

function correctionPoints(conversation: TrainingConversation, item: ItemRecord): (FoundPoint | string)[] {
  const done = new Set(doneBy(item));
  const corrections = item.corrections.flatMap((one): (FoundPoint | string)[] => {
    const { target, correct, reviewer, privilege } = one;
    if (!done.has(reviewer) || target.episode !== conversation.record.id) return [];
    const at = target.on === 'trajectory' ? -1 : replyLineIndex(conversation, target.turn ?? -1);
    const line = conversation.transcript.lines[at];
    if (line === undefined) return ['no_such_turn'];
    const isWords = line.calls.length === 0 && (line.move === null || line.move.type === 'final');
    if (correct.type === 'text' && !isWords) return ['correction_in_words'];
    const chosen =
      correct.type === 'text'
        ? { content: correct.text, calls: [], reasoning: null, isExperts: true }
        : replyInstead(conversation, line, correct.move);
    if (chosen === null) return ['malformed'];
    const origin = turnOrigin(line.turn, 'reviewer', { actor: seatActor(null), privilege });
    const actions = {
      chosen:
        correct.type === 'move'
          ? moveKey(correct.move, conversation.loadText)
          : `final\n${correct.text.trim()}`,
      rejected: moveKey(line.of?.move ?? null, conversation.loadText),
      played: line.of === null ? null : playedKey(line.of, conversation.loadText),
    };
    return [{ at, pair: 'reviewer', chosen, rejected: line.proposed ?? line, origin, actions }];
  });
  return item.subject.type === 'pair'
    ? [...corrections, ...preferred(conversation, item, item.subject, done)]
    : corrections;
}

const replyLineIndex = (conversation: TrainingConversation, turn: number): number =>
  conversation.transcript.lines.findIndex((line) => line.kind === 'reply' && line.turn === turn);

/** The reviewers' choice of two moves at one point; two whole episodes are no pair, they went different ways. */
function preferred(
  conversation: TrainingConversation,
  item: ItemRecord,
  { left, right }: { left: Candidate; right: Candidate },
  done: ReadonlySet<string>,
): (FoundPoint | string)[] {
  if (left.episode !== conversation.record.id) return [];
  const preferences = item.preferences.filter(({ reviewer }) => done.has(reviewer));
  if (preferences.length === 0) return [];
  if (left.type === 'episode' || right.type === 'episode') return ['whole_episodes'];
  if (left.episode !== right.episode || left.turn !== right.turn) return ['other_point'];
  const choice = choiceOf(
    item,
    preferences.map((one) => one.choice),
  );
  if (choice === 'tie') return ['no_preference'];
  const at = replyLineIndex(conversation, left.turn);
  const line = conversation.transcript.lines[at];
  if (line === undefined) return ['no_such_turn'];
  const [better, worse] = choice === 'left' ? [left, right] : [right, left];
  const [chosen, rejected] = [better, worse].map((one) =>
    one.type === 'move' ? replyInstead(conversation, line, one.move) : line,
  );
  if (!chosen || !rejected) return ['malformed'];
  const privilege = inheritPrivilege(...preferences.map((one) => one.privilege));
  const origin = turnOrigin(line.turn, 'pairwise', { actor: seatActor(null), privilege });
  const played = line.of === null ? null : playedKey(line.of, conversation.loadText);
  const actionOf = (one: Candidate): ActionKey =>
    one.type === 'move' ? moveKey(one.move, conversation.loadText) : played;
  const actions = { chosen: actionOf(better), rejected: actionOf(worse), played };
  return [{ at, pair: 'pairwise', chosen, rejected, origin, actions }];
}

/** The adjudicator's word, else what most say. */
function choiceOf(item: ItemRecord, choices: readonly string[]): 'left' | 'right' | 'tie' {
  const last = item.adjudications.find(({ dimension }) => dimension === PREFERENCE)?.value;
  const sure = last?.type === 'category' ? [last.option] : choices;
  const lead = sure.filter((one) => one === 'left').length - sure.filter((one) => one === 'right').length;
  return lead === 0 ? 'tie' : lead > 0 ? 'left' : 'right';
}

/** Messages read before a point, or the rule that leaves the point out. */
export function pointPrompt(
  conversation: TrainingConversation,
  { at, chosen, rejected, further }: Pick<DecisionPoint, 'at' | 'chosen' | 'rejected' | 'further'>,
): TranscriptLine[] | string {
  const refused = conversation.refuses(at);
  if (refused !== null) return refused;
  const read = conversation.before(at);
  if (!read.some(({ role }) => role !== 'system')) return 'no_prompt';
  const replies = [chosen, rejected, ...(further?.chosen ?? []), ...(further?.rejected ?? [])];
  const asks = replies.some(({ calls, content }) =>
    calls.length === 0 ? content.includes(`"${ASK_EXPERT}"`) : calls.some(({ name }) => name === ASK_EXPERT),
  );
  return conversation.isStripped && asks ? 'only_asked' : read;
}

/** A reply that nobody wrote into the conversation, as a line that is taught. */
export const asTaught = (
  conversation: TrainingConversation,
  { at }: Pick<DecisionPoint, 'at'>,
  reply: TrainingReply,
): TranscriptLine => ({
  ...((conversation.transcript.lines[at] ?? BLANK) as TranscriptLine),
  ...reply,
  kind: 'reply',
  role: 'assistant',
  untrainable: null,
});

/** Facts of a row that holds both replies of a point. */
export function pointFacts(
  conversation: TrainingConversation,
  point: DecisionPoint,
  row: { origin: RowOrigin; identity: string; read: TranscriptLine[] },
): RowFacts {
  const { further = { chosen: [], rejected: [] } } = point;
  const rejected = [asTaught(conversation, point, point.rejected), ...further.rejected];
  const facts = rowFacts(conversation.record, {
    ...row,
    taught: [asTaught(conversation, point, point.chosen), ...further.chosen],
    rejected,
    label: point.pair,
    tools: conversation.tools,
    isStripped: conversation.isStripped,
  });
  return {
    ...facts,
    sides: point.sides,
    mask: () => [...facts.mask(), ...rejected.map((line) => ({ ...maskLine(line, false), why: 'rejected' }))],
  };
}
