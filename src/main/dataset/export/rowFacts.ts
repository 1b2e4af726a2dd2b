// The provenance columns of a row, and the facts that the rules read of it.
import { mayBeHelped, unseenPrivilege } from '../../../shared/episode/help.ts';
import { type EpisodeRecord, taskRef, type Turn } from '../../../shared/episode/record.ts';
import { type Actor, inheritPrivilege, isLeakFree, type Privilege } from '../../../shared/events/actor.ts';
import { isNumber, tryExactJson } from '../../../shared/json.ts';
import { hasEqualKeys } from '../../../shared/jsonSpans.ts';
import {
  factsInText,
  isYear,
  loosened,
  namesInText,
  normalizeText,
  numbersIn,
} from '../../../shared/literals.ts';
import type { FormatColumn, RowFacts, EpisodeRows, MadeRow } from './format.ts';
import { maskLine } from './trainingConversation.ts';
import { expertStems, holdsAskTool, speaksOfExpert } from './transcript.ts';
import { hasThought, type TranscriptLine, CALL_IN_TEXT, replyMoves } from './transcriptLine.ts';

export type RowOrigin = {
  consultation: string | null;
  turn: number | null;
  /** Who gave the advice or made the choice: human, model, scripted, agent. */
  actor: Actor['type'];
  act: string;
  privilege: Privilege;
};

/** Of what somebody did or said about one turn; what nobody recorded of them is unknown. */
export const turnOrigin = (
  turn: number | null,
  act: string,
  { actor, privilege = 'unknown' }: { actor: Pick<Actor, 'type'>; privilege?: Privilege | undefined },
): RowOrigin => ({ consultation: null, turn, actor: actor.type, act, privilege });

/** The privilege behind words among lines: advice, the reason of a decline, a note. */
const linesPrivilege = (
  { consultations, notes }: EpisodeRecord,
  lines: readonly Pick<TranscriptLine, 'kind' | 'turn'>[],
): Privilege => {
  const read = new Set(lines.flatMap(({ kind, turn }) => (kind === 'reply' ? [] : [turn])));
  return inheritPrivilege(
    ...consultations.flatMap(({ delivered, turn }) =>
      delivered === null || !read.has(turn) ? [] : [delivered.privilege],
    ),
    ...notes.flatMap(({ privilege, deliveredTurn }) =>
      deliveredTurn === null || !read.has(deliveredTurn) ? [] : [privilege],
    ),
  );
};

/** With what everybody had seen whose words stand in the row. */
export const originWith = (
  record: EpisodeRecord,
  origin: RowOrigin,
  lines: readonly TranscriptLine[],
): RowOrigin => ({
  ...origin,
  privilege: inheritPrivilege(origin.privilege, linesPrivilege(record, lines)),
});

/** The same keys on every line, no nulls: a missing index is -1, a missing reward 0. */
export const provenance = (
  record: EpisodeRecord,
  { consultation, turn, actor, act, privilege }: RowOrigin,
) => ({
  episode: record.id,
  scenario: scenarioOf(record),
  task_idx: taskIndex(record),
  condition: record.started?.condition ?? '',
  consultation: consultation ?? '',
  turn: turn ?? 0,
  actor,
  act,
  ...privilegeColumns(inheritPrivilege(unseenPrivilege(record), privilege)),
  reward: record.ended?.reward ?? 0,
  reward_type: record.ended?.reward_type ?? '',
});

/** The author's privilege: names joined by `+`, `none`, or `unknown`. */
const privilegeColumns = (privilege: Privilege) => ({
  privilege: privilegeWords(privilege),
  leak_free: isLeakFree(privilege),
});

export const PROVENANCE: readonly FormatColumn[] = [
  { name: 'episode', type: 'string' },
  { name: 'scenario', type: 'string' },
  { name: 'task_idx', type: 'int64' },
  { name: 'condition', type: 'string' },
  { name: 'consultation', type: 'string' },
  { name: 'turn', type: 'int64' },
  { name: 'actor', type: 'string' },
  { name: 'act', type: 'string' },
  { name: 'privilege', type: 'string' },
  { name: 'leak_free', type: 'bool' },
  { name: 'reward', type: 'float64' },
  { name: 'reward_type', type: 'string' },
];

export const privilegeWords = (privilege: Privilege): string =>
  privilege === 'unknown' ? 'unknown' : privilege.length === 0 ? 'none' : privilege.join('+');

export const scenarioOf = (record: EpisodeRecord): string => taskRef(record).scenario ?? '';
export const taskIndex = (record: EpisodeRecord): number => taskRef(record).task_idx ?? -1;

