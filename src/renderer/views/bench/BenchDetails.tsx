// The long parts of a bench’s report: other comparisons, measures per episode, seats, prompts, tasks.
import type { ReactNode } from 'react';
import { countText } from '../../../shared/countText.ts';
import { cellText, formatPercent } from '../../../figures/text.ts';
import { ADJUSTED_RULE } from '../../../shared/bench/report.ts';
import { armLabel, type ArmFigures, type BenchSummary } from '../../../shared/bench/summary.ts';
import { TaskName } from '../../parts/episode/TaskTitle.tsx';
import { taskPlace } from '../../parts/episode/taskTitle.ts';
import { useTaskNames } from '../../parts/episode/useTaskNames.ts';
import { Table } from '../../ui/Table.tsx';
import * as styles from './Bench.module.css';

export function BenchDetails({ summary }: { summary: BenchSummary }): ReactNode {
  const { secondary, seats, prompts, tasks, arms } = summary;
  const names = useTaskNames({ tasks });
  const claims = secondary.filter(({ is_diagnostic: isDiagnostic }) => !isDiagnostic);
  const diagnostic = secondary.filter(({ is_diagnostic: isDiagnostic }) => isDiagnostic);
  return (
    <>
      {secondary.length === 0 ? null : (
        <details className={styles.details}>
          <summary>Secondary comparisons, adjusted together (Holm)</summary>
          <p className="quiet">{ADJUSTED_RULE}</p>
          <Lines lines={claims.map(({ says }) => says)} />
          {diagnostic.length === 0 ? null : (
            <>
              <p className="quiet">
                Diagnostic only, since shaped reward can rise while tasks are not completed:
              </p>
              <Lines lines={diagnostic.map(({ says }) => says)} />
            </>
          )}
        </details>
      )}
      {(['solo', 'assisted'] as const).map((kind) => (
        <Measures key={kind} kind={kind} arms={arms.filter((arm) => arm.kind === kind)} />
      ))}
      {seats.length === 0 ? null : (
        <details className={styles.details}>
          <summary>{countText(seats.length, 'seat')}</summary>
          <Table
            columns={['Seat', 'Arm', 'Answers', 'Had met the task', 'Completed', 'Minutes']}
            rows={seats.map((one) => [
              one.seat,
              one.arm,
              String(one.answers),
              String(one.had_seen),
              `${String(one.complete)} of ${String(one.episodes)}`,
              cellText(one.minutes),
            ])}
          />
        </details>
      )}
      <details className={styles.details}>
        <summary>
          {prompts.is_only_tool
            ? 'The prompts are the same but for the tool that asks an expert'
            : 'The prompts differ in more than the tool that asks an expert'}
        </summary>
        {prompts.differences.map(({ first, second, lines }) => (
          <div key={`${first} ${second}`}>
            <p>
              {armLabel(arms, first)} and {armLabel(arms, second)}
              {lines.length === 0 ? ': the same' : ''}
            </p>
            {lines.length === 0 ? null : <pre className={styles.lines}>{lines.join('\n')}</pre>}
          </div>
        ))}
      </details>
      <details className={styles.details}>
        <summary>All {countText(tasks.length, 'task')}: runs that completed, of those that count</summary>
        <Table
          columns={['Task', ...arms.map(({ label }) => label)]}
          rows={tasks.map(({ arms: runs, ...task }) => [
            <TaskName key="task" words={names.ofTask(task)} place={taskPlace(task, '')} />,
            ...runs.map(({ runs: count, complete }) =>
              count === 0 ? '–' : `${String(complete)} of ${String(count)}`,
            ),
          ])}
        />
      </details>
    </>
  );
}

type Measure = readonly [name: string, textOf: (figures: ArmFigures) => string];
const MEASURES: readonly Measure[] = [
  ['Steps', ({ steps }) => cellText(steps)],
  ['Format errors', ({ format_errors: errors }) => cellText(errors)],
  ['Failed calls', ({ tool_errors: errors }) => cellText(errors)],
  ['Asks', ({ asks }) => cellText(asks)],
  ['Blind asks', ({ blind }) => cellText(blind, formatPercent)],
  ['Recovery asks', ({ recovery }) => cellText(recovery, formatPercent)],
  ['Advice followed', ({ uptake }) => cellText(uptake, formatPercent)],
  ['Expert minutes', ({ expert_minutes: minutes }) => cellText(minutes)],
  ['Reward per expert minute', ({ reward_per_expert_minute: reward }) => cellText(reward)],
  ['Input tokens', ({ input_tokens: tokens }) => cellText(tokens)],
  ['Output tokens', ({ output_tokens: tokens }) => cellText(tokens)],
  ['Cost', ({ cost, currency }) => (cost === null ? '–' : `${cellText(cost)} ${currency ?? ''}`)],
  ['Shaped reward (diagnostic)', ({ shaped_reward: reward }) => cellText(reward)],
];

function Measures({ kind, arms }: { kind: 'solo' | 'assisted'; arms: BenchSummary['arms'] }): ReactNode {
  if (arms.length === 0) return null;
  const components = [...new Set(arms.flatMap(({ figures }) => Object.keys(figures.reward_components)))];
  const all: readonly Measure[] = [
    ...components.map((name): Measure => [
      `Reward component ${name}`,
      ({ reward_components: values }) => cellText(values[name]),
    ]),
    ...MEASURES,
  ];
  const rows = all
    .map(([name, textOf]) => [name, ...arms.map(({ figures }) => textOf(figures))])
    .filter(([, ...values]) => values.some((value) => value !== '–'));
  return (
    <details className={styles.details}>
      <summary>Per episode, mean over tasks: {kind === 'solo' ? 'without help' : 'with help'}</summary>
      <Table columns={['', ...arms.map(({ label }) => label)]} rows={rows} />
    </details>
  );
}

const Lines = ({ lines }: { lines: readonly string[] }): ReactNode => (
  <ul className={styles.bullets}>
    {lines.map((line) => (
      <li key={line}>{line}</li>
    ))}
  </ul>
);
