// Withdraws the expert from a task once the agent solves it reliably alone, and gives it back when the agent fails
// again. The bounds differ, so one rollout more or less never makes it go and come. Pure.
import { wilson } from '../statistics/proportions.ts';
import type { CurriculumSettings } from './settings.ts';

export type WithdrawalState = {
  /** Whether each of its last rollouts alone completed it, oldest first. */
  recent: readonly boolean[];
  is_withdrawn: boolean;
};
export const WITH_EXPERT: WithdrawalState = { recent: [], is_withdrawn: false };

type WithdrawalResult = {
  state: WithdrawalState;
  solved: number;
  of: number;
  /** Wilson's lower bound at 95 %; null before the window is full. */
  lower: number | null;
  change: 'withdrawn' | 'returned' | null;
};

/** After these rollouts alone. Before the window is full nothing changes. */
export function withdrawalAfter(
  { recent, is_withdrawn }: WithdrawalState,
  outcomes: readonly boolean[],
  { is_on, window, withdraw_at, return_below }: CurriculumSettings['withdrawal'],
): WithdrawalResult {
  const last = [...recent, ...outcomes].slice(-window);
  const solved = last.filter(Boolean).length;
  const lower = last.length < window ? null : (wilson(solved, last.length)?.low ?? null);
  const isLeaving = is_on && !is_withdrawn && lower !== null && lower >= withdraw_at;
  const isReturning = is_withdrawn && (!is_on || (lower !== null && lower < return_below));
  return {
    state: { recent: last, is_withdrawn: isLeaving || (is_withdrawn && !isReturning) },
    solved,
    of: last.length,
    lower,
    change: isLeaving ? 'withdrawn' : isReturning ? 'returned' : null,
  };
}
