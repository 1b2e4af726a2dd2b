// The scenarios that are left, of thousands only those in view drawn: each with the task that the words were found in.
import { useMemo, type KeyboardEvent, type ReactNode, type Ref } from 'react';
import { markWords, queryWords, type ScenarioHit } from '../../../shared/scenarioSearch.ts';
import { cx } from '../../ui/cx.ts';
import { VirtualList, type VirtualListHandle } from '../../ui/VirtualList.tsx';
import * as styles from './TaskPicker.module.css';

type ScenarioListProps = {
  hits: readonly ScenarioHit[];
  chosen: string;
  query: string;
  list: Ref<VirtualListHandle>;
  onKeyDown: (event: KeyboardEvent) => void;
  onChoose: (hit: ScenarioHit) => void;
};

/** The first guess; rows are measured. */
const ROW_HEIGHT = 54;

export function ScenarioList({
  hits,
  chosen,
  query,
  list,
  onKeyDown,
  onChoose,
}: ScenarioListProps): ReactNode {
  const words = useMemo(() => queryWords(query), [query]);
  const activeIndex = hits.findIndex(({ scenario }) => scenario.name === chosen);
  return (
    <div className={styles.scenarios} onKeyDown={onKeyDown}>
      {hits.length === 0 ? (
        <p className={styles.none}>No scenario or task matches.</p>
      ) : (
        <VirtualList
          ref={list}
          label="Scenario"
          role="radiogroup"
          count={hits.length}
          rowKey={(index) => hits[index]?.scenario.name ?? index}
          rowHeight={ROW_HEIGHT}
          isMeasured
          activeIndex={activeIndex}
          onActivate={(index) => {
            const hit = hits[index];
            if (hit !== undefined) onChoose(hit);
          }}
          renderRow={(index) => {
            const hit = hits[index];
            return hit === undefined ? null : (
              <ScenarioRow hit={hit} words={words} isChosen={index === activeIndex} />
            );
          }}
        />
      )}
    </div>
  );
}

type ScenarioRowProps = { hit: ScenarioHit; words: readonly string[]; isChosen: boolean };

function ScenarioRow({ hit: { scenario, task }, words, isChosen }: ScenarioRowProps): ReactNode {
  const { name, description, tasks } = scenario;
  const count = tasks.length === 1 ? '1 task' : `${String(tasks.length)} tasks`;
  return (
    <div className={cx(styles.option, isChosen && styles.isChosen)}>
      <span className="strong breaks">
        <MarkedText text={name} words={words} />
      </span>{' '}
      {task === null ? (
        <span className={styles.detail} title={description}>
          <span>
            {tasks.length === 0 ? 'Tasks not listed' : count}
            {description === '' ? '' : ' · '}
            <MarkedText text={description} words={words} />
          </span>
        </span>
      ) : (
        <span className={styles.detail}>
          <MarkedText text={tasks[task] ?? ''} words={words} />
        </span>
      )}
    </div>
  );
}

export function MarkedText({ text, words }: { text: string; words: readonly string[] }): ReactNode {
  // One element, so that a box that cuts the text at some lines keeps the spaces between its stretches.
  return (
    <span>
      {markWords(text, words).map(({ start, text: stretch, isMarked }) =>
        isMarked ? <mark key={start}>{stretch}</mark> : stretch,
      )}
    </span>
  );
}
