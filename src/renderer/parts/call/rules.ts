// Owns: the approval rules people start from, and what is wrong with one. Pure.
import type { ApprovalRule } from '../../../shared/events/stepIns.ts';

const rule = (glob: string, does: ApprovalRule['does'], count: number | null = null): ApprovalRule => ({
  glob,
  argument: null,
  does,
  count,
});

export const READ_ONLY = ['get_*', 'list_*', 'search_*', 'find_*'] as const;

export type Preset = { id: string; label: string; detail: string; rules: readonly ApprovalRule[] };

export const PRESETS: readonly Preset[] = [
  { id: 'none', label: 'Nothing waits', detail: 'Every call goes through.', rules: [] },
  {
    id: 'all',
    label: 'Ask for everything',
    detail: 'Every call waits for a person.',
    rules: [rule('*', 'ask')],
  },
  {
    id: 'read_only',
    label: 'Reading goes through',
    detail: `Tools whose names start with ${READ_ONLY.map((glob) => glob.slice(0, -1)).join(', ')} go through; all others wait.`,
    rules: [...READ_ONLY.map((glob) => rule(glob, 'auto')), rule('*', 'ask')],
  },
  {
    id: 'first',
    label: 'The first three calls',
    detail: 'Three calls wait; after that they go through.',
    rules: [rule('*', 'first', 3)],
  },
];

export const NEW_RULE: ApprovalRule = rule('*', 'ask');

/** The preset these rules are, or null. */
export const presetOf = (rules: readonly ApprovalRule[]): string | null =>
  PRESETS.find((preset) => JSON.stringify(preset.rules) === JSON.stringify(rules))?.id ?? null;

/** What is wrong with a rule, or null. */
export function ruleProblem({ glob, does, count }: ApprovalRule): string | null {
  if (glob.trim() === '') return 'Name a tool, or * for all.';
  return does === 'first' && (count === null || !Number.isInteger(count) || count < 1)
    ? 'Say how many wait: a whole number from 1.'
    : null;
}

/** The list with one rule moved up or down. */
export function moved(rules: readonly ApprovalRule[], index: number, by: 1 | -1): ApprovalRule[] {
  const [one, other] = [rules[index], rules[index + by]];
  if (one === undefined || other === undefined) return [...rules];
  return rules.map((each, at) => (at === index ? other : at === index + by ? one : each));
}