/** The columns of messages. */
export const messageColumns = (...names: string[]): FormatColumn[] =>
  names.map((name) => ({ name, type: 'json', isList: true }));

/** The text of a row that a trainer reads. */
export const identityOf = (...read: unknown[]): string => JSON.stringify(read);

type RowSource = {
  origin: RowOrigin;
  identity: string;
  /** The conversation as the row has it: what is taught follows what is read. */
  read: readonly TranscriptLine[];
  taught: readonly TranscriptLine[];
  /** The side of a pair to turn from, which stands beside what is taught. */
  rejected?: readonly TranscriptLine[];
  label?: string | null;
  judged?: RowFacts['judged'];
  n?: number | null;
  /** No word of an expert is left in it. */
  isStripped?: boolean;
  tools?: readonly unknown[];
  /** Which of what is taught has a loss; every reply, where nothing is said. */
  trains?: (line: TranscriptLine) => boolean;
};

/** The facts of a row that is made of lines. */
export function rowFacts(
  record: EpisodeRecord,
  {
    origin,
    identity,
    read,
    taught,
    rejected = [],
    label = null,
    judged,
    n,
    isStripped = false,
    tools = [],
    trains = () => true,
  }: RowSource,
): RowFacts {
  const all = [...read, ...taught];
  const replies = taught.filter((line) => line.kind === 'reply' && trains(line));
  return {
    task: [scenarioOf(record), taskIndex(record)],
    n: n ?? taught[0]?.n ?? all.at(-1)?.n ?? null,
    turn: origin.turn,
    consultation: origin.consultation,
    actor: origin.actor,
    privilege: isStripped
      ? unseenPrivilege(record)
      : inheritPrivilege(unseenPrivilege(record), origin.privilege),
    hasExpertWords: [...rejected, ...replies].some(({ isExperts }) => isExperts),
    ...(replies.length === 0 ? {} : { hasThoughts: replies.some(hasThought) }),
    hasEqualKeys: [...all, ...rejected].some(({ calls }) => calls.some(({ raw }) => hasEqualKeys(raw))),
    // Comparing texts of a whole conversation: only where a rule or a check asks.
    get unknowable() {
      return unreadFacts({ read, taught, tools }, trains);
    },
    get hasTrace() {
      if (!isStripped) return false;
      return tracesIn([...all, ...rejected], tools, mayBeHelped(record));
    },
    hasTimeout: all.some(({ isTimeout }) => isTimeout),
    isLate: false,
    hasFabricated: all.some(({ kind }) => kind === 'fabricated'),
    label,
    ...(judged === undefined ? {} : { judged }),
    identity,
    mask: () => [...read.map((line) => maskLine(line, false)), ...taught.map((line) => maskLine(line, true))],
  };
}

/** True if the tool to ask with is named, or a reply that trains or stands in a prompt speaks of the expert. */
function tracesIn(lines: readonly TranscriptLine[], tools: readonly unknown[], isHelped: boolean): boolean {
  const offered = JSON.stringify(tools);
  if (holdsAskTool(offered)) return true;
  // Words that were read before are the world's own; what comes back later may only repeat the agent.
  const world = expertStems(offered);
  return lines.some((line) => {
    const { kind, role, content, calls, reasoning } = line;
    if (kind === 'reply')
      return [content, reasoning ?? '', ...calls.flatMap(({ name, raw }) => [name, raw])].some((text) =>
        speaksOfExpert(text, isHelped, world),
      );
    if (role !== 'system' && WORLDS.has(kind)) for (const stem of stemsOf(line)) world.add(stem);
    return holdsAskTool(content);
  });
}

const WORLDS: ReadonlySet<TranscriptLine['kind']> = new Set(['prompt', 'environment']);
const byLine = new WeakMap<TranscriptLine, Set<string>>();

/** Rows of one episode share their lines. */
function stemsOf(line: TranscriptLine): Set<string> {
  const known = byLine.get(line) ?? expertStems(line.content);
  byLine.set(line, known);
  return known;
}

/**
 * The privilege of the person who wrote a turn, or changed what became of it; `unknown` if nobody recorded it. A call
 * that was let through is the agent's own.
 */
export function turnPrivilege({ actor, privilege = 'unknown', call }: Turn): Privilege {
  const decision = call?.decision ?? null;
  return inheritPrivilege(
    actor.type === 'human' ? privilege : [],
    decision !== null && decision.type !== 'approved' && 'privilege' in decision ? decision.privilege : [],
  );
}

