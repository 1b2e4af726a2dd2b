// Whether the name of a plan is free, or taken by another plan.
import { type BenchPlan, planDifferences } from '../../../shared/bench/plan.ts';
import { useAsk } from '../../state/queries.ts';

type NameCheck = {
  /** Names what the bench of this name was planned with otherwise. */
  problem: string | null;
  /** A bench of this name has the same plan. */
  isSame: boolean;
  isFree: boolean;
};

/** What stands against a name that a bench has already; null for one of the same plan. */
export function nameProblem(planned: BenchPlan, wanted: BenchPlan): string | null {
  const differing = planDifferences(planned, wanted);
  if (differing.length === 0) return null;
  return `${planned.name} is taken by a bench with other ${differing.join(', ')}. Choose another name.`;
}

export function useNameCheck(plan: BenchPlan | null, known: readonly string[]): NameCheck {
  const isTaken = plan !== null && known.includes(plan.name);
  const { value, failure } = useAsk('bench.show', isTaken ? { name: plan.name } : null, {
    keepsPrevious: false,
  });
  const problem = isTaken && value !== null ? nameProblem(value.plan, plan) : null;
  return {
    problem,
    isSame: isTaken && value !== null && problem === null,
    // Start checks it again: where it cannot be read now, nobody is kept from it.
    isFree: !isTaken || failure !== null || (value !== null && problem === null),
  };
}
