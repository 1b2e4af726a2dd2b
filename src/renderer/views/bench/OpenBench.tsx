// One bench: what was fixed before it began, how far it is, and what it came to once it is over.
import { Play, Square } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import { countText } from '../../../shared/countText.ts';
import type { BenchPlan } from '../../../shared/bench/plan.ts';
import { rosterLines } from '../../../shared/bench/report.ts';
import type { Outputs } from '../../../shared/contract/contract.ts';
import { hasPerson } from '../../../shared/conditions.ts';
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
import * as styles from './Bench.module.css';
import { CONCURRENCY } from './benchForm.ts';
import { BenchResult } from './BenchResult.tsx';
import { remainingText, STATE_LABELS } from './benchText.ts';

/** So often a running bench is asked how far it is. */
const EVERY_MS = 1500;

export function OpenBench({ name, onChanged }: { name: string; onChanged: () => void }): ReactNode {
  const {
    last: value,
    failure,
    again,
  } = useAsk('bench.show', { name }, { everyMs: EVERY_MS, isChanging: ({ state }) => state === 'running' });
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
          href={formatRoute({ view: 'bench', bench: null, isNew: false })}
          label="Show the newest bench"
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
