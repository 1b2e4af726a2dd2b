// The phases of the public recipe (OpenEnv PR #428): which share of the rollouts has an expert, by the format errors of
// the step before.
export const RECIPE_PHASES = [
  { name: 'independence', from: 0, to: 0.4, expert_share: 0.25 },
  { name: 'balanced', from: 0.4, to: 0.7, expert_share: 0.5 },
  { name: 'scaffold', from: 0.7, to: 1, expert_share: 0.75 },
] as const;
