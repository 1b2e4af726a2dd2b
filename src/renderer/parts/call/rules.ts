// The approval rules people start from, and what is wrong with one. Pure.
import type { ApprovalRule } from '../../../shared/events/stepIns.ts';

const rule = (glob: string, does: ApprovalRule['does'], count: number | null = null): ApprovalRule => ({
  glob,
  argument: null,
  does,
  count,
});

const READ_ONLY = ['get_*', 'list_*', 'search_*', 'find_*'] as const;

type Preset = { id: string; label: string; detail: string; rules: readonly ApprovalRule[] };

export const PRESETS: readonly Preset[] = [
  { id: 'none', label: 'No approvals', detail: 'Every call goes through.', rules: [] },
  {
    id: 'all',
    label: 'Approve every call',
    detail: 'Every call waits for a person.',
    rules: [rule('*', 'ask')],
  },
  {
    id: 'read_only',
    label: 'Reads go through',
    detail: `Tools whose names start with ${READ_ONLY.map((glob) => glob.slice(0, -1)).join(', ')} go through; all others wait.`,
    rules: [...READ_ONLY.map((glob) => rule(glob, 'auto')), rule('*', 'ask')],
  },
  {
    id: 'first',
    label: 'First three calls',
    detail: 'The first three calls wait; later ones go through.',
    rules: [rule('*', 'first', 3)],
  },
  {
    id: 'escalate',
    label: 'After two failures',
    detail:
      'Calls go through until two have failed or were rejected or edited by a person. From then on every call waits.',
    rules: [rule('*', 'escalate', 2)],
  },
];

/** First count of the rules that have one. */
export const COUNTS = { first: 1, escalate: 2 } as const;
export const isCounted = (does: ApprovalRule['does']): does is keyof typeof COUNTS =>
  Object.hasOwn(COUNTS, does);
export const ESCALATES =
  'How many may fail, or be rejected or edited by a person, before every such call waits.';

export const NEW_RULE: ApprovalRule = rule('*', 'ask');

/** The preset these rules are, or null. */
export const presetOf = (rules: readonly ApprovalRule[]): string | null =>
  PRESETS.find((preset) => JSON.stringify(preset.rules) === JSON.stringify(rules))?.id ?? null;

/** The fault of a rule, or null. */
export function ruleProblem({ glob, does, count }: ApprovalRule): string | null {
  if (glob.trim() === '') return 'Name a tool, or * for all.';
  if (!isCounted(does) || (count !== null && Number.isInteger(count) && count >= 1)) return null;
  return does === 'first'
    ? 'How many wait: a whole number from 1.'
    : 'How many may fail: a whole number from 1.';
}

/** The list with one rule moved up or down. */
export function moved(rules: readonly ApprovalRule[], index: number, by: 1 | -1): ApprovalRule[] {
  const [one, other] = [rules[index], rules[index + by]];
  if (one === undefined || other === undefined) return [...rules];
  return rules.map((each, at) => (at === index ? other : at === index + by ? one : each));
}
