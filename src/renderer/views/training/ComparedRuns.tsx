// Several training runs in the same figures.
import { useMemo, type ReactNode } from 'react';
import { COMPARISON_CAUTION, comparisonFigures } from '../../../figures/comparisonFigures.ts';
import { FigureView } from '../../parts/figure/FigureView.tsx';
import { useSession } from '../../state/hooks.ts';
import { useAnswer } from '../../state/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
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
  if (failure !== null) {
    return (
      <div className={styles.main}>
        <ErrorNote title="Could not read the runs" failure={failure} again={again} />
      </div>
    );
  }
  if (value === null) {
    return (
      <div className={styles.main}>
        <Skeleton rows={6} height={60} label="Loading the runs" />
      </div>
    );
  }
  return (
    <section className={styles.main} aria-label="Compared training runs">
      <header className={styles.head}>
        <h1 className={styles.heading}>{value.length} runs side by side</h1>
        <p className={styles.note}>{COMPARISON_CAUTION}</p>
        <div>
          <Button size="small" onClick={onEnd}>
            End the comparison
          </Button>
        </div>
      </header>
      <div className={styles.figures}>
        {drawings.map((drawing) => (
          <FigureView
            key={drawing.name}
            drawing={drawing}
            label={`Values of ${drawing.name.replaceAll('-', ' ')}`}
          />
        ))}
      </div>
    </section>
  );
}
