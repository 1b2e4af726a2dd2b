// Choosing what is to be done: a scenario, found by its name or by words of its tasks, and one of its tasks.
import { RefreshCw, Search } from 'lucide-react';
import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { BUILT_IN } from '../../../shared/environmentKinds.ts';
import {
  createScenarioSearch,
  type ListedScenario,
  queryWords,
  type ScenarioHit,
  wordsFound,
} from '../../../shared/scenarioSearch.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Input } from '../../ui/Field.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import type { VirtualListHandle } from '../../ui/VirtualList.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { MarkedText, ScenarioList } from './ScenarioList.tsx';
import * as styles from './TaskPicker.module.css';
import { type Task, useScenarios, useTasks } from './useCatalog.ts';

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
  const [filter, setFilter] = useState<{ scenario: string; chips: ReadonlySet<Chip> } | null>(null);
  const list = useRef<VirtualListHandle>(null);
  const taskColumn = useRef<HTMLDivElement>(null);
  const search = useMemo(() => createScenarioSearch(scenarios), [scenarios]);
  const hits = useMemo(() => search(query), [search, query]);
  const tasks = useTasks(environment, scenario);
  const chips = filter?.scenario === scenario ? filter.chips : NO_CHIPS;
  const shown = tasks.value === null ? null : shownTasks(tasks.value.tasks, query, chips);
  // With its task, so that what is said to start is what starts.
  const choose = (hit: ScenarioHit): void => {
    if (hit.scenario.name !== scenario) onChoose(hit.scenario.name, taskOfHit(hit));
  };
  const at = hits.findIndex((hit) => hit.scenario.name === scenario);
  const [top] = hits;
  const hasHits = top !== undefined && (shown === null || shown.length > 0 || chips.size === 0);
  useEffect(() => {
    onSearched(hasHits);
    return () => onSearched(true);
  }, [hasHits, onSearched]);
  useEffect(() => {
    // A list that was read again may no longer have the choice among what was found.
    if (query.trim() !== '' && at === -1 && top !== undefined) choose(top);
    // What the chips leave out is not started either.
    else if (task !== '' && shown?.[0] !== undefined && !shown.some((one) => String(one.task_idx) === task))
      onChoose(scenario, String(shown[0].task_idx));
  });
  const focusTask = (): void => {
    if (task === '' && hits[at] !== undefined) onChoose(scenario, taskOfHit(hits[at]));
    // Once its tasks are drawn.
    requestAnimationFrame(() =>
      taskColumn.current?.querySelector<HTMLElement>('[role="radio"][tabindex="0"]')?.focus(),
    );
  };
  const onKey = (event: KeyboardEvent, go: (key: string) => boolean): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter' && hasHits) focusTask();
    else if (!go(event.key)) return;
    event.preventDefault();
  };
  const moveInSearch = (key: string): boolean => {
    const order = shown?.map((one) => one.task_idx) ?? null;
    const next = choiceAfterKey(key, hits, query, { scenario, task }, order);
    if (next !== null) onChoose(next.scenario, next.task);
    return next !== null;
  };
  const moveInList = (key: string): boolean => {
    const hit = hits[indexAfterKey(key, at, hits.length) ?? -1];
    if (hit !== undefined) choose(hit);
    return hit !== undefined;
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
          onKeyDown={(event) => onKey(event, moveInSearch)}
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
          onKeyDown={(event) => onKey(event, moveInList)}
          onChoose={choose}
        />
        <div ref={taskColumn} className={styles.taskSide}>
          <TaskColumn
            key={scenario}
            scenario={scenarios.find(({ name }) => name === scenario) ?? null}
            tasks={tasks}
            shown={shown ?? []}
            query={query}
            chosen={task}
            chips={chips}
            onChips={(next) => setFilter({ scenario, chips: next })}
            onChoose={(index) => onChoose(scenario, String(index))}
          />
        </div>
      </div>
    </div>
  );
}

const NO_CHIPS: ReadonlySet<Chip> = new Set();

/** The task that the words were found in, else the first; empty where its tasks are not listed. */
const taskOfHit = ({ scenario: { tasks }, task }: ScenarioHit): string =>
  tasks.length === 0 ? '' : String(task ?? 0);

