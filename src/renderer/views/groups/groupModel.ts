// What a group of rollouts comes to: its numbers, and which episodes belong to it now. Pure.
import type { GroupRow } from '../../../shared/contract/gateway.ts';
import type { EpisodeRow } from '../../../shared/contract/rows.ts';
import { taskPlace, taskWords } from '../../parts/episode/taskTitle.ts';

/** The episodes of a group as they were read, with what has come since; first started first. */
export function mergedRows(
  group: string,
  read: readonly EpisodeRow[],
  known: ReadonlyMap<string, EpisodeRow>,
): EpisodeRow[] {
  const rows = new Map(read.map((row) => [row.id, row]));
  for (const row of known.values()) {
    if (row.group === group && row.seq > (rows.get(row.id)?.seq ?? -1)) rows.set(row.id, row);
  }
  return [...rows.values()].toSorted((a, b) => a.started_at - b.started_at || (a.id < b.id ? -1 : 1));
}

export type GroupSummary = {
  size: number;
  ended: number;
  completed: number;
  touched: number;
  /** How many have a reward: the mean is over these. */
  rewarded: number;
  mean: number | null;
  min: number | null;
  max: number | null;
  /** Every rollout with a reward got the same: a trainer that compares them learns nothing from it. */
  isFlat: boolean;
};

export function groupSummary(rows: readonly EpisodeRow[]): GroupSummary {
  const rewards = rows.flatMap(({ reward }) => (reward === null ? [] : [reward]));
  const [min, max] = rewards.length === 0 ? [null, null] : [Math.min(...rewards), Math.max(...rewards)];
  return {
    size: rows.length,
    ended: rows.filter(({ status }) => status === 'ended').length,
    completed: rows.filter(({ reward_type: type }) => type === 'complete').length,
    touched: rows.filter(({ touched }) => touched > 0).length,
    rewarded: rewards.length,
    mean: rewards.length === 0 ? null : rewards.reduce((sum, one) => sum + one, 0) / rewards.length,
    min,
    max,
    isFlat: rewards.length > 1 && rewards.length === rows.length && min === max,
  };
}

export const rewardText = (value: number | null): string =>
  value === null ? '–' : String(Number(value.toFixed(3)));

/** A reward beside the mean of its group: what a trainer that compares rollouts sees. */
export function againstMean(reward: number | null, mean: number | null): string {
  if (reward === null || mean === null) return '';
  const difference = Number((reward - mean).toFixed(3));
  return difference === 0
    ? 'equal to the mean'
    : `${difference > 0 ? '+' : '−'}${String(Math.abs(difference))}`;
}

/** Where a reward stands between 0 and the largest of its group, in percent of the bar; negative rewards have none. */
export function rewardBar(reward: number | null, { max }: Pick<GroupSummary, 'max'>): number | null {
  if (reward === null) return null;
  const full = Math.max(1, max ?? 1);
  return Math.max(0, Math.min(100, (reward / full) * 100));
}

/** An id of our own says nothing to anybody. */
const OWN_ID = /^[0-9a-z]{16,24}$/;

const NO_SCENARIO = 'unknown scenario';

/** What its episodes were to do, in the task's own words. */
export const groupWords = (group: Pick<GroupRow, 'scenario' | 'task_idx' | 'task'>): string =>
  taskWords(group, NO_SCENARIO);

/** Where their task is from, and the name a trainer gave it: its run and step are in that. */
export function groupName({
  group,
  scenario,
  task_idx: task,
}: Pick<GroupRow, 'group' | 'scenario' | 'task_idx'>): string {
  const place = taskPlace({ scenario, task_idx: task }, NO_SCENARIO);
  return OWN_ID.test(group) ? place : `${place} · ${group}`;
}
