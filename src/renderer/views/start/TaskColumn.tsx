// The tasks of the chosen scenario: what each asks for first, its number below.
import { useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { queryWords, type ListedScenario } from '../../../shared/scenarioSearch.ts';
import { Badge } from '../../ui/Badge.tsx';
import { cx } from '../../ui/cx.ts';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { MarkedText } from './ScenarioList.tsx';
import { chipsOf, indexAfterKey, type Chip } from './tasks.ts';
import * as styles from './TaskPicker.module.css';
import type { Task, useTasks } from './useCatalog.ts';

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

export function TaskColumn(props: TaskColumnProps): ReactNode {
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
