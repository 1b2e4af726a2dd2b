// The rules as a form: its sections, what differs from the default, what a check says each of them left out, and how
// one is loosened. Pure.
import { ExportRules, type Doubtful, type ExportReport } from '../../../shared/contract/export.ts';
import { canonical } from '../../../shared/canonical.ts';
import { dropWords } from '../../../shared/export/dropWords.ts';

export type RuleName = keyof ExportRules;
export type SectionId = 'episodes' | 'ended' | 'advice' | 'rows' | 'split' | 'form';

export const SECTIONS: readonly { id: SectionId; label: string; rules: readonly RuleName[] }[] = [
  { id: 'episodes', label: 'Which episodes', rules: ['episodes', 'filter', 'after_seq'] },
  { id: 'ended', label: 'Outcome', rules: ['verdict', 'conditions'] },
  { id: 'advice', label: 'Whose advice', rules: ['actors', 'privilege'] },
  { id: 'rows', label: 'Which rows', rules: ['include', 'cap_per_task'] },
  { id: 'split', label: 'Validation and held-out tasks', rules: ['validation', 'held_out'] },
  { id: 'form', label: 'Row format', rules: ['arguments', 'reasoning'] },
];

/** Nothing narrowed, the doubtful left out: the same for every format, which itself says what verdict it takes. */
export const DEFAULT_RULES: ExportRules = ExportRules.parse({});

export const isChanged = (rules: ExportRules, name: RuleName): boolean =>
  canonical(rules[name]) !== canonical(DEFAULT_RULES[name]);

const ALL_RULES: readonly RuleName[] = ['preset', ...SECTIONS.flatMap((section) => section.rules)];

export const changedRules = (rules: ExportRules): RuleName[] =>
  ALL_RULES.filter((name) => isChanged(rules, name));

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
  conditions: { label: 'Include every condition', change: { conditions: null } },
  actors: { label: 'Include every author', change: { actors: null } },
  privilege: { label: 'Keep and mark them', change: { privilege: 'flag' } },
  cap_per_task: { label: 'No limit per task', change: { cap_per_task: null } },
};
const INCLUDE_LABELS: Readonly<Record<Doubtful, string>> = {
  timeouts: 'Include timeouts',
  late: 'Include late advice',
  fabricated: 'Include fabricated results',
  contrary: 'Include contradicted rows',
  duplicates: 'Keep duplicates',
};

/** How to let in what was left out under that name; null where no rule here does, or none should. */
export function loosening(drop: string, rules: ExportRules): { label: string; rules: ExportRules } | null {
  const { rule, doubtful } = dropWords(drop);
  if (doubtful !== undefined)
    return { label: INCLUDE_LABELS[doubtful], rules: { ...rules, include: [...rules.include, doubtful] } };
  // What they promise is that their episodes were completed.
  if (rule === 'verdict' && rules.preset === 'demonstrations') return null;
  const looser = rule === null ? undefined : LOOSER[rule];
  if (looser === undefined) return null;
  const next = { ...rules, ...looser.change };
  return canonical(next) === canonical(rules) ? null : { label: looser.label, rules: next };
}
