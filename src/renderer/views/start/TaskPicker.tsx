// Choosing what is to be done: a scenario, found by its name or by words of its tasks, and one of its tasks.
import { Search } from 'lucide-react';
import { useEffect, useState, type KeyboardEvent, type ReactNode } from 'react';
import { BUILT_IN } from '../../../shared/environmentKinds.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Input } from '../../ui/Field.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { chipsOf, shownTasks, type Chip } from './tasks.ts';
import * as styles from './TaskPicker.module.css';
import { useScenarios, useTasks, type Scenario, type Task } from './useCatalog.ts';

type TaskPickerProps = {
  environment: string;
  scenario: string;
  task: string;
  problem: string | null;
  onChoose: (scenario: string, task: string) => void;
};

export function TaskPicker({ environment, scenario, task, problem, onChoose }: TaskPickerProps): ReactNode {
  const [query, setQuery] = useState('');
  const found = useScenarios(environment, query.trim().slice(0, 200));
  const tasks = useTasks(environment, scenario);
  // Of the built-in worlds the first is the one to begin with; elsewhere only a single scenario is chosen by itself.
  const isObvious = environment === BUILT_IN || found.value?.total === 1;
  const preset = isObvious && query === '' ? found.value?.scenarios[0]?.name : undefined;
  useEffect(() => {
    if (scenario === '' && preset !== undefined) onChoose(preset, '0');
  });
  if (found.failure !== null) {
    return (
      <ErrorNote
        title="Could not read the scenarios"
        failure={found.failure}
        action={
          <Button size="small" onClick={found.again}>
            Try again
          </Button>
        }
      />
    );
  }
  if (found.value === null) return <Skeleton rows={8} label="Reading the scenarios" />;
  if (found.value.total === 0 && query === '')
    return <ByHand scenario={scenario} task={task} problem={problem} onChoose={onChoose} />;
  return (
    <div className={styles.picker}>
      <Input
        type="search"
        autoFocus
        aria-label="Find scenarios and tasks"
        placeholder="Search scenarios and tasks"
        icon={<Search />}
        value={query}
        onChange={({ target }) => setQuery(target.value)}
      />
      <div className={cx(styles.columns, problem !== null && styles.isMissing)}>
        <ScenarioList
          scenarios={found.value.scenarios}
          total={found.value.total}
          chosen={scenario}
          onChoose={(name) => (name === scenario ? undefined : onChoose(name, ''))}
        />
        <TaskColumn
          key={scenario}
          scenario={scenario}
          tasks={tasks}
          query={query}
          chosen={task}
          onChoose={(index) => onChoose(scenario, String(index))}
        />
      </div>
    </div>
  );
}

