// Benches: those there are, one of them opened, and a new one planned.
import { Plus, Scale } from 'lucide-react';
import type { ReactNode } from 'react';
import type { BenchRow } from '../../../shared/contract/bench.ts';
import { EvidenceTabs } from '../../parts/evidence/EvidenceTabs.tsx';
import { useKeys } from '../../state/hooks.ts';
import { useAsk } from '../../state/queries.ts';
import { formatRoute, navigate } from '../../state/route.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ListLine, ListPage, Pane } from '../../ui/ListPage.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import * as styles from './Bench.module.css';
import { STATE_LABELS } from './benchText.ts';
import { NewBench } from './NewBench.tsx';
import { OpenBench } from './OpenBench.tsx';

/** So often a list with a running bench is read again. */
const EVERY_MS = 3000;

const planNew = (): void => navigate({ view: 'bench', bench: null, isNew: true });

export function BenchView({ bench, isNew }: { bench: string | null; isNew: boolean }): ReactNode {
  const {
    last: value,
    failure,
    again,
  } = useAsk(
    'bench.list',
    {},
    {
      everyMs: EVERY_MS,
      isChanging: ({ benches }) => benches.some(({ state }) => state === 'running'),
      revision: bench ?? '',
    },
  );
  const benches = value?.benches ?? [];
  const chosen = isNew ? null : (bench ?? benches[0]?.name ?? null);
  const go = (step: number): void => {
    const next = benches[benches.findIndex(({ name }) => name === chosen) + step];
    if (next !== undefined) navigate({ view: 'bench', bench: next.name, isNew: false });
  };
  useKeys('list', { 'list.down': () => go(1), 'list.up': () => go(-1) });
  return (
    <ListPage
      label="Benches"
      heading={bench === null && !isNew ? 'Benches' : null}
      head={
        <>
          <EvidenceTabs here="bench" />
          <div className={styles.acts}>
            <Button size="small" icon={<Plus />} onClick={planNew}>
              New bench
            </Button>
          </div>
        </>
      }
      failure={failure}
      again={again}
      problem="Could not read the benches"
      loading="Loading the benches"
      list={
        value === null ? null : (
          <ul>
            {benches.map((row) => (
              <BenchLine key={row.name} row={row} isHere={row.name === chosen} />
            ))}
          </ul>
        )
      }
    >
      {isNew ? (
        <NewBench known={benches.map(({ name }) => name)} />
      ) : chosen !== null ? (
        <OpenBench key={chosen} name={chosen} onChanged={again} />
      ) : value === null ? null : (
        <NoBenches />
      )}
    </ListPage>
  );
}

function BenchLine({ row, isHere }: { row: BenchRow; isHere: boolean }): ReactNode {
  const { planned, finished } = row.progress;
  return (
    <ListLine
      href={formatRoute({ view: 'bench', bench: row.name, isNew: false })}
      isHere={isHere}
      name={row.name}
    >
      <span>{row.arms.join(', ')}</span>
      <span>
        {STATE_LABELS[row.state]}
        {row.state === 'complete'
          ? `, ${planned.toLocaleString()} episodes`
          : `, ${finished.toLocaleString()} of ${planned.toLocaleString()} episodes`}
      </span>
      <span>
        <RelativeTime at={row.planned_at} />
      </span>
    </ListLine>
  );
}

const NoBenches = (): ReactNode => (
  <Pane>
    <EmptyState
      icon={<Scale />}
      title="No benches yet"
      action={
        <Button tone="primary" icon={<Plus />} onClick={planNew}>
          New bench
        </Button>
      }
    >
      A bench runs the same tasks in several arms: without help, with a model’s advice, with a person’s. It
      says how large the difference is, how sure that is, and what it could have shown.
    </EmptyState>
  </Pane>
);
