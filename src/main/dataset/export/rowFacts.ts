// Owns: where a row comes from, in flat columns, and what the rules read of it.
import { isLeakFree, type Actor, type Privilege } from '../../../shared/events/actor.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { uptakeOf } from '../../../shared/episode/uptake.ts';
import type { Column, RowFacts } from './format.ts';
import type { Line } from './line.ts';
import { maskLine } from './talk.ts';

export type Origin = {
  consultation: string | null;
  turn: number | null;
  /** Who gave the advice or made the choice: human, model, scripted, agent. */
  actor: Actor['type'];
  act: string;
  privilege: Privilege;
};

/** The same keys on every line, no nulls: a missing index is -1, a missing reward 0. */
export const provenance = (record: EpisodeRecord, { consultation, turn, actor, act, privilege }: Origin) => ({
  episode: record.id,
  scenario: scenarioOf(record),
  task_idx: taskIdxOf(record),
  condition: record.started?.condition ?? '',
  consultation: consultation ?? '',
  turn: turn ?? 0,
  actor,
  act,
  /** What the author had seen: names joined by `+`, `none`, or `unknown`. */
  privilege: privilegeWords(privilege),
  leak_free: isLeakFree(privilege),
  reward: record.ended?.reward ?? 0,
  reward_type: record.ended?.rewardType ?? '',
});

export const PROVENANCE: readonly Column[] = [
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

export const scenarioOf = (record: EpisodeRecord): string =>
  record.reset?.scenario ?? record.started?.scenario ?? '';
export const taskIdxOf = (record: EpisodeRecord): number =>
  record.reset?.task_idx ?? record.started?.task_idx ?? -1;

/** The columns of messages. */
export const messageColumns = (...names: string[]): Column[] =>
  names.map((name) => ({ name, type: 'json', isList: true }));

/** What a trainer reads of a row, as one text. */
export const identityOf = (...read: unknown[]): string => JSON.stringify(read);

type Known = {
  origin: Origin;
  identity: string;
  /** The conversation as the row has it: what is taught follows what is read. */
  read: readonly Line[];
  taught: readonly Line[];
  label?: string | null;
  n?: number | null;
  /** No word of an expert is left in it. */
  isStripped?: boolean;
};

/** The facts of a row that is made of lines. */
export function factsOf(
  record: EpisodeRecord,
  { origin, identity, read, taught, label = null, n, isStripped = false }: Known,
): RowFacts {
  const all = [...read, ...taught];
  const consultation = record.consultations.find(({ id }) => id === origin.consultation);
  return {
    task: [scenarioOf(record), taskIdxOf(record)],
    n: n ?? taught[0]?.n ?? all.at(-1)?.n ?? null,
    turn: origin.turn,
    consultation: origin.consultation,
    actor: origin.actor,
    privilege: isStripped ? [] : origin.privilege,
    // Looked for where a rule asks: comparing calls with advice is a twentieth of an export.
    get uptake() {
      return consultation === undefined ? null : (uptakeOf(record, consultation)?.verdict ?? null);
    },
    hasTimeout: all.some(({ isTimeout }) => isTimeout),
    isLate: false,
    hasFabricated: all.some(({ kind }) => kind === 'fabricated'),
    hasTouched: all.some(({ untrainable }) => untrainable === 'touched'),
    label,
    identity,
    mask: () => [...read.map((line) => maskLine(line, false)), ...taught.map((line) => maskLine(line, true))],
  };
}
