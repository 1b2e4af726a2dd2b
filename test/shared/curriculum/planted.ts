// Rollouts with a planted outcome.
import { Rollout } from '../../../src/shared/curriculum/rollout.ts';

let made = 0;

/** A group of one task of which so many completed it, those first. */
export function rolloutsOf(completed: number, of: number, over: Partial<Rollout> = {}): Rollout[] {
  made += 1;
  return Array.from({ length: of }, (_, at) =>
    Rollout.parse({
      id: `r${String(made)}-${String(at)}`,
      step: 1,
      scenario: 'planted',
      task_idx: 0,
      group: `g${String(made)}`,
      arm: 'solo',
      completed: at < completed,
      reward: at < completed ? 1 : 0,
      format_error: false,
      ...over,
    }),
  );
}
