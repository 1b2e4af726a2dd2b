// The bar over an episode whose environment is not ready yet: what is awaited, how long it may take, and Cancel.
import { CircleStop, LoaderCircle } from 'lucide-react';
import type { ReactNode } from 'react';
import { startingText, type Starting } from '../../../shared/episode/starting.ts';
import { useNow } from '../../state/hooks.ts';
import { Button } from '../../ui/Button.tsx';
import * as styles from './ControlBar.module.css';

type StartingBarProps = {
  starting: Starting;
  /** Null for a seat that may not end an episode. */
  onCancel: (() => void) | null;
  isBusy: boolean;
};

export function StartingBar({ starting, onCancel, isBusy }: StartingBarProps): ReactNode {
  const now = useNow();
  const { label, detail } = startingText(starting, now);
  const { since, limitMs, isStopping } = starting;
  return (
    <section className={styles.bar} aria-label="Control">
      <p className={styles.phase}>
        <LoaderCircle className={styles.turning} />
        <strong role="status">{isStopping ? 'Cancelling the start' : label}</strong>
        <span className={styles.elapsed}>{detail}</span>
        {limitMs === null ? null : (
          <progress className={styles.progress} aria-label={label} max={limitMs} value={now - since} />
        )}
      </p>
      <div className={styles.acts}>
        {onCancel === null ? null : (
          <Button
            size="small"
            icon={<CircleStop />}
            chord="live.stop"
            isBusy={isBusy || isStopping}
            title="Ends the episode now; the session on the server is closed"
            onClick={onCancel}
          >
            Cancel
          </Button>
        )}
      </div>
    </section>
  );
}