/** An expert who was asked in another tool's log: what they had seen is told nowhere. */
export const askedElsewhere = (
  { imported, turns, consultations }: EpisodeRecord,
  before = Number.POSITIVE_INFINITY,
): Privilege =>
  imported !== null &&
  turns.some(
    ({ turn, move }) =>
      turn < before && move?.type === 'ask_expert' && !consultations.some((one) => one.turn === turn),
  )
    ? 'unknown'
    : [];

/** Privilege of everybody who helped, before a turn or in the whole episode. */
export const episodePrivilege = (record: EpisodeRecord, before = Number.POSITIVE_INFINITY): Privilege =>
  inheritPrivilege(
    unseenPrivilege(record),
    askedElsewhere(record, before),
    ...record.consultations.flatMap(({ delivered, turn }) =>
      delivered === null || turn >= before ? [] : [delivered.privilege],
    ),
    ...record.notes.flatMap(({ privilege, deliveredTurn }) =>
      deliveredTurn === null || deliveredTurn > before ? [] : [privilege],
    ),
    ...record.turns.filter(({ turn }) => turn < before).map(turnPrivilege),
  );

/** An episode is the same row as no other one. `part` tells rows of one episode apart. */
export const episodeFacts = (
  record: EpisodeRecord,
  {
    lines,
    tools = [],
    isStripped = false,
  }: { lines: readonly TranscriptLine[]; tools?: readonly unknown[]; isStripped?: boolean },
  part = '',
): RowFacts => ({
  task: [scenarioOf(record), taskIndex(record)],
  n: 1,
  turn: null,
  consultation: null,
  actor: record.turns.some(({ actor }) => actor.type === 'human') ? 'human' : 'agent',
  privilege: isStripped ? unseenPrivilege(record) : episodePrivilege(record),
  hasTimeout: lines.some(({ isTimeout }) => isTimeout),
  isLate: false,
  hasFabricated: lines.some(({ kind }) => kind === 'fabricated'),
  label: null,
  get hasTrace() {
    return isStripped && tracesIn(lines, tools, mayBeHelped(record));
  },
  identity: `${record.id}${part}`,
  mask: () => lines.map((line) => ({ ...maskLine(line, false), why: line.untrainable ?? 'a record' })),
});

export const singleRow = (row: MadeRow['row'], facts: RowFacts, more?: MadeRow['more']): EpisodeRows => ({
  rows: [more === undefined ? { row, facts } : { row, facts, more }],
  dropped: {},
});

/** No row, and the rule that says why. */
export const noRow = (rule: string): EpisodeRows => ({ rows: [], dropped: { [rule]: 1 } });

/**
 * The facts of every taught reply that nothing before it tells, as `key: value` or as the words themselves: ids, addresses
 * or names that only somebody with the answer can have given. They are what is left of an expert that was taken out of a
 * conversation.
 */
export function unreadFacts(
  {
    read,
    taught,
    tools,
  }: { read: readonly TranscriptLine[]; taught: readonly TranscriptLine[]; tools: readonly unknown[] },
  trains: (line: TranscriptLine) => boolean,
): string[] {
  const sources: KnownSource[] = tools.length === 0 ? [] : [remembered(tools, JSON.stringify(tools), true)];
  // What the agent says itself is no source: it may have it from advice that is gone.
  const take = (line: TranscriptLine): void =>
    void (line.kind === 'reply' || sources.push(remembered(line, line.content, false)));
  read.forEach(take);
  const found: string[] = [];
  for (const line of taught) {
    if (line.kind === 'reply' && trains(line)) found.push(...unknownIn(line, createKnown(sources)));
    take(line);
  }
  return [...new Set(found)];
}

type KnownSource = { text: string; loose: string; numbers: ReadonlySet<number>; isTools: boolean };
const bySource = new WeakMap<object, KnownSource>();

/** Rows of one episode share their lines. */
function remembered(of: object, content: string, isTools: boolean): KnownSource {
  const known = bySource.get(of);
  if (known !== undefined) return known;
  const text = normalizeText(content);
  const made = { text, loose: loosened(text), numbers: numbersAndSums(text), isTools };
  bySource.set(of, made);
  return made;
}

const FIELD = /(?<!\w)"?(\w+)"?\s*:\s*(-?\d+(?:\.\d+)?)(?![\w-])/g;

/** Every number, and the sum of each field: an answer may add up what it read. */
function numbersAndSums(text: string): Set<number> {
  const numbers = numbersIn(text);
  const sums = new Map<string, number>();
  for (const [, key = '', value] of text.matchAll(FIELD)) sums.set(key, (sums.get(key) ?? 0) + Number(value));
  for (const sum of sums.values()) numbers.add(sum);
  return numbers;
}

