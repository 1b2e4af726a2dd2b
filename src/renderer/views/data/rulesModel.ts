// The rules as a form: its sections, what differs from the default, what a check says each of them left out, and how
// one is loosened. Pure.
import {
  ExportRules,
  type Doubtful,
  type ExportReport,
  type ExportFormat,
} from '../../../shared/contract/export.ts';
import { canonical } from '../../../shared/canonical.ts';
import { dropWords } from '../../../shared/export/dropWords.ts';
import { RULES_FILE } from '../../../shared/export/formats.ts';
import { z } from 'zod';
import { heldOutTasks, joinHeldOut, SplitManifest, type HeldOutTask } from '../../../shared/split.ts';

export type RuleName = keyof ExportRules;
export type SectionId = 'episodes' | 'ended' | 'advice' | 'rows' | 'split' | 'form';

export const SECTIONS: readonly { id: SectionId; label: string; rules: readonly RuleName[] }[] = [
  { id: 'episodes', label: 'Which episodes', rules: ['episodes', 'filter', 'after_seq'] },
  { id: 'ended', label: 'Outcome', rules: ['verdict', 'conditions'] },
  { id: 'advice', label: 'Whose advice', rules: ['actors', 'privilege'] },
  { id: 'rows', label: 'Which rows', rules: ['include', 'failed_calls', 'cap_per_task'] },
  { id: 'split', label: 'Validation and held-out tasks', rules: ['validation', 'held_out'] },
  { id: 'form', label: 'Row format', rules: ['arguments', 'reasoning', 'words'] },
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

/** Count of what a rule of the form left out in a check. */
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
  failed_calls: { label: 'Train failed calls', change: { failed_calls: 'keep' } },
};
const INCLUDE_LABELS: Readonly<Record<Doubtful, string>> = {
  timeouts: 'Include timeouts',
  late: 'Include late advice',
  fabricated: 'Include fabricated results',
  contrary: 'Include contradicted rows',
  duplicates: 'Keep duplicates',
};

/** Change to let in what was left out under that name; null where there is none, or should be none. */
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

type PasteResult<T> = { ok: true; value: T } | { ok: false; why: string };

/** A pinned split as `interject bench split` and others write it; what is not needed here may be anything. */
const Manifest = SplitManifest.pick({ meta: true, val: true });

function json(text: string): PasteResult<unknown> {
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch (thrown) {
    return { ok: false, why: `This is not JSON: ${thrown instanceof Error ? thrown.message : ''}` };
  }
}

const wrong = ({ issues }: z.ZodError): string => {
  const [first] = issues;
  const place = first?.path.join('.') ?? '';
  return `${place === '' ? '' : `${place}: `}${first?.message ?? 'does not fit'}`;
};

/** The `rules.json` that lies beside an export. */
const PastedRules = z.object({ type: z.literal('interject.export'), rules: z.unknown() });

/** Rules as they are copied here, or the file that lies beside an export. What is missing is as by default. */
export function readRules(text: string): PasteResult<ExportRules> {
  const read = json(text);
  if (!read.ok) return read;
  const written = PastedRules.safeParse(read.value);
  const parsed = ExportRules.safeParse(written.success ? written.data.rules : read.value);
  return parsed.success
    ? { ok: true, value: parsed.data }
    : { ok: false, why: `These are not export rules: ${wrong(parsed.error)}` };
}

/** The held-out tasks of a split: its `val` list. */
export function readHeldOut(text: string): PasteResult<HeldOutTask[]> {
  const read = json(text);
  if (!read.ok) return read;
  const parsed = Manifest.safeParse(read.value);
  if (!parsed.success)
    return {
      ok: false,
      why: `This is not a split with a "val" list of [scenario, task]: ${wrong(parsed.error)}`,
    };
  return { ok: true, value: joinHeldOut(heldOutTasks(parsed.data)) };
}

export type CommandRequest = {
  format: ExportFormat;
  rules: ExportRules;
  files: 'jsonl' | 'parquet';
  hasKit: boolean;
  despite?: readonly string[];
};

/** As a rules file holds them. */
export const rulesText = (rules: ExportRules): string => JSON.stringify(rules, null, 2);

/** The command, and whether it reads the rules from a file that has to be made first. */
export function commandLine(asked: CommandRequest): { command: string; needsFile: boolean } {
  const { format, rules, files, hasKit, despite = [] } = asked;
  // Without a rules file the command writes the bare log of `events`, not the folder.
  const needsFile = format === 'events' || changedRules(rules).length > 0;
  const args = [
    `interject export --format ${format}`,
    ...(needsFile ? [`--rules ${RULES_FILE}`] : []),
    ...(files === 'jsonl' ? [] : [`--files ${files}`]),
    ...(hasKit ? ['--kit trl'] : []),
    ...(despite.length === 0 ? [] : [`--despite ${despite.join(' ')}`]),
    `--out ${format}-data`,
  ];
  return { command: args.join(' '), needsFile };
}
