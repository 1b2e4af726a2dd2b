// The report of a bench. A difference that is not shown is printed as plainly as one that is.
import { benchFigures } from '../../figures/benchFigures.ts';
import { cellText, formatPercent, intervalText } from '../../figures/text.ts';
import { ADJUSTED_RULE, METHODS, methodText, rosterLines } from '../../shared/bench/report.ts';
import {
  armLabel,
  Exclusion,
  type BenchArm,
  type BenchSummary,
  type Comparison,
} from '../../shared/bench/summary.ts';
import { countText } from '../../shared/countText.ts';
import { markdownTable, plain, type ReportContent } from './report.ts';

export function benchReport(summary: BenchSummary): ReportContent {
  const { plan, primary, cautions, finished, planned } = summary;
  const introduction = [
    `**${plain(primary.says)}**`,
    plain(primary.power.says),
    ...(primary.test === null ? [] : [plain(methodText(primary))]),
    `${countText(plan.tasks.length, 'task')} of ${plan.section}, ${countText(plan.seeds.length, 'run')} of each in ${countText(plan.arms.length, 'arm')}: ${String(finished)} of ${countText(planned, 'episode')} are over.`,
    ...cautions.map((caution) => `- ${plain(caution)}`),
  ].join('\n\n');
  return {
    title: `Bench ${plan.name}`,
    sections: [
      introduction,
      armSection(summary.arms),
      comparisonSection([primary, ...summary.secondary]),
      exclusionSection(summary.arms),
      ...expertSections(summary),
      promptSection(summary),
      ...seatSections(summary),
      taskSection(summary),
    ],
    drawings: benchFigures(summary),
    summary,
  };
}

function armSection(arms: readonly BenchArm[]): string {
  const rows = arms.map(({ label, kind, completion, tasks, counted, figures }) => [
    plain(label),
    kind,
    cellText(completion.estimate, formatPercent),
    intervalText(completion.interval),
    completion.method === null ? '–' : METHODS[completion.method],
    String(tasks),
    String(counted),
    cellText(figures.steps),
    cellText(figures.asks),
    cellText(figures.expert_minutes),
    cellText(figures.shaped_reward),
  ]);
  return `## Arms\n\n${markdownTable(
    [
      'Arm',
      'Kind',
      'Complete',
      '95 % interval',
      'Method',
      'Tasks',
      'Runs',
      'Steps',
      'Asks',
      'Expert minutes',
      'Shaped reward (diagnostic)',
    ],
    rows,
  )}`;
}

function comparisonSection(comparisons: readonly Comparison[]): string {
  const rows = comparisons.map(({ outcome, says, p, p_adjusted: adjusted }, index) => [
    `${plain(outcome)}${index === 0 ? ' (primary)' : ''}`,
    plain(says),
    cellText(p),
    cellText(adjusted),
  ]);
  const rule = comparisons.length > 1 ? `${ADJUSTED_RULE}\n\n` : '';
  return `## Comparisons\n\n${rule}${markdownTable(['Outcome', 'What is shown', 'p by itself', 'adjusted p'], rows)}`;
}

function exclusionSection(arms: readonly BenchArm[]): string {
  const rows = arms.map(({ label, excluded }) => [
    plain(label),
    ...Exclusion.options.map((cause) => String(excluded[cause])),
  ]);
  return `## Left out\n\n${markdownTable(['Arm', ...Exclusion.options.map((cause) => plain(cause))], rows)}`;
}

function expertSections({ plan }: BenchSummary): string[] {
  const lines = rosterLines(plan.experts);
  return lines.length === 0 ? [] : [`## Experts\n\n${lines.map((line) => `- ${plain(line)}`).join('\n')}`];
}

function promptSection({ prompts, arms }: BenchSummary): string {
  if (prompts.differences.length === 0) return '## Prompts\n\nThe prompts of the arms are the same.';
  const lines = prompts.differences.map(({ first, second, lines: list }) =>
    [
      `${plain(armLabel(arms, first))} against ${plain(armLabel(arms, second))}:`,
      ...list.map((line) => `- ${plain(line)}`),
    ].join('\n'),
  );
  const said = prompts.is_only_tool
    ? 'They differ in the tool that asks an expert, and in nothing else.'
    : 'They differ in more than the tool that asks an expert.';
  return ['## Prompts', said, ...lines].join('\n\n');
}

function seatSections({ seats }: BenchSummary): string[] {
  if (seats.length === 0) return [];
  const rows = seats.map((one) => [
    plain(one.seat),
    plain(one.arm),
    String(one.answers),
    String(one.had_seen),
    `${String(one.complete)} of ${String(one.episodes)}`,
    one.minutes.toFixed(1),
  ]);
  const head = ['Seat', 'Arm', 'Answers', 'Had met the task', 'Completed', 'Minutes'];
  return [`## Seats\n\n${markdownTable(head, rows)}`];
}

function taskSection({ tasks, arms }: BenchSummary): string {
  const rows = tasks.map((task) => [
    plain(`${task.scenario} ${String(task.task_idx)}`),
    ...task.arms.map(({ runs, complete }) => (runs === 0 ? '–' : `${String(complete)} of ${String(runs)}`)),
  ]);
  const table = markdownTable(['Task', ...arms.map(({ label }) => plain(label))], rows);
  return `## Tasks\n\nRuns that completed, of those that count.\n\n${table}`;
}
