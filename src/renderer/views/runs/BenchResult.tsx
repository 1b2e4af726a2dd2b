// The result of a bench: what is shown and what could have been, figures, and everything the report holds.
import { FolderDown, Save } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import { benchFigures } from '../../../figures/benchFigures.ts';
import { cellText, formatPercent, intervalText } from '../../../figures/text.ts';
import type { BenchPlan } from '../../../shared/bench/plan.ts';
import { ADJUSTED_RULE, rosterLines } from '../../../shared/bench/report.ts';
import {
  armLabel,
  Exclusion,
  type ArmFigures,
  type BenchArm,
  type BenchSummary,
} from '../../../shared/bench/summary.ts';
import type { Outputs } from '../../../shared/contract/contract.ts';
import { countText } from '../../../shared/countText.ts';
import { taskPlace } from '../../parts/episode/taskTitle.ts';
import { TaskName } from '../../parts/episode/TaskTitle.tsx';
import { useTaskNames } from '../../parts/episode/useTaskNames.ts';
import { FigureList } from '../../parts/figure/FigureView.tsx';
import { useSession } from '../../state/hooks.ts';
import { useAct } from '../../state/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { saveFile } from '../../ui/saveFile.ts';
import { Table } from '../../ui/Table.tsx';
import * as styles from './Bench.module.css';

export function BenchResult({
  summary,
  report,
}: {
  summary: BenchSummary;
  report: string | null;
}): ReactNode {
  const { primary, cautions, arms } = summary;
  const drawings = useMemo(() => benchFigures(summary), [summary]);
  const kinds = (['solo', 'assisted'] as const).filter((kind) => arms.some((arm) => arm.kind === kind));
  return (
    <>
      <section className={styles.headline} aria-label="Result">
        <p className={styles.says}>{primary.says}</p>
        <p>{primary.power.says}</p>
        {cautions.length === 0 ? null : (
          <ul className={styles.cautions} aria-label="What to know before quoting a number">
            {cautions.map((caution) => (
              <li key={caution}>{caution}</li>
            ))}
          </ul>
        )}
        <Files summary={summary} report={report} />
      </section>
      <FigureList drawings={drawings} />
      {kinds.map((kind) => (
        <ArmTable key={kind} kind={kind} arms={arms.filter((arm) => arm.kind === kind)} />
      ))}
      <Exclusions arms={arms} />
      <BenchDetails summary={summary} />
    </>
  );
}

/** Arms without and with help never share a table: they answer different questions. */
function ArmTable({ kind, arms }: { kind: 'solo' | 'assisted'; arms: readonly BenchArm[] }): ReactNode {
  return (
    <section className={styles.section}>
      <h2 className={styles.sub}>Verifier completion: {kind === 'solo' ? 'without help' : 'with help'}</h2>
      <Table
        columns={[
          'Arm',
          'Completed',
          '95 % interval',
          'Tasks',
          'Episodes',
          'Answers: person, model, script, nobody',
        ]}
        rows={arms.map(({ label, completion, tasks, counted, answered_by: by }) => [
          label,
          cellText(completion.estimate, formatPercent),
          intervalText(completion.interval),
          String(tasks),
          String(counted),
          `${String(by.human)}, ${String(by.model)}, ${String(by.scripted)}, ${String(by.nobody)}`,
        ])}
      />
    </section>
  );
}

const CAUSES: Readonly<Record<Exclusion, string>> = {
  content_filter: 'Content filter',
  reset_error: 'Reset failed',
  server_error: 'Server failed',
  step_in: 'Step-in without help',
  no_verdict: 'No verdict',
  not_finished: 'Not finished',
};

function Exclusions({ arms }: { arms: readonly BenchArm[] }): ReactNode {
  const causes = Exclusion.options.filter((cause) => arms.some(({ excluded }) => excluded[cause] > 0));
  return (
    <section className={styles.section}>
      <h2 className={styles.sub}>Left out of every figure</h2>
      {causes.length === 0 ? (
        <p>No episode is left out.</p>
      ) : (
        <Table
          columns={['Arm', ...causes.map((cause) => CAUSES[cause])]}
          rows={arms.map(({ label, excluded }) => [label, ...causes.map((cause) => String(excluded[cause]))])}
        />
      )}
    </section>
  );
}

function Files({ summary, report }: { summary: BenchSummary; report: string | null }): ReactNode {
  const { call } = useSession();
  const [written, setWritten] = useState<Outputs['bench.export'] | null>(null);
  const { name } = summary.plan;
  const write = useAct(
    async () => setWritten(await call('bench.export', { name })),
    'Could not write the report',
  );
  return (
    <>
      <div className={styles.buttons}>
        <Button icon={<FolderDown />} isBusy={write.isBusy} onClick={() => void write.run()}>
          Write report folder
        </Button>
        <Button
          icon={<Save />}
          onClick={() =>
            saveFile(
              'results_summary.json',
              new Blob([`${JSON.stringify(summary, null, 2)}\n`], { type: 'application/json' }),
            )
          }
        >
          Save results_summary.json
        </Button>
        {report === null ? null : (
          <Button
            icon={<Save />}
            onClick={() => saveFile('report.md', new Blob([`${report}\n`], { type: 'text/markdown' }))}
          >
            Save report.md
          </Button>
        )}
      </div>
      {written === null ? null : (
        <p role="status" className="breaks">
          {written.files.length} files written to <code>{written.folder}</code>
          {written.has_pictures ? '' : ', without PNG: no font was found for them'}{' '}
          <CopyButton text={() => written.folder} label="Copy the path" />
        </p>
      )}
    </>
  );
}

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

/** Everything that a reader of the result may ask about how it was made. */
export function PlanFacts({ plan }: { plan: BenchPlan }): ReactNode {
  const limit = (value: number | null, text: (value: number) => string): string =>
    value === null ? 'as the settings say' : text(value);
  const facts: readonly (readonly [string, string])[] = [
    ['Primary comparison', `${plan.primary.second} minus ${plan.primary.first}`],
    ...plan.arms.map(
      ({ arm, condition, agent }) =>
        [
          `Arm ${arm}`,
          `${condition}; ${agent.policy === 'rehearsal' ? 'rehearsal agent' : (agent.model ?? 'the agent’s model')}`,
        ] as const,
    ),
    ['Seeds', plan.seeds.join(', ')],
    ['Order drawn with', String(plan.order_seed)],
    [
      'Advisors see',
      plan.is_privileged ? 'what is checked, and the answer' : 'neither criteria nor the answer',
    ],
    ['Turns', limit(plan.turns, String)],
    ['Asks', limit(plan.asks, String)],
    [
      'People’s time',
      plan.hourly_minutes === null ? 'no limit' : `${String(plan.hourly_minutes)} min in any hour`,
    ],
    [
      'A question waits',
      plan.deadline_ms === null
        ? 'as long as it takes'
        : `${String(plan.deadline_ms / 1000)} s, then ${plan.fallback === 'draft' ? 'the draft is sent' : 'the agent goes on'}`,
    ],
  ];
  const experts = rosterLines(plan.experts);
  return (
    <>
      <dl className={styles.facts}>
        {facts.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      {experts.length === 0 ? null : (
        <>
          <h3 className={styles.sub}>Experts</h3>
          <ul className={styles.bullets}>
            {experts.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
