// Owns: starting episodes: what is to be done, who acts, who may advise.
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { failureShape, type FailureShape } from '../../../shared/failure.ts';
import { useConsole, useKeys, useSession } from '../../state/hooks.ts';
import { navigate } from '../../state/route.ts';
import { changeUi } from '../../state/store.ts';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Select } from '../../ui/Field.tsx';
import { AgentPicker } from './AgentPicker.tsx';
import { Choice, DEFAULT_CHOICE, inputOf, problemsOf } from './choice.ts';
import { ConditionPicker } from './ConditionPicker.tsx';
import { MORE_FIELDS, MoreFields } from './MoreFields.tsx';
import styles from './StartDialog.module.css';
import { TaskPicker } from './TaskPicker.tsx';
import { useEnvironments } from './useCatalog.ts';

export function StartDialog(): ReactNode {
  const { store } = useSession();
  const isOpen = useConsole(({ ui }) => ui.overlay === 'start');
  const close = (): void => changeUi(store, ({ overlay }) => (overlay === 'start' ? { overlay: null } : {}));
  return isOpen ? <StartForm onClose={close} /> : null;
}

function useChoice(): [Choice, (change: Partial<Choice>) => void] {
  const { kept } = useSession();
  const [choice, setChoice] = useState(() => kept.read('start', Choice, DEFAULT_CHOICE));
  const change = (by: Partial<Choice>): void =>
    setChoice((old) => {
      const next = { ...old, ...by };
      kept.write('start', next);
      return next;
    });
  return [choice, change];
}

/** Starts what is chosen; what main says against it stays beside the form. */
function useStart(choice: Choice, agentModel: string | null, onStarted: () => void) {
  const { call } = useSession();
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<FailureShape | null>(null);
  const start = async (): Promise<void> => {
    setIsBusy(true);
    setFailure(null);
    try {
      const { episodes } = await call('episode.start', inputOf(choice, agentModel));
      onStarted();
      navigate({ view: 'live', episode: episodes[0] ?? null });
    } catch (thrown) {
      setFailure(failureShape(thrown));
    } finally {
      setIsBusy(false);
    }
  };
  return { isBusy, failure, start };
}

function StartForm({ onClose }: { onClose: () => void }): ReactNode {
  const app = useConsole(({ record }) => record.app);
  const [choice, change] = useChoice();
  const [isTried, setIsTried] = useState(false);
  const [isMore, setIsMore] = useState(false);
  const form = useRef<HTMLDivElement>(null);
  const environments = useEnvironments();
  const first = environments.value?.[0]?.id;
  const isKnown = environments.value?.some(({ id }) => id === choice.environment) ?? true;
  useEffect(() => {
    if (!isKnown && first !== undefined) change({ environment: first, scenario: '', task: '' });
  });
  const agentModel = app?.agent_model ?? null;
  const problems = problemsOf(choice, agentModel !== null);
  const { isBusy, failure, start } = useStart(choice, agentModel, onClose);
  const go = (): void => {
    setIsTried(true);
    if (Object.keys(problems).some((field) => MORE_FIELDS.has(field))) setIsMore(true);
    if (Object.keys(problems).length === 0 && !isBusy) void start();
    // The first field to mend takes the focus, and so comes into view.
    else
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };
  useKeys('start', { 'start.go': go });
  const repeats = Number(choice.repeats);
  const problem = Object.values(problems)[0];
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Start an episode"
      size="wide"
      notice={failure === null ? null : <ErrorNote title="Could not start the episode" failure={failure} />}
      footer={
        <>
          {isTried && problem !== undefined ? (
            <p className={cx(styles['summary'], styles['problem'])} role="alert">
              {problem}
            </p>
          ) : (
            <p className={styles['summary']}>{summaryOf(choice)}</p>
          )}
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" chord="start.go" isBusy={isBusy} onClick={go}>
            {repeats > 1 && problems.repeats === undefined ? `Start ${String(repeats)} episodes` : 'Start'}
          </Button>
        </>
      }
    >
      <div className={styles['form']} ref={form}>
        <div className={styles['what']}>
          <Field label="Environment" error={problems.environment ?? null}>
            <Select
              value={choice.environment}
              options={(environments.value ?? []).map(({ id, name, builtin, url }) => ({
                value: id,
                label: builtin ? name : `${name}, ${url}`,
              }))}
              onChoose={(environment) => change({ environment, scenario: '', task: '' })}
            />
          </Field>
          <div className={styles['pick']}>
            {environments.failure === null ? (
              <TaskPicker
                key={choice.environment}
                environment={choice.environment}
                scenario={choice.scenario}
                task={choice.task}
                problem={isTried ? (problems.task ?? null) : null}
                onChoose={(scenario, task) => change({ scenario, task })}
              />
            ) : (
              <ErrorNote title="Could not read the environments" failure={environments.failure} />
            )}
          </div>
        </div>
        <div className={styles['who']}>
          <AgentPicker choice={choice} agentModel={agentModel} onChange={change} onLeave={onClose} />
          <ConditionPicker choice={choice} problems={problems} onChange={change} />
          <details open={isMore} onToggle={({ currentTarget }) => setIsMore(currentTarget.open)}>
            <summary className={styles['more']}>More</summary>
            <MoreFields choice={choice} problems={problems} onChange={change} />
          </details>
        </div>
      </div>
    </Dialog>
  );
}

const summaryOf = ({ scenario, task }: Choice): string =>
  scenario === '' ? '' : task === '' ? scenario : `${scenario}, task ${task}`;
