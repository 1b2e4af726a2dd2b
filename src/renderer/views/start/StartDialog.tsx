// Starting episodes: what is to be done, who acts, who may advise.
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Outputs } from '../../../shared/contract/contract.ts';
import { kindOf } from '../../../shared/environmentKinds.ts';
import type { Condition, Fallback } from '../../../shared/events/lifecycle.ts';
import { useConsole, useKeys, useSession } from '../../state/hooks.ts';
import { useAct, useAsk } from '../../state/queries.ts';
import { episodeRoute, navigate, useRoute } from '../../state/route.ts';
import { changeUi } from '../../state/store.ts';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Input, Select } from '../../ui/Field.tsx';
import { AgentPicker } from './AgentPicker.tsx';
import {
  DEFAULT_CHOICE,
  fallbacksOf,
  inputOf,
  isHuman,
  problemsOf,
  StartChoice,
  type StartProblems,
} from './choice.ts';
import { MORE_FIELDS, MoreFields } from './MoreFields.tsx';
import * as styles from './StartDialog.module.css';
import { TaskPicker } from './TaskPicker.tsx';
import { useScenarios } from './useCatalog.ts';
import * as conditionPickerStyles from './ConditionPicker.module.css';

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

/** What the chosen task asks for; null where the environment does not list it, or its list is still being read. */
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

function StartForm({ onClose }: { onClose: () => void }): ReactNode {
  const app = useConsole(({ record }) => record.app);
  const [choice, change] = useChoice();
  const [isTried, setIsTried] = useState(false);
  const [isMore, setIsMore] = useState(false);
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
    if (Object.keys(problems).some((field) => MORE_FIELDS.has(field))) setIsMore(true);
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
          <WhereFields choice={choice} problems={problems} environments={known ?? []} onChange={change} />
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
          {choice.policy === 'human' ? null : (
            <ConditionPicker choice={choice} problems={problems} onChange={change} />
          )}
          <details open={isMore} onToggle={({ currentTarget }) => setIsMore(currentTarget.open)}>
            <summary className="soft strong">More</summary>
            <MoreFields choice={choice} problems={problems} onChange={change} />
          </details>
        </div>
      </div>
    </Dialog>
  );
}

const choiceName = ({ scenario, task }: StartChoice): string =>
  [scenario, task === '' ? '' : `task ${task}`].filter(Boolean).join(', ') ||
  'The default reset of the environment';

type WhereFieldsProps = {
  choice: StartChoice;
  problems: StartProblems;
  environments: Outputs['environments.list']['environments'];
  onChange: (change: Partial<StartChoice>) => void;
};

/** Where the task is run, and how many times. */
const WhereFields = ({ choice, problems, environments, onChange }: WhereFieldsProps): ReactNode => (
  <div className={styles.where}>
    <Field label="Environment" error={problems.environment ?? null}>
      <Select
        value={choice.environment}
        options={environments.map((spec) => ({
          value: spec.id,
          label: kindOf(spec).isPartOfProduct ? spec.name : `${spec.name}, ${spec.url}`,
        }))}
        onChoose={(environment) => onChange({ environment, scenario: '', task: '' })}
      />
    </Field>
    <Field label="Repeats" error={problems.repeats ?? null}>
      <Input
        inputMode="numeric"
        value={choice.repeats}
        placeholder="1"
        title="How many times the task is run"
        onChange={({ target }) => onChange({ repeats: target.value })}
      />
    </Field>
  </div>
);

const CONDITIONS: readonly { value: Condition; label: string; means: string }[] = [
  {
    value: 'human+draft',
    label: 'Human with a draft',
    means: 'The advisor drafts; you accept, edit or decline.',
  },
  { value: 'human', label: 'Human', means: 'You answer each question yourself, without drafts.' },
  { value: 'model', label: 'Model', means: 'The advisor answers at once; no one is asked.' },
  { value: 'none', label: 'No expert', means: 'The agent works alone: the baseline.' },
];

const FALLBACK_HINTS: Readonly<Record<Fallback, string>> = {
  wait: 'The agent waits as long as it takes',
  draft: 'The draft is sent unchanged',
  proceed: 'The agent continues without advice',
};

type Props = {
  choice: StartChoice;
  problems: StartProblems;
  onChange: (change: Partial<StartChoice>) => void;
};

/** Choosing who may advise, with what each choice means, and what happens when nobody answers in time. */
function ConditionPicker({ choice, problems, onChange }: Props): ReactNode {
  const choose = (condition: Condition): void =>
    onChange({
      condition,
      fallback: fallbacksOf(condition).includes(choice.fallback) ? choice.fallback : 'wait',
    });
  return (
    <fieldset className={conditionPickerStyles.set}>
      <legend className={conditionPickerStyles.legend}>Who may advise</legend>
      {CONDITIONS.map(({ value, label, means }) => (
        <label
          key={value}
          className={cx(
            conditionPickerStyles.card,
            value === choice.condition && conditionPickerStyles.isChosen,
          )}
        >
          <input
            type="radio"
            name="condition"
            value={value}
            checked={value === choice.condition}
            onChange={() => choose(value)}
          />
          <span>
            <span className={conditionPickerStyles.label}>{label}</span>
            <span className={conditionPickerStyles.means}>{means}</span>
          </span>
        </label>
      ))}
      {isHuman(choice.condition) ? (
        <div className={conditionPickerStyles.deadline}>
          <Field label="If no one answers">
            <Select
              value={choice.fallback}
              options={fallbacksOf(choice.condition).map((value) => ({
                value,
                label: FALLBACK_HINTS[value],
              }))}
              onChoose={(fallback) => onChange({ fallback })}
            />
          </Field>
          {choice.fallback === 'wait' ? null : (
            <Field label="After, seconds" error={problems.deadlineS ?? null}>
              <Input
                inputMode="numeric"
                value={choice.deadlineS}
                onChange={({ target }) => onChange({ deadlineS: target.value })}
              />
            </Field>
          )}
        </div>
      ) : null}
    </fieldset>
  );
}
