// Choosing what is to be done: a scenario, found by its name or by words of its tasks, and one of its tasks.
import { RefreshCw, Search } from 'lucide-react';
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { BUILT_IN } from '../../../shared/environmentKinds.ts';
import {
  createScenarioSearch,
  queryWords,
  type ListedScenario,
  type ScenarioHit,
} from '../../../shared/scenarioSearch.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button, IconButton } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Input } from '../../ui/Field.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import type { VirtualListHandle } from '../../ui/VirtualList.tsx';
import { MarkedText, ScenarioList } from './ScenarioList.tsx';
import { chipsOf, indexAfterKey, listedChoice, shownTasks, type Chip } from './tasks.ts';
import * as styles from './TaskPicker.module.css';
import { useScenarios, useTasks, type Task } from './useCatalog.ts';

type TaskPickerProps = {
  environment: string;
  scenario: string;
  task: string;
  problem: string | null;
  onChoose: (scenario: string, task: string) => void;
  /** Told whether a search leaves anything to start. */
  onSearched: (hasHits: boolean) => void;
};

export function TaskPicker(props: TaskPickerProps): ReactNode {
  const { environment, scenario, task, problem, onChoose } = props;
  const listed = useScenarios(environment);
  const scenarios = listed.value?.scenarios;
  // Of the built-in worlds the first is the one to begin with; elsewhere only a single scenario is chosen by itself.
  const isObvious = environment === BUILT_IN || scenarios?.length === 1;
  useEffect(() => {
    if (scenarios === undefined) return;
    const kept = listedChoice(scenarios, { scenario, task });
    const preset = isObvious && kept.scenario === '' ? scenarios[0]?.name : undefined;
    if (preset !== undefined) onChoose(preset, '0');
    else if (kept.scenario !== scenario || kept.task !== task) onChoose(kept.scenario, kept.task);
  });
  if (listed.failure !== null) {
    return (
      <ErrorNote
        title="Could not read the scenarios"
        failure={listed.failure}
        action={
          <Button size="small" isBusy={listed.isLoading} onClick={listed.again}>
            Try again
          </Button>
        }
      />
    );
  }
  if (scenarios === undefined) return <Skeleton rows={8} label="Reading the scenarios" />;
  if (scenarios.length === 0)
    return <ByHand scenario={scenario} task={task} problem={problem} onChoose={onChoose} />;
  return (
    <ScenarioBrowser {...props} scenarios={scenarios} isReading={listed.isLoading} again={listed.again} />
  );
}

type ScenarioBrowserProps = TaskPickerProps & {
  scenarios: readonly ListedScenario[];
  isReading: boolean;
  again: () => void;
};

/** Everything is searched in this page: a key waits for nobody. */
function ScenarioBrowser(props: ScenarioBrowserProps): ReactNode {
  const { environment, scenarios, scenario, task, problem, onChoose, onSearched, isReading, again } = props;
  const [query, setQuery] = useState('');
  const list = useRef<VirtualListHandle>(null);
  const taskColumn = useRef<HTMLDivElement>(null);
  const search = useMemo(() => createScenarioSearch(scenarios), [scenarios]);
  const hits = useMemo(() => search(query), [search, query]);
  const tasks = useTasks(environment, scenario);
  // With its task, so that what is said to start is what starts.
  const choose = (hit: ScenarioHit): void => {
    if (hit.scenario.name !== scenario) onChoose(hit.scenario.name, taskOfHit(hit));
  };
  const at = hits.findIndex((hit) => hit.scenario.name === scenario);
  const [top] = hits;
  const hasHits = top !== undefined;
  useEffect(() => {
    onSearched(hasHits);
    return () => onSearched(true);
  }, [hasHits, onSearched]);
  // A list that was read again may no longer have the choice among what was found.
  useEffect(() => {
    if (query.trim() !== '' && at === -1 && top !== undefined) choose(top);
  });
  const move = (event: KeyboardEvent, isTyping: boolean): void => {
    const isOfText = isTyping && (event.key === 'Home' || event.key === 'End');
    const to = isOfText ? null : indexAfterKey(event.key, at, hits.length);
    const hit = hits[to ?? Math.max(at, 0)];
    if (hit === undefined || event.ctrlKey || event.metaKey || (to === null && event.key !== 'Enter')) return;
    event.preventDefault();
    choose(hit);
    if (event.key !== 'Enter') return;
    if (hit.scenario.name === scenario && task === '') onChoose(scenario, taskOfHit(hit));
    // Once its tasks are drawn.
    requestAnimationFrame(() =>
      taskColumn.current?.querySelector<HTMLElement>('[role="radio"][tabindex="0"]')?.focus(),
    );
  };
  return (
    <div className={styles.picker}>
      <div className={styles.searchLine}>
        <Input
          type="search"
          autoFocus
          aria-label="Find scenarios and tasks"
          placeholder="Search scenarios and tasks"
          icon={<Search />}
          value={query}
          onKeyDown={(event) => move(event, true)}
          onChange={({ target }) => {
            list.current?.scrollTo(0);
            setQuery(target.value);
            const [found] = target.value.trim() === '' ? [] : search(target.value);
            if (found !== undefined) onChoose(found.scenario.name, taskOfHit(found));
          }}
        />
        <span className={styles.count} role="status">
          {countText(hits.length, scenarios.length)}
        </span>
        <IconButton
          label="Read the scenarios again"
          icon={<RefreshCw />}
          isDisabled={isReading}
          onClick={again}
        />
      </div>
      <div className={cx(styles.columns, problem !== null && styles.isMissing)}>
        <ScenarioList
          hits={hits}
          chosen={scenario}
          query={query}
          list={list}
          onKeyDown={(event) => move(event, false)}
          onChoose={choose}
        />
        <div ref={taskColumn} className={styles.taskSide}>
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
    </div>
  );
}

/** The task that the words were found in, else the first; empty where its tasks are not listed. */
const taskOfHit = ({ scenario: { tasks }, task }: ScenarioHit): string =>
  tasks.length === 0 ? '' : String(task ?? 0);

const countText = (found: number, all: number): string =>
  found === all
    ? `${all.toLocaleString()} ${all === 1 ? 'scenario' : 'scenarios'}`
    : `${found.toLocaleString()} of ${all.toLocaleString()}`;

/** Arrow keys, Home and End move between the options of a radio group made of buttons. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const all = [...event.currentTarget.querySelectorAll<HTMLButtonElement>('button[role="radio"]')];
  const at = all.findIndex((one) => one === document.activeElement);
  const to = indexAfterKey(event.key, at, all.length);
  if (to === null) return;
  event.preventDefault();
  const next = all[to];
  next?.focus();
  next?.click();
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
  const words = queryWords(query);
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
            words={words}
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

type TaskOptionProps = {
  task: Task;
  words: readonly string[];
  isChosen: boolean;
  isFirst: boolean;
  onChoose: (index: number) => void;
};

function TaskOption({ task, words, isChosen, isFirst, onChoose }: TaskOptionProps): ReactNode {
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
      <span className={styles.text}>
        <MarkedText text={task.task} words={words} />
      </span>
    </button>
  );
}

/** For environments that list nothing: the names are typed. */
function ByHand({
  scenario,
  task,
  problem,
  onChoose,
}: Omit<TaskPickerProps, 'environment' | 'onSearched'>): ReactNode {
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
