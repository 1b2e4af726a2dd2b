// Running an episode's calls again from its replay: where, how far, and what came back otherwise.
import { RotateCcw, Square } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import type { Repeat } from '../../../shared/contract/library.ts';
import { DRIFT_RULES } from '../../../shared/drift.ts';
import type { AgainStep } from '../../../shared/events/library.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import type { FailureShape } from '../../../shared/failure.ts';
import { DiffText } from '../../parts/text/DiffText.tsx';
import { formatCount } from '../../parts/text/size.ts';
import { useSession, useText } from '../../state/hooks.ts';
import { useAct, useAsk } from '../../state/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Select } from '../../ui/Field.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import * as styles from './Outline.module.css';

type RepeatPanelProps = { whole: EpisodeRecord; onGo: (n: number) => void };

const AS_LOGGED = 'as logged';

export function RepeatPanel({ whole, onGo }: RepeatPanelProps): ReactNode {
  const { call } = useSession();
  const { repeats, failure, act } = useRepeats(whole.id);
  const [environment, setEnvironment] = useState(AS_LOGGED);
  // Where it ran can be chosen without the others.
  const environments = useAsk('environments.list', {}).value?.environments ?? [];
  const running = repeats.find(({ state }) => state === 'running');
  const start = (): Promise<unknown> =>
    call('repeat.start', { episode: whole.id, environment: environment === AS_LOGGED ? null : environment });
  return (
    <div className={styles.panel}>
      <div className={styles.start}>
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
          <Button tone="primary" icon={<RotateCcw />} onClick={() => act(start)}>
            Run again and compare
          </Button>
        ) : (
          <Button
            icon={<Square />}
            onClick={() => act(() => call('repeat.stop', { repeat: running.repeat }))}
          >
            Stop
          </Button>
        )}
      </div>
      {running === undefined ? null : <RepeatProgress repeat={running} />}
      {failure === null ? null : <ErrorNote title="Could not replay the calls" failure={failure} />}
      <ul className={styles.rules} aria-label="Ignored differences">
        {DRIFT_RULES.map(({ name, says }) => (
          <li key={name}>{says}.</li>
        ))}
        <li>Any other difference is drift. The episode and its log are not changed.</li>
      </ul>
      {repeats.map((repeat) =>
        repeat.state === 'running' ? null : (
          <RepeatResult key={repeat.repeat} repeat={repeat} whole={whole} onGo={onGo} />
        ),
      )}
    </div>
  );
}

function RepeatProgress({ repeat: { steps, calls } }: { repeat: Repeat }): ReactNode {
  return (
    <div>
      <progress className={styles.progress} value={steps.length} max={calls} aria-label="Replayed calls" />
      <span role="status">{`${String(steps.length)} of ${formatCount(calls, 'call')} replayed`}</span>
    </div>
  );
}

/** What a repeat came to, in words. */
function repeatText({ state, calls, steps }: Repeat): string {
  const made = `${String(steps.length)} of ${formatCount(calls, 'call')} replayed`;
  const drift = steps.filter((step) => !step.is_same).length;
  const found = drift === 0 ? 'all results as in the log' : `${formatCount(drift, 'result')} otherwise`;
  const end = state === 'stopped' ? ', then stopped' : state === 'failed' ? ', then it failed' : '';
  return `${made}${end}: ${steps.length === 0 ? 'nothing to compare' : found}`;
}

function RepeatResult({ repeat, whole, onGo }: RepeatPanelProps & { repeat: Repeat }): ReactNode {
  const drift = repeat.steps.filter((step) => !step.is_same);
  return (
    <section className={styles.repeat} aria-label="Result">
      <p>
        <b>{repeatText(repeat)}</b>
      </p>
      <p className={styles.quiet}>
        {`${repeat.environment.name} · `}
        <RelativeTime at={repeat.at} />
      </p>
      {repeat.failure === null ? null : <ErrorNote title="Stopped here" failure={repeat.failure} />}
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
    <div className={styles.step}>
      <Button size="small" tone="quiet" onClick={() => onGo(turn?.n ?? 1)}>
        {`Turn ${String(step.turn)}, ${step.tool_name}`}
      </Button>
      <DiffText
        label={`Turn ${String(step.turn)}: in the log, then replayed${cut ? ' (its beginning)' : ''}`}
        before={before}
        after={step.again ?? ''}
      />
    </div>
  );
}

const REPEAT_POLL_MS = 300;

/** The repeats of an episode, looked at again while one runs. */
function useRepeats(episode: string): {
  repeats: readonly Repeat[];
  failure: FailureShape | null;
  act: (change: () => Promise<unknown>) => void;
} {
  const { value, failure, again } = useAsk(
    'repeat.list',
    { episode },
    {
      everyMs: REPEAT_POLL_MS,
      isChanging: (found) => found.repeats.some(({ state }) => state === 'running'),
    },
  );
  const repeats = value?.repeats ?? [];
  const act = useAct((change: () => Promise<unknown>) => change().finally(again));
  return { repeats, failure: act.failure ?? failure, act: (change) => void act.run(change) };
}
