// Owns: running an episode's calls again from its replay: where, how far, and what came back otherwise.
import { RotateCcw, Square } from 'lucide-react';
import { useCallback, useEffect, useMemo, useState, type ReactNode } from 'react';
import type { Repeat } from '../../../shared/contract/library.ts';
import { DRIFT_RULES } from '../../../shared/drift.ts';
import type { AgainStep } from '../../../shared/events/library.ts';
import type { EnvironmentSpec } from '../../../shared/events/lifecycle.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { failureShape, type FailureShape } from '../../../shared/failure.ts';
import { DiffText } from '../../parts/text/DiffText.tsx';
import { formatCount } from '../../parts/text/size.ts';
import { useSession, useText } from '../../state/hooks.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Select } from '../../ui/Field.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import styles from './Outline.module.css';

type RepeatPanelProps = { whole: EpisodeRecord; onGo: (n: number) => void };

const AS_LOGGED = 'as logged';

export function RepeatPanel({ whole, onGo }: RepeatPanelProps): ReactNode {
  const { call } = useSession();
  const { repeats, failure, act } = useRepeats(whole.id);
  const [environment, setEnvironment] = useState(AS_LOGGED);
  const environments = useEnvironments();
  const running = repeats.find(({ state }) => state === 'running');
  const start = (): Promise<unknown> =>
    call('repeat.start', { episode: whole.id, environment: environment === AS_LOGGED ? null : environment });
  return (
    <div className={styles['panel']}>
      <div className={styles['start']}>
        <Field label="Environment">
          <Select
            value={environment}
            options={[
              { value: AS_LOGGED, label: `As logged: ${whole.started?.environment.name ?? ''}` },
              ...environments.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            onChoose={setEnvironment}
          />
        </Field>
        {running === undefined ? (
          <Button tone="primary" icon={<RotateCcw />} onClick={() => act(start())}>
            Run again and compare
          </Button>
        ) : (
          <Button icon={<Square />} onClick={() => act(call('repeat.stop', { repeat: running.repeat }))}>
            Stop
          </Button>
        )}
      </div>
      {running === undefined ? null : <Progress repeat={running} />}
      {failure === null ? null : <ErrorNote title="Could not run the calls again" failure={failure} />}
      <ul className={styles['rules']} aria-label="What may differ">
        {DRIFT_RULES.map(({ name, says }) => (
          <li key={name}>{says}.</li>
        ))}
        <li>Everything else that differs is drift. The episode and its log stay as they are.</li>
      </ul>
      {repeats.map((repeat) =>
        repeat.state === 'running' ? null : (
          <Result key={repeat.repeat} repeat={repeat} whole={whole} onGo={onGo} />
        ),
      )}
    </div>
  );
}

function Progress({ repeat: { steps, calls } }: { repeat: Repeat }): ReactNode {
  return (
    <div>
      <progress
        className={styles['progress']}
        value={steps.length}
        max={calls}
        aria-label="Calls made again"
      />
      <span role="status">{`${String(steps.length)} of ${formatCount(calls, 'call')} made again`}</span>
    </div>
  );
}

/** What a repeat came to, in words. */
export function repeatWords({ state, calls, steps }: Repeat): string {
  const made = `${String(steps.length)} of ${formatCount(calls, 'call')} made again`;
  const drift = steps.filter((step) => !step.is_same).length;
  const found = drift === 0 ? 'every result as in the log' : `${formatCount(drift, 'result')} otherwise`;
  const end = state === 'stopped' ? ', then stopped' : state === 'failed' ? ', then it failed' : '';
  return `${made}${end}: ${steps.length === 0 ? 'nothing to compare' : found}`;
}

function Result({ repeat, whole, onGo }: RepeatPanelProps & { repeat: Repeat }): ReactNode {
  const drift = repeat.steps.filter((step) => !step.is_same);
  return (
    <section className={styles['repeat']} aria-label="Result">
      <p>
        <b>{repeatWords(repeat)}</b>
      </p>
      <p className={styles['quiet']}>
        {`${repeat.environment.name} · `}
        <RelativeTime at={repeat.at} />
      </p>
      {repeat.failure === null ? null : <ErrorNote title="It stopped there" failure={repeat.failure} />}
      {drift.map((step) => (
        <DriftStep key={step.turn} step={step} whole={whole} onGo={onGo} />
      ))}
    </section>
  );
}

function DriftStep({ step, whole, onGo }: RepeatPanelProps & { step: AgainStep }): ReactNode {
  const turn = useMemo(() => whole.turns.find((one) => one.turn === step.turn), [whole, step.turn]);
  const logged = turn?.call?.returned?.error ?? turn?.call?.returned?.text ?? '';
  const { text: before } = useText(logged);
  const cut = (step.again?.length ?? 0) < step.again_length;
  return (
    <div className={styles['step']}>
      <Button size="small" tone="quiet" onClick={() => onGo(turn?.n ?? 1)}>
        {`Turn ${String(step.turn)}, ${step.tool_name}`}
      </Button>
      <DiffText
        label={`Turn ${String(step.turn)}: in the log, then made again${cut ? ' (its beginning)' : ''}`}
        before={before}
        after={step.again ?? ''}
      />
    </div>
  );
}

function useEnvironments(): readonly EnvironmentSpec[] {
  const { call } = useSession();
  const [environments, setEnvironments] = useState<readonly EnvironmentSpec[]>([]);
  useEffect(() => {
    // Where it ran can be chosen without the others.
    call('environments.list', {}).then(
      (found) => setEnvironments(found.environments),
      () => undefined,
    );
  }, [call]);
  return environments;
}

const LOOK_MS = 300;

/** The repeats of an episode, looked at again while one runs. */
function useRepeats(episode: string): {
  repeats: readonly Repeat[];
  failure: FailureShape | null;
  act: (done: Promise<unknown>) => void;
} {
  const { call } = useSession();
  const [repeats, setRepeats] = useState<readonly Repeat[]>([]);
  const [failure, setFailure] = useState<FailureShape | null>(null);
  const look = useCallback(
    () =>
      call('repeat.list', { episode }).then(
        (found) => setRepeats(found.repeats),
        (thrown: unknown) => setFailure(failureShape(thrown)),
      ),
    [call, episode],
  );
  const isRunning = repeats.some(({ state }) => state === 'running');
  useEffect(() => {
    void look();
    if (!isRunning) return undefined;
    const timer = setInterval(() => void look(), LOOK_MS);
    return () => clearInterval(timer);
  }, [look, isRunning]);
  const act = (done: Promise<unknown>): void => {
    setFailure(null);
    done.catch((thrown: unknown) => setFailure(failureShape(thrown))).finally(() => void look());
  };
  return { repeats, failure, act };
}
