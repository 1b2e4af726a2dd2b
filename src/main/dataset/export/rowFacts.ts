// The provenance columns of a row, and the facts that the rules read of it.
import { type EpisodeRecord, taskRef, type Turn } from '../../../shared/episode/record.ts';
import { type Actor, inheritPrivilege, isLeakFree, type Privilege } from '../../../shared/events/actor.ts';
import { mayBeHelped, unseenPrivilege } from '../../../shared/episode/help.ts';
import type { FormatColumn, RowFacts, EpisodeRows, MadeRow } from './format.ts';
import { hasThought, type TranscriptLine } from './transcriptLine.ts';
import { expertStems, holdsAskTool, speaksOfExpert } from './withoutExpert.ts';
import { maskLine } from './trainingConversation.ts';
import { unknowableFacts } from './unknowable.ts';

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

/** What those had seen whose words stand among lines: advice, the reason of a decline, a note. */
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

/** What the author had seen: names joined by `+`, `none`, or `unknown`. */
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

/** What a trainer reads of a row, as one text. */
export const identityOf = (...read: unknown[]): string => JSON.stringify(read);

type RowSource = {
  origin: RowOrigin;
  identity: string;
  /** The conversation as the row has it: what is taught follows what is read. */
  read: readonly TranscriptLine[];
  taught: readonly TranscriptLine[];
  /** The side of a pair to turn from, which stands beside what is taught. */
  rejected?: TranscriptLine;
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
    rejected,
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
    hasExpertWords: rejected?.isExperts === true || replies.some(({ isExperts }) => isExperts),
    ...(replies.length === 0 ? {} : { hasThoughts: replies.some(hasThought) }),
    // Comparing texts of a whole conversation: only where a rule or a check asks.
    get unknowable() {
      return unknowableFacts({ read, taught, tools }, trains);
    },
    get hasTrace() {
      if (!isStripped) return false;
      return tracesIn([...all, ...(rejected === undefined ? [] : [rejected])], tools, mayBeHelped(record));
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

/** Whether the tool to ask with is named anywhere, or a reply, which trains or stands in a prompt, speaks of the expert. */
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
 * What the person who wrote a turn, or changed what became of it, had seen; what nobody recorded is unknown. A call that
 * was let through is the agent's own.
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

/** What everybody who helped had seen, before a turn or in the whole episode. */
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
