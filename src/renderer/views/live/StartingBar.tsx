// The bar over an episode whose environment is not ready yet: what is awaited, how long it may take, and Cancel.
import { CircleStop, LoaderCircle } from 'lucide-react';
import type { ReactNode } from 'react';
import { startingText, type Starting } from '../../../shared/episode/starting.ts';
import { useNow } from '../../state/hooks.ts';
import { Toolbar } from '../../ui/Toolbar.tsx';
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
    <Toolbar
      label="Control"
      acts={
        onCancel === null
          ? []
          : [
              {
                id: 'stop',
                label: 'Cancel',
                icon: <CircleStop />,
                chord: 'live.stop',
                tone: 'plain',
                showsKey: true,
                isBusy: isBusy || isStopping,
                title: 'Ends the episode now; the session on the server is closed',
                run: onCancel,
              },
            ]
      }
    >
      <LoaderCircle className={styles.turning} />
      <strong role="status">{isStopping ? 'Cancelling the start' : label}</strong>
      <span className={styles.elapsed}>{detail}</span>
      {limitMs === null ? null : (
        <progress className={styles.progress} aria-label={label} max={limitMs} value={now - since} />
      )}
    </Toolbar>
  );
}
