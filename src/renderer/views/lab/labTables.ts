// The tables of a report, for the screen and as a page of notes in Markdown. Pure.
import type { Correlation, LabReport, PairCounts, Section } from '../../../shared/contract/rewards.ts';
import { ROW_CONDITION_LABELS } from '../../parts/episode/episodeRowText.ts';
import {
  changeText,
  COMPONENT_LABELS,
  fixedText,
  gainText,
  intervalText,
  MEASURES,
  type SettingsNames,
} from './labText.ts';

/** The heading of a column and what its cells show. */
export type Column<Row, Cell> = readonly [heading: string, cellOf: (row: Row) => Cell];
type TextTable<Row> = { caption: string; rows: readonly Row[]; columns: readonly Column<Row, string>[] };

const SECTION_LABELS: Readonly<Record<string, string>> = { ...ROW_CONDITION_LABELS, all: 'All episodes' };
const sectionLabel = ({ name }: Section): string =>
  SECTION_LABELS[name] ?? name.charAt(0).toUpperCase() + name.slice(1);

const spread = ({ mean, sd }: Section['before']): string =>
  `${fixedText(mean)}${sd === null ? '' : ` ± ${fixedText(sd)}`}`;

export const sectionTable = ({ sections }: LabReport): TextTable<Section> => ({
  caption: 'Mean and standard deviation, by who could advise and how completed tasks were helped',
  rows: sections,
  columns: [
    ['Episodes', sectionLabel],
    ['n', ({ episodes }) => episodes.toLocaleString()],
    ['Complete', ({ complete }) => complete.toLocaleString()],
    ['Before', ({ before }) => spread(before)],
    ['After', ({ after }) => spread(after)],
    ['Change of the mean', ({ before, after }) => gainText(after.mean - before.mean)],
  ],
});

type CalibrationBin = NonNullable<LabReport['calibration']>['bins'][number];

/** Stated confidence against the verifier's word, bin by bin; null where no agent stated any. */
export function calibrationTable({ calibration }: LabReport): TextTable<CalibrationBin> | null {
  if (calibration === undefined) return null;
  const { n, ece, brier, bins } = calibration;
  return {
    caption: `Stated confidence of ${n.toLocaleString()} verified episodes, as each agent said it last. ECE ${fixedText(ece)}, Brier score ${fixedText(brier)}: 0 is best.`,
    rows: bins.filter((bin) => bin.n > 0),
    columns: [
      ['Confidence', ({ from, to }) => `${shareText(from)} to ${shareText(to)}`],
      ['n', (bin) => bin.n.toLocaleString()],
      ['Stated', ({ stated }) => shareText(stated)],
      ['Complete', ({ right }) => shareText(right)],
    ],
  };
}

const shareText = (share: number | null): string =>
  share === null ? '–' : `${String(Math.round(share * 100))} %`;

const CORRELATION_LABELS: Readonly<Record<string, string>> = {
  shaped: 'Shaped, in all',
  rubric: 'Rubric, in all',
  ...COMPONENT_LABELS,
};

export const correlationTable = ({ completion, correlations }: LabReport): TextTable<Correlation> => ({
  caption: `With the verifier’s “complete”, over ${completion.verified.toLocaleString()} verified episodes. A dash means that one side does not vary.`,
  rows: correlations,
  columns: [
    ['Reward', ({ of }) => CORRELATION_LABELS[of] ?? of],
    ['Point-biserial before', ({ before }) => fixedText(before.point_biserial)],
    ['Point-biserial after', ({ after }) => fixedText(after.point_biserial)],
    ['Spearman before', ({ before }) => fixedText(before.spearman)],
    ['Spearman after', ({ after }) => fixedText(after.spearman)],
  ],
});

type PairRow = PairCounts & { name: string };

export const pairTable = ({ overall, tasks, groups }: LabReport): TextTable<PairRow> => ({
  caption: 'Pairs of episodes, by what becomes of their order',
  rows: [
    { name: 'All episodes', ...overall },
    { name: `Of one task (${tasks.tasks.toLocaleString()} tasks)`, ...tasks.counts },
    { name: `Of one group (${groups.groups.toLocaleString()} groups)`, ...groups.counts },
  ],
  columns: [
    ['Pairs', ({ name }) => name],
    ['In all', ({ pairs }) => pairs.toLocaleString()],
    ['Same order', ({ kept }) => kept.toLocaleString()],
    ['Swapped', ({ flipped }) => flipped.toLocaleString()],
    ['Tied now', ({ tied }) => tied.toLocaleString()],
    ['No longer tied', ({ untied }) => untied.toLocaleString()],
    ['Kendall’s tau-b', ({ tau }) => fixedText(tau)],
  ],
});

/** What the order of pairs means for a trainer. */
export function pairNotes({ groups, inversions }: LabReport): string[] {
  const { rollouts, sign_changes: crossing, flat_before: before, flat_after: after } = groups;
  const reversed = ': a trainer would discourage what it reinforced before, or the reverse';
  return [
    rollouts === 0
      ? 'No episode belongs to a group of rollouts.'
      : `${crossing.toLocaleString()} of ${rollouts.toLocaleString()} rollouts cross their group’s mean${crossing === 0 ? '' : reversed}.`,
    ...(before + after === 0
      ? []
      : [
          `Groups with equal rewards, which teach nothing: ${String(before)} before, ${String(after)} after.`,
        ]),
    inversions.pairs === 0
      ? 'No task has both completed and uncompleted episodes.'
      : `Pairs of one task in which the incomplete episode scores the same or more: ${inversions.before.toLocaleString()} before, ${inversions.after.toLocaleString()} after, of ${inversions.pairs.toLocaleString()}.`,
  ];
}

const markdownRow = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

const markdownTable = <Row>({ caption, rows, columns }: TextTable<Row>): string =>
  [
    `${caption}:`,
    '',
    markdownRow(columns.map(([heading]) => heading)),
    markdownRow(columns.map(() => '---')),
    ...rows.map((row) => markdownRow(columns.map(([, cellOf]) => cellOf(row)))),
  ].join('\n');

/** The report as a page of notes. */
export function markdownOf(report: LabReport, names: SettingsNames): string {
  const { measure, completion, suspects } = report;
  const { complete, verified } = completion;
  const share = intervalText(report);
  const headline =
    share === null ? 'nothing verified' : `${String(complete)} of ${String(verified)} complete (${share})`;
  const paragraphs = [
    `# Rewards: ${names.after} against ${names.before}`,
    `Verifier: ${headline}. What follows is diagnostic (${MEASURES[measure].toLowerCase()}).`,
    `${changeText(report)}. Reward without completion: ${String(suspects.total)}.`,
    markdownTable(pairTable(report)),
    ...pairNotes(report),
    markdownTable(sectionTable(report)),
    markdownTable(correlationTable(report)),
  ];
  return `${paragraphs.join('\n\n')}\n`;
}
