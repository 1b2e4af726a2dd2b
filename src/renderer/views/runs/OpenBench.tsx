// One bench: how far it is, and once it is over what it found.
import { Play, Square } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import type { BenchPlan } from '../../../shared/bench/plan.ts';
import { hasPerson } from '../../../shared/conditions.ts';
import type { BenchState } from '../../../shared/contract/bench.ts';
import type { Outputs } from '../../../shared/contract/contract.ts';
import { countText } from '../../../shared/countText.ts';
import type { FailureShape } from '../../../shared/failure.ts';
import { useSession } from '../../state/hooks.ts';
import { useAct, useAsk } from '../../state/queries.ts';
import { formatRoute } from '../../state/route.ts';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { OpenPane, Pane } from '../../ui/ListPage.tsx';
import { NotFound } from '../../ui/NotFound.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { CONCURRENCY } from './BenchFields.tsx';
import { BenchResult, PlanFacts } from './BenchResult.tsx';
import * as styles from './Bench.module.css';

export const STATE_LABELS: Readonly<Record<BenchState, string>> = {
  running: 'Running',
  stopped: 'Stopped',
  complete: 'Complete',
};

/** The remaining time, rounded as far as anybody can know it. */
export function remainingText(seconds: number): string {
  if (seconds < 60) return 'less than a minute left';
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `about ${String(minutes)} min left`;
  const rest = minutes % 60;
  return `about ${String(Math.floor(minutes / 60))} h${rest === 0 ? '' : ` ${String(rest)} min`} left`;
}

/** So often a running bench is asked how far it is. */
const OPEN_BENCH_MS = 1500;

export function OpenBench({ name, onChanged }: { name: string; onChanged: () => void }): ReactNode {
  const {
    last: value,
    failure,
    again,
  } = useAsk(
    'bench.show',
    { name },
    { everyMs: OPEN_BENCH_MS, isChanging: ({ state }) => state === 'running' },
  );
  const state = value?.state ?? null;
  // The list says the same of it.
  useEffect(() => {
    if (state !== null) onChanged();
  }, [state, onChanged]);
  if (value === null && failure?.code === 'not_found')
    return (
      <Pane>
        <NotFound
          what="bench"
          name={name}
          href={formatRoute({ view: 'runs', run: null })}
          label="Show the newest run"
        />
      </Pane>
    );
  const note = failure === null ? null : <Unread failure={failure} hasLast={value !== null} again={again} />;
  if (value === null)
    return <Pane>{note ?? <Skeleton rows={6} height={60} label="Loading the bench" />}</Pane>;
  const refresh = (): void => {
    again();
    onChanged();
  };
  return (
    <OpenPane label="Bench" title={value.plan.name} head={<p className="quiet">{planText(value.plan)}</p>}>
      {note}
      {value.summary === null ? (
        <div className={cx(note !== null && styles.isOld)} inert={note !== null}>
          <Progress shown={value} onChanged={refresh} />
        </div>
      ) : null}
      {value.summary === null ? null : <BenchResult summary={value.summary} report={value.report} />}
      <PlanDetails plan={value.plan} />
    </OpenPane>
  );
}

type UnreadProps = { failure: FailureShape; hasLast: boolean; again: () => void };

/** Reading changes nothing: what a lost line leaves open about an act is not to be said here. */
function Unread({ failure, hasLast, again }: UnreadProps): ReactNode {
  const next = failure.code === 'closed' ? 'The bench goes on as long as the server runs.' : failure.next;
  return (
    <ErrorNote
      title={hasLast ? 'This is what was read last' : 'Could not read the bench'}
      failure={{ ...failure, next }}
      again={again}
    />
  );
}

const planText = ({ tasks, section, arms, seeds }: BenchPlan): string =>
  `${countText(tasks.length, 'task')} (${section}) in ${arms.map(({ arm }) => arm).join(', ')}, ${
    seeds.length === 1 ? 'one run of each' : `${String(seeds.length)} runs of each`
  }`;

type Shown = Outputs['bench.show'];

function Progress({ shown, onChanged }: { shown: Shown; onChanged: () => void }): ReactNode {
  const { call } = useSession();
  const { plan, state, progress } = shown;
  const { planned, finished, running, waiting, excluded, eta_s: eta } = progress;
  const stop = useAct(async () => {
    await call('run.stop', { run: plan.name });
    onChanged();
  }, 'Could not cancel the bench');
  const resume = useAct(async () => {
    await call('bench.start', { name: plan.name, concurrency: CONCURRENCY });
    onChanged();
  });
  const isRunning = state === 'running';
  const parts = [
    `${finished.toLocaleString()} of ${countText(planned, 'episode')} over`,
    ...(isRunning ? [`${String(running)} running`] : []),
    ...(waiting === 0 ? [] : [`${String(waiting)} ${waiting === 1 ? 'waits' : 'wait'} for people`]),
    ...(eta === null || !isRunning ? [] : [remainingText(eta)]),
    ...(excluded === 0 ? [] : [`${String(excluded)} left out so far`]),
  ];
  return (
    <section className={styles.progress} aria-label="Progress">
      <p className="strong" role="status">
        {STATE_LABELS[state]}
      </p>
      <progress className={styles.bar} aria-label="Episodes over" max={planned} value={finished} />
      <p>{parts.join(' · ')}</p>
      <p className="quiet">
        Figures come at the end: who looks early and stops when it pleases finds what is not there.
      </p>
      {isRunning && plan.arms.some(({ condition }) => hasPerson(condition)) ? (
        <p>
          Questions of this bench wait at the <a href={formatRoute({ view: 'desk' })}>desk</a>.
        </p>
      ) : null}
      {resume.failure === null ? null : (
        <ErrorNote title="Could not go on with the bench" failure={resume.failure} />
      )}
      <div className={styles.buttons}>
        {isRunning ? (
          <Button icon={<Square />} isBusy={stop.isBusy} onClick={() => void stop.run()}>
            Cancel
          </Button>
        ) : (
          <Button tone="primary" icon={<Play />} isBusy={resume.isBusy} onClick={() => void resume.run()}>
            Go on
          </Button>
        )}
        <span className="quiet">
          {isRunning
            ? 'It can go on later: what is over stays, and no run is made twice.'
            : 'What is over stays; the other runs are made now.'}
        </span>
      </div>
    </section>
  );
}

function PlanDetails({ plan }: { plan: BenchPlan }): ReactNode {
  return (
    <details className={styles.details}>
      <summary>What was fixed before it began</summary>
      <PlanFacts plan={plan} />
    </details>
  );
}
