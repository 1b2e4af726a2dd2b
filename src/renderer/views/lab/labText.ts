// The lab's numbers in words and as text to take away: Markdown for a report, CSV for a table. Pure.
import { csvLine, type CsvCell } from '../../../shared/csv.ts';
import type { LabReport, ScoreRow, Section } from '../../../shared/contract/rewards.ts';
import type { Outputs } from '../../../shared/contract/contract.ts';
import type { Measure } from '../../../shared/rewards/breakdown.ts';
import { ROW_CONDITION_LABELS } from '../../parts/episode/rowWords.ts';

export const MEASURES: Readonly<Record<Measure, string>> = { shaped: 'Shaped', rubric: 'Rubric' };

/** A reward to three places; a dash where there is none. */
export const scoreText = (value: number | null): string =>
  value === null ? '–' : String(Number(value.toFixed(3)));

/** With all three places, so that a column of numbers lines up. */
export const fixedText = (value: number | null): string =>
  value === null
    ? '–'
    : value
        .toFixed(3)
        .replace(/^-0\.000$/, '0.000')
        .replace('-', '−');

/** A change: the same with its sign. */
export const gainText = (value: number): string => {
  const text = fixedText(value);
  return value > 0 && text !== '0.000' ? `+${text}` : text;
};

export const percent = (share: number): string => `${String(Math.round(share * 100))} %`;

export const taskText = ({ scenario, task_idx: task }: Pick<ScoreRow, 'scenario' | 'task_idx'>): string =>
  scenario === null ? 'no task' : `${scenario}${task === null ? '' : ` #${String(task)}`}`;

export const labelText = (label: string | null): string => label?.replaceAll('_', ' ') ?? 'not verified';

export const sectionName = ({ of, name }: Section): string =>
  of === 'condition' && Object.hasOwn(ROW_CONDITION_LABELS, name)
    ? ROW_CONDITION_LABELS[name as keyof typeof ROW_CONDITION_LABELS]
    : name === 'all'
      ? 'All episodes'
      : name.charAt(0).toUpperCase() + name.slice(1);

/** `12 of 40 complete (30 %, 95 % interval 18 % to 45 %)`. */
export function completionText({ completion: { complete, verified, low, high } }: LabReport): string {
  if (verified === 0 || low === null || high === null) return 'nothing verified';
  const share = percent(complete / verified);
  return `${String(complete)} of ${String(verified)} complete (${share}, 95 % interval ${percent(low)} to ${percent(high)})`;
}

export const changeText = ({ change: { raised, lowered, same }, episodes }: LabReport): string =>
  raised + lowered === 0
    ? `None of ${episodes.toLocaleString()} episodes change`
    : `${raised.toLocaleString()} of ${episodes.toLocaleString()} episodes rise, ${lowered.toLocaleString()} fall, ${same.toLocaleString()} unchanged`;

const markdownRow = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string[] => [
  markdownRow(head),
  markdownRow(head.map(() => '---')),
  ...rows.map(markdownRow),
];

/** The report as a page of notes. */
export function markdownOf(report: LabReport, names: { before: string; after: string }): string {
  const { measure, overall, tasks, groups, inversions, suspects } = report;
  const spread = ({ mean, sd }: Section['before']): string => `${scoreText(mean)} ± ${scoreText(sd)}`;
  return [
    `# Rewards: ${names.after} against ${names.before}`,
    '',
    `Verifier: ${completionText(report)}. What follows is diagnostic (${MEASURES[measure].toLowerCase()}).`,
    '',
    `${changeText(report)}. Kendall’s tau-b over all: ${scoreText(overall.tau)}.`,
    '',
    ...table(
      ['pairs', 'all', 'kept', 'flipped', 'tied now', 'no longer tied'],
      [['of one task', tasks.counts] as const, ['of one group', groups.counts] as const].map(
        ([name, { pairs, kept, flipped, tied, untied }]) => [
          name,
          ...[pairs, kept, flipped, tied, untied].map(String),
        ],
      ),
    ),
    '',
    `Rollouts that cross their group’s mean: ${String(groups.sign_changes)} of ${String(groups.rollouts)}.`,
    `Incomplete at or above complete, same task: ${String(inversions.before)} before, ${String(inversions.after)} after, of ${String(inversions.pairs)} pairs.`,
    `Reward without completion: ${String(suspects.total)}.`,
    '',
    ...table(
      ['episodes', 'n', 'complete', `before (mean ± sd)`, `after (mean ± sd)`],
      report.sections.map((section) => [
        sectionName(section),
        String(section.episodes),
        String(section.complete),
        spread(section.before),
        spread(section.after),
      ]),
    ),
    '',
    ...table(
      ['correlation with completion', 'point-biserial before', 'after', 'Spearman before', 'after'],
      report.correlations.map(({ of, before, after }) => [
        of,
        scoreText(before.point_biserial),
        scoreText(after.point_biserial),
        scoreText(before.spearman),
        scoreText(after.spearman),
      ]),
    ),
    '',
  ].join('\n');
}

type LabRow = Outputs['rewards.rows']['rows'][number];
const EPISODE_COLUMNS = [
  'episode',
  'scenario',
  'task_idx',
  'condition',
  'group',
  'verifier_label',
  'verifier_reward',
  'pattern',
  'format_error_rate',
  'profile_before',
  'profile_after',
] as const;

/** Every episode with both breakdowns, the names of the settings in each line. */
export function csvOf(rows: readonly LabRow[], names: { before: string; after: string }): string {
  const components = [...new Set(rows.flatMap(({ after }) => Object.keys(after.rubric.components)))];
  const sides = ['before', 'after'] as const;
  const head = [
    ...EPISODE_COLUMNS,
    ...sides.flatMap((side) => [
      `shaped_${side}`,
      `rubric_${side}`,
      ...components.map((name) => `${name}_${side}`),
    ]),
  ];
  const body = rows.map(({ row, ...both }): CsvCell[] => [
    row.episode,
    row.scenario,
    row.task_idx,
    row.condition,
    row.group,
    row.label,
    both.after.verifier.reward,
    row.pattern,
    both.after.format_error_rate,
    names.before,
    names.after,
    ...sides.flatMap((side) => [
      both[side].shaped.total,
      both[side].rubric.total,
      ...components.map((name) => both[side].rubric.components[name] ?? null),
    ]),
  ]);
  return [head, ...body].map(csvLine).join('');
}
