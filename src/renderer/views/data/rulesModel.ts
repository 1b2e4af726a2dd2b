// Owns: the rules as a form: its sections, what differs from the default, what a check says each of them left out, and
// how one is loosened. Pure.
import { ExportRules, type ExportFormat, type ExportReport } from '../../../shared/contract/export.ts';
import { canonical } from '../../../shared/canonical.ts';
import { dropWords } from '../../../shared/export/dropWords.ts';

export type RuleName = keyof ExportRules;
export type SectionId = 'episodes' | 'ended' | 'advice' | 'doubtful' | 'many' | 'split' | 'form';

export const SECTIONS: readonly { id: SectionId; label: string; rules: readonly RuleName[] }[] = [
  { id: 'episodes', label: 'Which episodes', rules: ['episodes', 'filter', 'after_seq'] },
  { id: 'ended', label: 'How they ended', rules: ['verdict', 'min_reward', 'conditions'] },
  { id: 'advice', label: 'Whose advice', rules: ['actors', 'privilege', 'uptake', 'min_agreement'] },
  {
    id: 'doubtful',
    label: 'Doubtful turns',
    rules: ['include_timeouts', 'include_late', 'include_fabricated', 'touched'],
  },
  { id: 'many', label: 'How many', rules: ['dedupe', 'cap_per_task', 'balance'] },
  { id: 'split', label: 'Validation and held-out tasks', rules: ['validation', 'held_out'] },
  { id: 'form', label: 'Form of the rows', rules: ['arguments'] },
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

/** What was left out, the most first. */
export const sortedDrops = (dropped: ExportReport['dropped']): [string, number][] =>
  Object.entries(dropped)
    .filter(([, count]) => count > 0)
    .toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));

type Loosening = { label: string; change: Partial<ExportRules> };
const LOOSER: Readonly<Partial<Record<RuleName, Loosening>>> = {
  episodes: { label: 'Take all episodes', change: { episodes: null } },
  filter: { label: 'Clear the filter', change: { filter: {} } },
  after_seq: { label: 'Take older ones too', change: { after_seq: null } },
  verdict: { label: 'Take any verdict', change: { verdict: 'any' } },
  min_reward: { label: 'Take any reward', change: { min_reward: null } },
  conditions: { label: 'Take every condition', change: { conditions: null } },
  actors: { label: 'Take every author', change: { actors: null } },
  privilege: { label: 'Keep and flag them', change: { privilege: 'flag' } },
  uptake: { label: 'Take any uptake', change: { uptake: null } },
  min_agreement: { label: 'Take any agreement', change: { min_agreement: null } },
  include_timeouts: { label: 'Take timeouts', change: { include_timeouts: true } },
  include_late: { label: 'Take late advice', change: { include_late: true } },
  include_fabricated: { label: 'Take made-up results', change: { include_fabricated: true } },
  touched: { label: 'Mask the turns instead', change: { touched: 'mask' } },
  dedupe: { label: 'Keep duplicates', change: { dedupe: false } },
  cap_per_task: { label: 'No limit a task', change: { cap_per_task: null } },
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
