// The rules as a form: its sections, what differs from the default, what a check says each of them left out, and how
// one is loosened. Pure.
import { ExportRules, type ExportFormat, type ExportReport } from '../../../shared/contract/export.ts';
import { canonical } from '../../../shared/canonical.ts';
import { dropWords } from '../../../shared/export/dropWords.ts';

export type RuleName = keyof ExportRules;
export type SectionId = 'episodes' | 'ended' | 'advice' | 'doubtful' | 'many' | 'split' | 'form';

export const SECTIONS: readonly { id: SectionId; label: string; rules: readonly RuleName[] }[] = [
  { id: 'episodes', label: 'Which episodes', rules: ['episodes', 'filter', 'after_seq'] },
  { id: 'ended', label: 'Outcome', rules: ['verdict', 'min_reward', 'conditions'] },
  { id: 'advice', label: 'Whose advice', rules: ['actors', 'privilege', 'uptake'] },
  {
    id: 'doubtful',
    label: 'Uncertain turns',
    rules: ['include_timeouts', 'include_late', 'include_fabricated', 'include_contrary', 'touched'],
  },
  { id: 'many', label: 'Number of rows', rules: ['dedupe', 'cap_per_task', 'balance'] },
  { id: 'split', label: 'Validation and held-out tasks', rules: ['validation', 'held_out'] },
  { id: 'form', label: 'Row format', rules: ['arguments', 'reasoning'] },
];

/** Nothing narrowed, the doubtful left out: the same for every format, which itself says what verdict it takes. */
export const DEFAULT_RULES: ExportRules = ExportRules.parse({});

export const isChanged = (rules: ExportRules, name: RuleName): boolean =>
  canonical(rules[name]) !== canonical(DEFAULT_RULES[name]);

export const changedRules = (rules: ExportRules): RuleName[] =>
  SECTIONS.flatMap((section) => section.rules).filter((name) => isChanged(rules, name));

/** One rule as it is by default. */
export const withDefault = (rules: ExportRules, name: RuleName): ExportRules => ({
  ...rules,
  [name]: DEFAULT_RULES[name],
});

/** How many a rule of the form left out in a check. */
export const leftOutBy = (dropped: ExportReport['dropped'], name: RuleName): number =>
  Object.entries(dropped).reduce(
    (sum, [drop, count]) => sum + (dropWords(drop).rule === name ? count : 0),
    0,
  );

type Loosening = { label: string; change: Partial<ExportRules> };
const LOOSER: Readonly<Partial<Record<RuleName, Loosening>>> = {
  episodes: { label: 'Include all episodes', change: { episodes: null } },
  filter: { label: 'Clear the filter', change: { filter: {} } },
  after_seq: { label: 'Include older episodes', change: { after_seq: null } },
  verdict: { label: 'Include any verdict', change: { verdict: 'any' } },
  min_reward: { label: 'Include any reward', change: { min_reward: null } },
  conditions: { label: 'Include every condition', change: { conditions: null } },
  actors: { label: 'Include every author', change: { actors: null } },
  privilege: { label: 'Keep and mark them', change: { privilege: 'flag' } },
  uptake: { label: 'Include any uptake', change: { uptake: null } },
  include_timeouts: { label: 'Include timeouts', change: { include_timeouts: true } },
  include_late: { label: 'Include late advice', change: { include_late: true } },
  include_fabricated: { label: 'Include fabricated results', change: { include_fabricated: true } },
  include_contrary: { label: 'Include contradicted rows', change: { include_contrary: true } },
  touched: { label: 'Mask the turns instead', change: { touched: 'mask' } },
  dedupe: { label: 'Keep duplicates', change: { dedupe: false } },
  cap_per_task: { label: 'No limit per task', change: { cap_per_task: null } },
  balance: { label: 'Do not balance', change: { balance: false } },
};

/** How to let in what was left out under that name; null where no rule here does, or none should. */
export function loosening(
  drop: string,
  rules: ExportRules,
  format: ExportFormat,
): { label: string; rules: ExportRules } | null {
  const { rule } = dropWords(drop);
  // What they promise is that their episodes were completed.
  if (rule === 'verdict' && format === 'demonstrations') return null;
  const looser = rule === null ? undefined : LOOSER[rule];
  if (looser === undefined) return null;
  const next = { ...rules, ...looser.change };
  return canonical(next) === canonical(rules) ? null : { label: looser.label, rules: next };
}
