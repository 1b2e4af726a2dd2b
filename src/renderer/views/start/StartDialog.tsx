// Starting episodes: what is to be done, who acts; everything else on one line that opens.
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { kindOf } from '../../../shared/environmentKinds.ts';
import { useConsole, useKeys, useSession } from '../../state/hooks.ts';
import { useAct, useAsk } from '../../state/queries.ts';
import { episodeRoute, navigate, useRoute } from '../../state/route.ts';
import { changeUi } from '../../state/store.ts';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Select } from '../../ui/Field.tsx';
import { AgentPicker } from './AgentPicker.tsx';
import { DEFAULT_CHOICE, inputOf, optionsText, problemsOf, StartChoice } from './choice.ts';
import { Options } from './Options.tsx';
import * as styles from './StartDialog.module.css';
import { TaskPicker } from './TaskPicker.tsx';
import { useScenarios } from './useCatalog.ts';

export function StartDialog(): ReactNode {
  const { store } = useSession();
  const close = (): void => changeUi(store, ({ overlay }) => (overlay === 'start' ? { overlay: null } : {}));
  return <StartForm onClose={close} />;
}

function useChoice(): [StartChoice, (change: Partial<StartChoice>) => void] {
  const { kept } = useSession();
  const [choice, setChoice] = useState(() => kept.read('start', StartChoice, DEFAULT_CHOICE));
  const change = (by: Partial<StartChoice>): void =>
    setChoice((old) => {
      const next = { ...old, ...by };
      kept.write('start', next);
      return next;
    });
  return [choice, change];
}

/**
 * Starts what is chosen; what main says against it stays beside the form. A person at the desk waits for questions and
 * stays there; from anywhere else the console goes to the episode.
 */
function useStart(choice: StartChoice, agentModel: string | null, task: string, onStarted: () => void) {
  const { call, store } = useSession();
  const { view } = useRoute();
  return useAct(async () => {
    const { episodes } = await call('episode.start', inputOf(choice, agentModel));
    const [episode = null] = episodes;
    onStarted();
    if (episode === null) navigate({ view: 'episodes' });
    else if (view !== 'desk') navigate(episodeRoute(episode));
    else changeUi(store, () => ({ started: { episode, task, count: episodes.length } }));
  });
}

/** The text of the chosen task; null if the environment does not list it, or its list is still being read. */
function useChosenTask({ environment, scenario, task }: StartChoice): {
  words: string | null;
  isReading: boolean;
} {
  const { value, failure } = useScenarios(environment);
  const found = value?.scenarios.find(({ name }) => name === scenario);
  return {
    words: task === '' ? null : (found?.tasks[Number(task)] ?? null),
    isReading: value === null && failure === null,
  };
}

/** Fields that are seen while the options are closed. */
const ALWAYS_SHOWN: ReadonlySet<string> = new Set(['environment', 'task', 'policy']);

function StartForm({ onClose }: { onClose: () => void }): ReactNode {
  const app = useConsole(({ record }) => record.app);
  const [choice, change] = useChoice();
  const [isTried, setIsTried] = useState(false);
  const [hasOptions, setHasOptions] = useState(false);
  const [hasHits, setHasHits] = useState(true);
  const form = useRef<HTMLDivElement>(null);
  const environments = useAsk('environments.list', {});
  const known = environments.value?.environments;
  const first = known?.[0]?.id;
  const isKnown = known?.some(({ id }) => id === choice.environment) ?? true;
  useEffect(() => {
    if (!isKnown && first !== undefined) change({ environment: first, scenario: '', task: '' });
  });
  const profiles = useAsk('settings.read', {}).value?.profiles ?? null;
  const profile = profiles?.find(({ name }) => name === choice.profile);
  // A profile that was removed since is not asked for again.
  useEffect(() => {
    if (profiles !== null && choice.profile !== '' && profile === undefined) change({ profile: '' });
  });
  const ownModel = app?.agent_model ?? null;
  const agentModel = profile?.model ?? ownModel;
  const problems = problemsOf(choice, agentModel !== null);
  const { words, isReading } = useChosenTask(choice);
  const named = choiceName(choice);
  const { isBusy, failure, run: start } = useStart(choice, agentModel, words ?? named, onClose);
  const go = (): void => {
    // Before the list is read, nobody has seen what would start.
    if (!hasHits || isReading) return;
    setIsTried(true);
    if (Object.keys(problems).some((field) => !ALWAYS_SHOWN.has(field))) setHasOptions(true);
    if (Object.keys(problems).length === 0 && !isBusy) void start();
    // The first field to mend takes the focus, and so comes into view.
    else
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };
  useKeys({ send: go }, 'overlay');
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
          {!hasHits ? (
            <p className={cx(styles.summary, styles.problem)} role="alert">
              Nothing to start: no scenario or task matches the search.
            </p>
          ) : isTried && problem !== undefined ? (
            <p className={cx(styles.summary, styles.problem)} role="alert">
              {problem}
            </p>
          ) : (
            <p className={styles.summary} role="status">
              {words === null ? null : <span className={styles.task}>{words}</span>} {named}
            </p>
          )}
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" chord="send" isBusy={isBusy} isDisabled={!hasHits || isReading} onClick={go}>
            {repeats > 1 && problems.repeats === undefined ? `Start ${String(repeats)} episodes` : 'Start'}
          </Button>
        </>
      }
    >
      <div className={styles.form} ref={form}>
        <div className={styles.what}>
          <Field label="Environment" error={problems.environment ?? null}>
            <Select
              value={choice.environment}
              options={(known ?? []).map((spec) => ({
                value: spec.id,
                label: kindOf(spec).isPartOfProduct ? spec.name : `${spec.name}, ${spec.url}`,
              }))}
              onChoose={(environment) => change({ environment, scenario: '', task: '' })}
            />
          </Field>
          <div className={styles.pick}>
            {environments.failure === null ? (
              <TaskPicker
                key={choice.environment}
                environment={choice.environment}
                scenario={choice.scenario}
                task={choice.task}
                problem={isTried ? (problems.task ?? null) : null}
                onChoose={(scenario, task) => change({ scenario, task })}
                onSearched={setHasHits}
              />
            ) : (
              <ErrorNote title="Could not read the environments" failure={environments.failure} />
            )}
          </div>
        </div>
        <div className="stack-4 shrinks">
          <AgentPicker
            choice={choice}
            ownModel={ownModel}
            profiles={profiles ?? []}
            onChange={change}
            onLeave={onClose}
          />
          <details open={hasOptions} onToggle={({ currentTarget }) => setHasOptions(currentTarget.open)}>
            <summary>
              <span className="strong">Options</span> <span className="quiet">{optionsText(choice)}</span>
            </summary>
            <Options choice={choice} problems={problems} onChange={change} />
          </details>
        </div>
      </div>
    </Dialog>
  );
}

const choiceName = ({ scenario, task }: StartChoice): string =>
  [scenario, task === '' ? '' : `task ${task}`].filter(Boolean).join(', ') ||
  'The default reset of the environment';
