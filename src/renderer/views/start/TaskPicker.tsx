// Choosing what is to be done: a scenario, found by its name or by words of its tasks, and one of its tasks.
import { RefreshCw, Search } from 'lucide-react';
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { BUILT_IN } from '../../../shared/environmentKinds.ts';
import {
  createScenarioSearch,
  type ListedScenario,
  type ScenarioHit,
} from '../../../shared/scenarioSearch.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Input } from '../../ui/Field.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import type { VirtualListHandle } from '../../ui/VirtualList.tsx';
import { choiceAfterKey } from './hits.ts';
import { ScenarioList } from './ScenarioList.tsx';
import { TaskColumn } from './TaskColumn.tsx';
import { indexAfterKey, listedChoice, shownTasks, type Chip } from './tasks.ts';
import * as styles from './TaskPicker.module.css';
import { useScenarios, useTasks } from './useCatalog.ts';

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
