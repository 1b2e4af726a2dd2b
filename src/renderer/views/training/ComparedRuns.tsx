// Several training runs in the same figures.
import { useMemo, type ReactNode } from 'react';
import { COMPARISON_CAUTION, comparisonFigures } from '../../../figures/comparisonFigures.ts';
import { FigureList } from '../../parts/figure/FigureList.tsx';
import { useSession } from '../../state/hooks.ts';
import { useAnswer } from '../../state/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { OpenPane, UnreadPane } from '../../ui/ListPage.tsx';
import * as styles from './Training.module.css';

type ComparedRunsProps = { runs: readonly string[]; revision: number; onEnd: () => void };

export function ComparedRuns({ runs, revision, onEnd }: ComparedRunsProps): ReactNode {
  const { call } = useSession();
  const { value, failure, again } = useAnswer(
    ['compared runs', ...runs],
    async () => Promise.all(runs.map(async (run) => (await call('training.read', { run })).run)),
    { revision },
  );
  const drawings = useMemo(() => (value === null ? [] : comparisonFigures(value)), [value]);
  if (failure !== null || value === null)
    return (
      <UnreadPane
        failure={failure}
        again={again}
        problem="Could not read the runs"
        loading="Loading the runs"
      />
    );
  return (
    <OpenPane
      label="Compared training runs"
      title={`${String(value.length)} runs side by side`}
      head={
        <>
          <p className={styles.note}>{COMPARISON_CAUTION}</p>
          <div>
            <Button size="small" onClick={onEnd}>
              End the comparison
            </Button>
          </div>
        </>
      }
    >
      <FigureList drawings={drawings} />
    </OpenPane>
  );
}