const countText = (found: number, all: number): string =>
  found === all
    ? `${all.toLocaleString()} ${all === 1 ? 'scenario' : 'scenarios'}`
    : `${found.toLocaleString()} of ${all.toLocaleString()}`;

/** For environments that list nothing: the names are typed. */
function ByHand({
  scenario,
  task,
  problem,
  onChoose,
}: Omit<TaskPickerProps, 'environment' | 'onSearched'>): ReactNode {
  return (
    <div className="stack-3">
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

/** A task as it is chosen; `task` is empty where the scenario lists none. */
type TaskChoice = { scenario: string; task: string };

/** The tasks of a scenario that the words fit best; all of them where its name or description has the words. */
function tasksFound({ scenario, task }: ScenarioHit, query: string): number[] {
  const all = [...scenario.tasks.keys()];
  if (task === null) return all;
  const words = queryWords(query);
  const best = wordsFound(scenario.tasks[task] ?? '', words);
  return all.filter((index) => wordsFound(scenario.tasks[index] ?? '', words) === best);
}

const PREVIOUS_KEYS = new Set(['ArrowUp', 'PageUp']);
const KEYS = new Set([...PREVIOUS_KEYS, 'ArrowDown', 'PageDown']);

/**
 * Arrows go through the tasks found in the chosen scenario and on to the next scenario, PageUp and PageDown to the next
 * scenario at once. `shown` are the tasks that are on screen, in their order; null while they are read. Null for a key
 * that leads nowhere.
 */
function choiceAfterKey(
  key: string,
  hits: readonly ScenarioHit[],
  query: string,
  chosen: TaskChoice,
  shown: readonly number[] | null,
): TaskChoice | null {
  if (!KEYS.has(key) || hits.length === 0) return null;
  const step = PREVIOUS_KEYS.has(key) ? -1 : 1;
  const at = hits.findIndex((hit) => hit.scenario.name === chosen.scenario);
  const hit = hits[at];
  if (hit !== undefined && key.startsWith('Arrow')) {
    const found = new Set(tasksFound(hit, query));
    const tasks = (shown ?? [...found]).filter((task) => found.has(task));
    const next = tasks[tasks.indexOf(chosen.task === '' ? -1 : Number(chosen.task)) + step];
    if (next !== undefined) return { ...chosen, task: String(next) };
  }
  const other = hits[at + step];
  if (other === undefined) return chosen;
  const tasks = tasksFound(other, query);
  const task = key === 'ArrowUp' ? tasks.at(-1) : tasks[0];
  return { scenario: other.scenario.name, task: task === undefined ? '' : String(task) };
}

type TaskColumnProps = {
  /** Null while none is chosen. */
  scenario: ListedScenario | null;
  tasks: ReturnType<typeof useTasks>;
  /** The tasks that the search and the chips leave, best first. */
  shown: readonly Task[];
  query: string;
  chosen: string;
  chips: ReadonlySet<Chip>;
  onChips: (chips: ReadonlySet<Chip>) => void;
  onChoose: (index: number) => void;
};

/** The tasks of the chosen scenario: what each asks for first, its number below. */
function TaskColumn(props: TaskColumnProps): ReactNode {
  const { scenario, tasks, shown, query, chosen, chips, onChips, onChoose } = props;
  const options = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (options.current !== null) showChosen(options.current);
  }, [chosen, query, tasks.value]);
  if (scenario === null) return <p className={styles.none}>Choose a scenario to see its tasks.</p>;
  if (tasks.failure !== null) return <ErrorNote title="Could not read the tasks" failure={tasks.failure} />;
  if (tasks.value === null) return <Skeleton rows={6} label="Reading the tasks" />;
  const words = queryWords(query);
  const first = shown.some((task) => String(task.task_idx) === chosen)
    ? chosen
    : String(shown[0]?.task_idx ?? '');
  return (
    <div className={styles.taskColumn}>
      <ColumnHead
        description={scenario.description}
        offered={chipsOf(tasks.value.tasks)}
        chips={chips}
        onChips={onChips}
      />
      <div ref={options} className={styles.tasks} role="radiogroup" aria-label="Task" onKeyDown={moveFocus}>
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

type ColumnHeadProps = {
  description: string;
  offered: readonly Chip[];
  chips: ReadonlySet<Chip>;
  onChips: (chips: ReadonlySet<Chip>) => void;
};

/** The chips, and the scenario's description where someone wants to read it. */
function ColumnHead({ description, offered, chips, onChips }: ColumnHeadProps): ReactNode {
  const [isAbout, setIsAbout] = useState(false);
  if (offered.length === 0 && description === '') return null;
  const toggle = (chip: Chip): void =>
    onChips(new Set(chips.has(chip) ? [...chips].filter((other) => other !== chip) : [...chips, chip]));
  return (
    <div className={styles.chips}>
      {offered.length === 0 ? null : (
        <div className="wrap-1" role="group" aria-label="Show only">
          {offered.map((chip) => (
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
      {description === '' ? null : (
        <button
          type="button"
          className={styles.aboutToggle}
          aria-expanded={isAbout}
          aria-label={isAbout ? 'Read less about this scenario' : 'Read more about this scenario'}
          onClick={() => setIsAbout(!isAbout)}
        >
          {isAbout ? 'Read less' : 'Read more'}
        </button>
      )}
      {isAbout ? <p className={styles.about}>{description}</p> : null}
    </div>
  );
}

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

/** Scrolls the list alone: the search field, which has the focus, stays where it is. */
function showChosen(list: HTMLElement): void {
  const option = list.querySelector<HTMLElement>('[aria-checked="true"]');
  if (option === null) return;
  const top = option.offsetTop - list.offsetTop;
  const isAbove = top < list.scrollTop;
  const isBelow = top + option.offsetHeight > list.scrollTop + list.clientHeight;
  if (isAbove || isBelow) list.scrollTop = isAbove ? top : top + option.offsetHeight - list.clientHeight;
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
      <span className={styles.task}>
        <MarkedText text={task.task} words={words} />
      </span>{' '}
      <span className={styles.marks}>
        <span>Task {task.task_idx}</span> {task.difficulty === null ? null : <Badge>{task.difficulty}</Badge>}{' '}
        {task.is_ambiguous ? <Badge tone="waiting">ambiguous</Badge> : null}
      </span>
    </button>
  );
}

const CHIPS = ['easy', 'medium', 'hard', 'ambiguous'] as const;
type Chip = (typeof CHIPS)[number];

const hasChip = (task: Task, chip: Chip): boolean =>
  chip === 'ambiguous' ? task.is_ambiguous : task.difficulty === chip;

/** The chips that at least one task has. */
const chipsOf = (tasks: readonly Task[]): Chip[] =>
  CHIPS.filter((chip) => tasks.some((task) => hasChip(task, chip)));

/** Tasks with any of the difficulties, ambiguous ones only when that is chosen, and those that match the words first. */
function shownTasks(tasks: readonly Task[], query: string, chips: ReadonlySet<Chip>): Task[] {
  const levels = CHIPS.filter((chip) => chip !== 'ambiguous' && chips.has(chip));
  const left = tasks.filter(
    (task) =>
      (levels.length === 0 || levels.some((chip) => hasChip(task, chip))) &&
      (!chips.has('ambiguous') || task.is_ambiguous),
  );
  const words = queryWords(query);
  if (words.length === 0) return left;
  const hits = (task: Task): number => wordsFound(task.task, words);
  return left.toSorted((a, b) => hits(b) - hits(a) || a.task_idx - b.task_idx);
}

/** The index that a key leads to; null for one that does not move. */
function indexAfterKey(key: string, at: number, count: number): number | null {
  const to = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + PAGE_ROWS,
    PageUp: at - PAGE_ROWS,
    Home: 0,
    End: count - 1,
  }[key];
  return to === undefined || count === 0 ? null : Math.max(0, Math.min(count - 1, to));
}
const PAGE_ROWS = 10;

/** A choice that was kept, without what the environment does not list any more. Where it lists nothing, names are typed. */
function listedChoice<Choice extends { scenario: string; task: string }>(
  listed: readonly ListedScenario[],
  choice: Choice,
): Choice {
  const { scenario, task } = choice;
  if (listed.length === 0 || scenario === '') return choice;
  const found = listed.find(({ name }) => name === scenario);
  if (found === undefined) return { ...choice, scenario: '', task: '' };
  const isThere = found.tasks.length === 0 || task === '' || Number(task) < found.tasks.length;
  return isThere ? choice : { ...choice, task: '' };
}
