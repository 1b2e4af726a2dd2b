// What became of both sides of a pair, as columns, and the rule that compares them.
import type { FormatColumn } from './format.ts';

export type SideOutcome = {
  /** What the verifier said; empty where that is not known. */
  outcome: string;
  reward: number;
  /** `episode`: it was played in this one. `sibling`: in another episode of the task. */
  known: 'episode' | 'sibling' | 'unknown';
};
export type Sides = { chosen: SideOutcome; rejected: SideOutcome };

/** The rule that leaves a pair out, or null. */
export function contrary({ chosen, rejected }: Sides): 'chosen_failed' | 'rejected_completed' | null {
  if (chosen.outcome !== '' && chosen.outcome !== 'complete') return 'chosen_failed';
  return rejected.outcome === 'complete' ? 'rejected_completed' : null;
}

const SIDE_NAMES = ['chosen', 'rejected'] as const;
export const OUTCOME_COLUMNS: readonly FormatColumn[] = SIDE_NAMES.flatMap((side): FormatColumn[] => [
  { name: `${side}_outcome`, type: 'string' },
  { name: `${side}_reward`, type: 'float64' },
  { name: `${side}_known`, type: 'string' },
]);
export const outcomeFields = (sides: Sides): Record<string, string | number> =>
  Object.fromEntries(
    SIDE_NAMES.flatMap((side) => [
      [`${side}_outcome`, sides[side].outcome],
      [`${side}_reward`, sides[side].reward],
      [`${side}_known`, sides[side].known],
    ]),
  );
