// An environment at a glance: tasks by difficulty, tools with how often each was called and failed, and what agents
// completed alone.
import { useMemo, useState, type ReactNode } from 'react';
import { environmentOverview } from '../../../figures/environmentOverview.ts';
import type { Outputs } from '../../../shared/contract/contract.ts';
import { countText } from '../../../shared/countText.ts';
import { FigureView } from '../../parts/figure/FigureView.tsx';
import { useAsk } from '../../state/queries.ts';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Table } from '../../ui/Table.tsx';
import * as styles from './EnvironmentOverview.module.css';

type Overview = Outputs['environments.overview'];

/** Read when it is opened: a server is asked for its scenarios. */
export function EnvironmentOverview({ id, name }: { id: string; name: string }): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>Overview</summary>
      {isOpen ? <OpenOverview id={id} name={name} /> : null}
    </details>
  );
}

function OpenOverview({ id, name }: { id: string; name: string }): ReactNode {
  const { value, failure } = useAsk('environments.overview', { id });
  if (failure !== null) return <ErrorNote title="Could not read the overview" failure={failure} />;
  if (value === null) return <Skeleton rows={4} label={`Reading the overview of ${name}`} />;
  return (
    <section className={styles.overview} aria-label={`Overview of ${name}`}>
      {value.failure === null ? null : (
        <ErrorNote title="It did not list its scenarios" failure={value.failure} />
      )}
      <Scenarios scenarios={value.scenarios} />
      <Tools {...value} />
    </section>
  );
}

function Scenarios({ scenarios }: Pick<Overview, 'scenarios'>): ReactNode {
  const drawing = useMemo(() => environmentOverview(scenarios), [scenarios]);
  return scenarios.length === 0 ? (
    <p>It lists no scenarios: tasks are named at the start of an episode.</p>
  ) : (
    <FigureView drawing={drawing} />
  );
}

function Tools({ tools, episodes: { read, total } }: Overview): ReactNode {
  if (total === 0)
    return <p>No episode has ended here yet. Then its tools and how often they failed stand here.</p>;
  const from =
    read < total
      ? `the newest ${read.toLocaleString()} of ${countText(total, 'episode')}`
      : countText(total, 'episode');
  return (
    <>
      <h3 className={styles.title}>Tools, called in {from}</h3>
      {tools.length === 0 ? (
        <p>No tool was called.</p>
      ) : (
        <Table
          columns={['Tool', 'Calls', 'Failed', 'Share failed']}
          rows={tools.map((tool) => [
            <code key="tool">{tool.name}</code>,
            tool.calls.toLocaleString(),
            tool.failed.toLocaleString(),
            `${String(Math.round((tool.failed / tool.calls) * 100))} %`,
          ])}
        />
      )}
    </>
  );
}