/** Arrow keys move between the options of a radio group made of buttons. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0) return;
  event.preventDefault();
  const all = [...event.currentTarget.querySelectorAll<HTMLButtonElement>('button[role="radio"]')];
  const next = all[all.indexOf(document.activeElement as HTMLButtonElement) + step];
  next?.focus();
  next?.click();
}

type ScenarioListProps = {
  scenarios: readonly Scenario[];
  total: number;
  chosen: string;
  onChoose: (name: string) => void;
};

function ScenarioList({ scenarios, total, chosen, onChoose }: ScenarioListProps): ReactNode {
  const first = scenarios.some(({ name }) => name === chosen) ? chosen : (scenarios[0]?.name ?? '');
  return (
    <div className={styles.scenarios} role="radiogroup" aria-label="Scenario" onKeyDown={moveFocus}>
      {scenarios.map(({ name, description, tasks }) => (
        <button
          key={name}
          type="button"
          role="radio"
          aria-checked={name === chosen}
          tabIndex={name === first ? 0 : -1}
          className={cx(styles.option, name === chosen && styles.isChosen)}
          onClick={() => onChoose(name)}
        >
          <span className={styles.name}>{name}</span>
          <span className={styles.detail} title={description}>
            {tasks === 1 ? '1 task' : `${String(tasks)} tasks`}
            {description === '' ? '' : ` · ${description}`}
          </span>
        </button>
      ))}
      {scenarios.length === 0 ? <p className={styles.none}>No scenario or task matches.</p> : null}
      {total > scenarios.length ? (
        <p className={styles.none}>{total - scenarios.length} more. Type to narrow the list.</p>
      ) : null}
    </div>
  );
}

type TaskColumnProps = {
  scenario: string;
  tasks: ReturnType<typeof useTasks>;
  query: string;
  chosen: string;
  onChoose: (index: number) => void;
};

function TaskColumn({ scenario, tasks, query, chosen, onChoose }: TaskColumnProps): ReactNode {
  const [chips, setChips] = useState<ReadonlySet<Chip>>(new Set());
  if (scenario === '') return <p className={styles.none}>Choose a scenario to see its tasks.</p>;
  if (tasks.failure !== null) return <ErrorNote title="Could not read the tasks" failure={tasks.failure} />;
  if (tasks.value === null) return <Skeleton rows={6} label="Reading the tasks" />;
  const listed = tasks.value.tasks;
  const shown = shownTasks(listed, query, chips);
  const first = shown.some((task) => String(task.task_idx) === chosen)
    ? chosen
    : String(shown[0]?.task_idx ?? '');
  const toggle = (chip: Chip): void =>
    setChips((old) => new Set(old.has(chip) ? [...old].filter((other) => other !== chip) : [...old, chip]));
  return (
    <div className={styles.taskColumn}>
      {chipsOf(listed).length === 0 ? null : (
        <div className={styles.chips} role="group" aria-label="Show only">
          {chipsOf(listed).map((chip) => (
            <button
              key={chip}
              type="button"
              className={styles.chip}
              aria-pressed={chips.has(chip)}
              onClick={() => toggle(chip)}
            >
              {chip}
            </button>
          ))}
        </div>
      )}
      <div className={styles.tasks} role="radiogroup" aria-label="Task" onKeyDown={moveFocus}>
        {shown.map((task) => (
          <TaskOption
            key={task.task_idx}
            task={task}
            isChosen={String(task.task_idx) === chosen}
            isFirst={String(task.task_idx) === first}
            onChoose={onChoose}
          />
        ))}
        {shown.length === 0 ? <p className={styles.none}>No task of this kind.</p> : null}
      </div>
    </div>
  );
}

type TaskOptionProps = { task: Task; isChosen: boolean; isFirst: boolean; onChoose: (index: number) => void };

function TaskOption({ task, isChosen, isFirst, onChoose }: TaskOptionProps): ReactNode {
  return (
    <button
      type="button"
      role="radio"
      aria-checked={isChosen}
      tabIndex={isFirst ? 0 : -1}
      className={cx(styles.option, isChosen && styles.isChosen)}
      onClick={() => onChoose(task.task_idx)}
    >
      <span className={styles.marks}>
        <span className={styles.name}>Task {task.task_idx}</span>
        {task.difficulty === null ? null : <Badge>{task.difficulty}</Badge>}
        {task.is_ambiguous ? <Badge tone="waiting">ambiguous</Badge> : null}
      </span>
      <span className={styles.text}>{task.task}</span>
    </button>
  );
}

/** For environments that list nothing: the names are typed. */
function ByHand({ scenario, task, problem, onChoose }: Omit<TaskPickerProps, 'environment'>): ReactNode {
  return (
    <div className={styles.byHand}>
      <p>This environment lists no scenarios. Leave both empty to use its default reset.</p>
      <Field label="Scenario">
        <Input value={scenario} onChange={({ target }) => onChoose(target.value, task)} />
      </Field>
      <Field label="Task number" error={problem}>
        <Input inputMode="numeric" value={task} onChange={({ target }) => onChoose(scenario, target.value)} />
      </Field>
    </div>
  );
}
