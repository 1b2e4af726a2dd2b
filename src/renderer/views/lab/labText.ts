// The lab's numbers in words, and every episode's scores as CSV. Pure.
import { csvLine, type CsvCell } from '../../../shared/csv.ts';
import type { LabReport, ScoreRow } from '../../../shared/contract/rewards.ts';
import type { Outputs } from '../../../shared/contract/contract.ts';
import type { Measure } from '../../../shared/rewards/breakdown.ts';
import type { ComponentName } from '../../../shared/rewards/settings.ts';
import { formatCount } from '../../parts/text/size.ts';

export const MEASURES: Readonly<Record<Measure, string>> = { shaped: 'Shaped', rubric: 'Rubric' };
export const COMPONENT_LABELS: Readonly<Record<ComponentName, string>> = {
  primary: 'Primary objective',
  process: 'Process quality',
  format: 'Format compliance',
  efficiency: 'Efficiency',
};
/** What is compared, by the names of its settings. */
export type SettingsNames = { before: string; after: string };

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

const percent = (share: number): string => `${String(Math.round(share * 100))} %`;

export const taskText = ({ scenario, task_idx: task }: Pick<ScoreRow, 'scenario' | 'task_idx'>): string =>
  scenario === null ? 'no task' : `${scenario}${task === null ? '' : ` #${String(task)}`}`;

export const labelText = (label: string | null): string => label?.replaceAll('_', ' ') ?? 'not verified';

/** `30 %, 95 % interval 18 % to 45 %`; null where nothing was verified. */
export const intervalText = ({ completion }: LabReport): string | null => {
  const { complete, verified, tasks, low, high } = completion;
  if (verified === 0) return null;
  const share = percent(complete / verified);
  return low === null || high === null
    ? `${share} of one task, which gives no interval`
    : `${share}, 95 % interval ${percent(low)} to ${percent(high)} over ${formatCount(tasks, 'task')}`;
};

export const changeText = ({ change: { raised, lowered, same }, episodes }: LabReport): string => {
  const all = formatCount(episodes, 'episode');
  return raised + lowered === 0
    ? `None of ${all} change`
    : `${raised.toLocaleString()} of ${all} rise, ${lowered.toLocaleString()} fall, ${same.toLocaleString()} unchanged`;
};

type LabRow = Outputs['rewards.rows']['rows'][number];

/** Every episode with both breakdowns, the names of the settings in each line. */
export function csvOf(rows: readonly LabRow[], names: SettingsNames): string {
  const components = Object.keys(rows[0]?.after.rubric.components ?? {});
  const sides = (['before', 'after'] as const).flatMap((side): [string, (line: LabRow) => CsvCell][] => [
    [`shaped_${side}`, (line) => line[side].shaped.total],
    [`rubric_${side}`, (line) => line[side].rubric.total],
    ...components.map((name): [string, (line: LabRow) => CsvCell] => [
      `${name}_${side}`,
      (line) => line[side].rubric.components[name] ?? null,
    ]),
  ]);
  const columns: readonly [string, (line: LabRow) => CsvCell][] = [
    ['episode', ({ row }) => row.episode],
    ['scenario', ({ row }) => row.scenario],
    ['task_idx', ({ row }) => row.task_idx],
    ['condition', ({ row }) => row.condition],
    ['group', ({ row }) => row.group],
    ['verifier_label', ({ row }) => row.label],
    ['verifier_reward', ({ after }) => after.verifier.reward],
    ['pattern', ({ row }) => row.pattern],
    ['format_error_rate', ({ after }) => after.format_error_rate],
    ['profile_before', () => names.before],
    ['profile_after', () => names.after],
    ...sides,
  ];
  const body = rows.map((line) => columns.map(([, cellOf]) => cellOf(line)));
  return [columns.map(([name]) => name), ...body].map(csvLine).join('');
}
