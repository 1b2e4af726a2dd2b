// Facts for rows that are a whole episode: nothing in them is taught.
import { inheritPrivilege, type Privilege } from '../../../shared/events/actor.ts';
import { mayBeHelped, unseenPrivilege } from '../../../shared/episode/help.ts';
import type { EpisodeRecord, Turn } from '../../../shared/episode/record.ts';
import type { EpisodeRows, MadeRow, RowFacts } from './format.ts';
import type { TranscriptLine } from './transcriptLine.ts';
import { scenarioOf, taskIndex, tracesIn } from './rowFacts.ts';
import { maskLine } from './trainingConversation.ts';

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
