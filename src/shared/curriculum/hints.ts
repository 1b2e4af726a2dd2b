// Selects the hint for a task's groups: none until a whole group without the expert is at zero, then a more telling one
// each time that happens again; a hint that helped is taken back by one. Pure.
import { HINT_TIERS, type HintTier, type Rollout } from './rollout.ts';
import type { CurriculumSettings } from './settings.ts';

export type HintState = {
  tier: HintTier;
  /** Whole groups at zero in a row since the hint last changed. */
  zeros: number;
};
export const NO_HINT: HintState = { tier: 'none', zeros: 0 };

/** Rollouts of one group that were judged, and how many of them completed the task. */
type JudgedGroup = { group: string; hint: HintTier; completed: number; judged: number };
type HintResult = {
  state: HintState;
  groups: JudgedGroup[];
  change: 'more' | 'less' | null;
};

/** A group says nothing with the expert, with one rollout, or where it had another hint than the task has now. */
export function hintAfter(
  before: HintState,
  rollouts: readonly Rollout[],
  settings: CurriculumSettings['hints'],
): HintResult {
  const groups = judgedGroups(rollouts);
  if (!settings.is_on) return { state: NO_HINT, groups, change: before.tier === 'none' ? null : 'less' };
  const telling = groups.filter(({ hint }) => hint === before.tier);
  let state = before;
  for (const { completed, judged } of telling) {
    if (state.tier !== before.tier) break;
    state = afterGroup(state, completed, judged, settings);
  }
  const way = HINT_TIERS.indexOf(state.tier) - HINT_TIERS.indexOf(before.tier);
  return { state, groups, change: way > 0 ? 'more' : way < 0 ? 'less' : null };
}

function afterGroup(
  { tier, zeros }: HintState,
  completed: number,
  judged: number,
  { groups_at_zero, ease_at }: CurriculumSettings['hints'],
): HintState {
  if (completed === 0) {
    const isMore = zeros + 1 >= groups_at_zero && tier !== 'solution';
    return isMore ? { tier: moved(tier, 1), zeros: 0 } : { tier, zeros: zeros + 1 };
  }
  return { tier: completed / judged >= ease_at ? moved(tier, -1) : tier, zeros: 0 };
}

const moved = (tier: HintTier, by: 1 | -1): HintTier =>
  HINT_TIERS[Math.max(0, HINT_TIERS.indexOf(tier) + by)] ?? tier;

function judgedGroups(rollouts: readonly Rollout[]): JudgedGroup[] {
  const judged = rollouts.filter(
    ({ arm, group, completed }) => arm === 'solo' && group !== null && completed !== null,
  );
  return [...Map.groupBy(judged, ({ group }) => group ?? '')].flatMap(([group, list]) => {
    const [first] = list;
    // A group of one, or of several hints, is no group.
    if (first === undefined || list.length < 2 || list.some(({ hint }) => hint !== first.hint)) return [];
    const completed = list.filter((one) => one.completed === true).length;
    return [{ group, hint: first.hint, completed, judged: list.length }];
  });
}
