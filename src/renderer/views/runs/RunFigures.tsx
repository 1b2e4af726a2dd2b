// One training run: its figures, its steps as a table, and what the agent really sent every few steps.
import { useMemo, useState, type ReactNode } from 'react';
import { COMPARISON_CAUTION, comparisonFigures } from '../../../figures/comparisonFigures.ts';
import { stepTable } from '../../../figures/runSeries.ts';
import { formatNumber } from '../../../figures/text.ts';
import { trainingFigures } from '../../../figures/trainingFigures.ts';
import type { ActionSample, RunRow } from '../../../shared/contract/training.ts';
import { countText } from '../../../shared/countText.ts';
import type { RunStep, TrainingRun } from '../../../shared/training/run.ts';
import { taskPlace } from '../../parts/episode/taskTitle.ts';
import { TaskName } from '../../parts/episode/TaskTitle.tsx';
import { useTaskNames } from '../../parts/episode/useTaskNames.ts';
import { FigureList } from '../../parts/figure/FigureView.tsx';
import { useSession } from '../../state/hooks.ts';
import { useAnswer, useAsk } from '../../state/queries.ts';
import { episodeRoute, formatRoute } from '../../state/route.ts';
import { Button } from '../../ui/Button.tsx';
import { OpenPane, Pane, UnreadPane } from '../../ui/ListPage.tsx';
import { NotFound } from '../../ui/NotFound.tsx';
import { Table } from '../../ui/Table.tsx';
import { CurriculumPanel } from './CurriculumPanel.tsx';
import * as styles from './Training.module.css';

export const SOURCE_LABELS: Readonly<Record<RunRow['source'], string>> = {
  episodes: 'from episodes',
  jsonl: 'from JSON lines',
  csv: 'from CSV',
  trainer_state: 'from trainer_state.json',
  reports: 'from its trainer’s reports',
  example: 'published example',
};

/** The delay of news of a step. */
const NEWS_MS = 3000;

export function RunFigures({ run, revision }: { run: string; revision: number }): ReactNode {
  // A trainer's reports come without an episode that would tell of them.
  const curriculum = useAsk('training.curriculum', { run }, { everyMs: NEWS_MS, revision });
  const seen = `${String(revision)}/${String(curriculum.value?.revision ?? 0)}`;
  const { value, failure, again } = useAsk('training.read', { run }, { revision: seen });
  if (failure?.code === 'not_found')
    return (
      <Pane>
        <NotFound
          what="training run"
          name={run}
          href={formatRoute({ view: 'runs', run: null })}
          label="Show the newest run"
        >
          has no training steps in this data folder: no episode names it with a step, and no log of it was
          imported.
        </NotFound>
      </Pane>
    );
  if (failure !== null || value === null)
    return (
      <UnreadPane
        failure={failure}
        again={again}
        problem="Could not read the run"
        loading="Loading the run"
      />
    );
  return (
    <OpenRun run={value.run} samples={value.samples}>
      {value.run.source === 'example' ? null : <CurriculumPanel run={run} {...curriculum} />}
    </OpenRun>
  );
}

function OpenRun({
  run,
  samples,
  children,
}: {
  run: TrainingRun;
  samples: readonly ActionSample[];
  children: ReactNode;
}): ReactNode {
  const drawings = useMemo(() => trainingFigures(run), [run]);
  return (
    <OpenPane
      label="Training run"
      title={run.run}
      head={
        <>
          <p className="quiet">
            {countText(run.steps.length, 'step')}, {SOURCE_LABELS[run.source]}
          </p>
          {/* The figures of the example say it themselves. */}
          {(run.source === 'example' ? [] : run.notes).map((note) => (
            <p key={note} className={styles.note}>
              {note}
            </p>
          ))}
          {run.unread.length === 0 ? null : <p className={styles.note}>Not read: {run.unread.join('; ')}</p>}
        </>
      }
    >
      <FigureList drawings={drawings} />
      {children}
      <StepTable steps={run.steps} />
      <Samples samples={samples} />
    </OpenPane>
  );
}

function StepTable({ steps }: { steps: readonly RunStep[] }): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className={styles.steps} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{steps.length === 1 ? 'The step' : `All ${countText(steps.length, 'step')}`}</summary>
      {isOpen ? <Table {...stepTable(steps)} /> : null}
      <p className="quiet">
        A group in which every rollout got the same reward teaches a trainer that compares them nothing.
      </p>
    </details>
  );
}

function Samples({ samples }: { samples: readonly ActionSample[] }): ReactNode {
  const names = useTaskNames({ episodes: samples.map(({ episode }) => episode) });
  if (samples.length === 0) return null;
  return (
    <section aria-label="Raw actions" className={styles.samples}>
      <h2>Raw actions, every few steps</h2>
      <p className="quiet">What one rollout really sent: a reward that rises on nothing shows here.</p>
      {samples.map((sample) => (
        <details key={sample.episode} className={styles.sample}>
          <summary>
            <span>
              Step {sample.step}, reward {sample.reward === null ? '–' : formatNumber(sample.reward)}
            </span>
            <TaskName words={names.ofEpisode(sample.episode)} place={taskPlace(sample, 'unknown scenario')} />
          </summary>
          <ol className={styles.actions}>
            {sample.actions.map((action, index) => (
              // An agent may send the same thing twice.
              // oxlint-disable-next-line react/no-array-index-key
              <li key={index}>
                <code>{action}</code>
              </li>
            ))}
          </ol>
          <p className="quiet">
            {sample.more === 0 ? '' : `${String(sample.more)} more turns. `}
            <a href={formatRoute(episodeRoute(sample.episode))}>Open the episode</a>
          </p>
        </details>
      ))}
    </section>
  );
}

type ComparedRunsProps = { runs: readonly string[]; revision: number; onEnd: () => void };

export function ComparedRuns({ runs, revision, onEnd }: ComparedRunsProps): ReactNode {
  const { call } = useSession();
  const { value, failure, again } = useAnswer(
    ['compared runs', ...runs],
    async () => Promise.all(runs.map(async (run) => (await call('training.read', { run })).run)),
    { revision },
  );
  const drawings = useMemo(() => (value === null ? [] : comparisonFigures(value)), [value]);
  if (failure !== null || value === null)
    return (
      <UnreadPane
        failure={failure}
        again={again}
        problem="Could not read the runs"
        loading="Loading the runs"
      />
    );
  return (
    <OpenPane
      label="Compared training runs"
      title={`${String(value.length)} runs side by side`}
      head={
        <>
          <p className={styles.note}>{COMPARISON_CAUTION}</p>
          <div>
            <Button size="small" onClick={onEnd}>
              End the comparison
            </Button>
          </div>
        </>
      }
    >
      <FigureList drawings={drawings} />
    </OpenPane>
  );
}