type Knowledge = {
  says: (text: string) => boolean;
  /** `isId`: a default or a limit that a schema names is no record's id. */
  hasNumber: (value: number, isId: boolean) => boolean;
  isDerived: (value: number) => boolean;
};

/** Pairs of numbers that are tried: of a long conversation the last ones. */
const DERIVED_MAX = 300;

function createKnown(sources: readonly KnownSource[]): Knowledge {
  const hasNumber: Knowledge['hasNumber'] = (value, isId) =>
    sources.some(({ numbers, isTools }) => !(isId && isTools) && numbers.has(value));
  return {
    says: (text) => {
      const words = normalizeText(text);
      const loose = loosened(words);
      return sources.some((source) => source.text.includes(words) || source.loose.includes(loose));
    },
    hasNumber,
    isDerived: (value) => {
      const numbers = sources.flatMap(({ numbers: all }) => [...all]).slice(-DERIVED_MAX);
      if (numbers.some((one) => Math.round(one) === value)) return true;
      return numbers.some((a) =>
        [
          value - a,
          a - value,
          value + a,
          value / a,
          a / value,
          (value / a) * 100,
          (value / a - 1) * 100,
        ].some((b) => Number.isFinite(b) && numbers.some((one) => Math.abs(one - b) < 1e-6)),
      );
    },
  };
}

function unknownIn(line: TranscriptLine, known: Knowledge): string[] {
  const called = replyMoves(line).flatMap(({ args }) => literalsIn(args));
  const words = line.content.replace(CALL_IN_TEXT, ' ');
  return [
    ...called.flatMap(({ key, value }) => (isUnknown(key, value, known) ? [`${key}: ${String(value)}`] : [])),
    ...called.flatMap(({ value }) =>
      typeof value === 'string' ? factsInText(value).filter((one) => isNews(one, known)) : [],
    ),
    ...[words, line.reasoning ?? ''].flatMap((text) =>
      [...factsInText(text), ...namesInText(text)].filter((one) => isNews(one, known)),
    ),
  ];
}

type Literal = { key: string; value: string | number };

/** Strings and numbers of a call's arguments, each under the key it stands at. A text that is JSON is looked into. */
function literalsIn(value: unknown, key = ''): Literal[] {
  if (isNumber(value)) return [{ key, value: Number(value) }];
  if (typeof value === 'string') {
    const inner = /^\s*[[{]/.test(value) ? tryExactJson(value) : undefined;
    return inner === undefined ? [{ key, value }] : literalsIn(inner, key);
  }
  if (Array.isArray(value)) return value.flatMap((one) => literalsIn(one, key));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => literalsIn(inner, name));
}

/** Keys whose values name a record or a person, which nobody makes up. */
const ID_KEY = /(?:^|_)(?:ids?|uuid|guid|sku|slug|email|username)$|(?:Ids?|Uuid|Email)$/i;
const PERSON_KEY =
  /(?:^|_)(?:owner|user|assignee|author|contact|customer|person|recipient|member)(?:_name)?$/i;
/** A default, a page or a count: any agent may choose it. */
const LEAST_SPECIAL = 1000;

function isUnknown(key: string, value: string | number, known: Knowledge): boolean {
  const isId = ID_KEY.test(key);
  const number = typeof value === 'number' ? value : /^\d+$/.test(value.trim()) ? Number(value) : null;
  if (number !== null) {
    if (known.hasNumber(number, isId)) return false;
    if (isId) return number !== 0 && !(typeof value === 'string' && known.says(value));
    return number >= LEAST_SPECIAL && number % 10 !== 0 && !isYear(number) && !known.isDerived(number);
  }
  const words = String(value);
  if (words.trim() === '' || known.says(words)) return false;
  return isId || (PERSON_KEY.test(key) && /^\p{Lu}/u.test(words));
}

function isNews(fact: string, known: Knowledge): boolean {
  if (/^\d+$/.test(fact)) {
    const number = Number(fact);
    return (
      !known.hasNumber(number, false) && !known.says(fact) && number % 10 !== 0 && !known.isDerived(number)
    );
  }
  if (known.says(fact)) return false;
  const isName = /^\p{Lu}\p{Ll}+ /u.test(fact);
  // A name of which nothing was read; one in another order or form was.
  return isName ? fact.split(' ').every((word) => !known.says(word)) : true;
}
