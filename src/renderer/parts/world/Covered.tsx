// What the agent could not have read of the world, behind a cover that says what taking it off does.
import { useState, type ReactNode } from 'react';
import type { TableChange } from '../../../shared/contract/state.ts';
import { useAct } from '../../state/queries.ts';
import { Cover, MarkedNote } from '../../ui/Cover.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Changes } from './Changes.tsx';
import { changedRows, rowsText } from './tableChangeText.ts';
import * as styles from './World.module.css';

/** The rows that differ, read when they are asked for: main records that this seat has seen them. */
export function CoveredChanges<Shown extends { changes: TableChange[] }>({
  what,
  read,
  label,
  more = null,
  onShown,
}: {
  what: string;
  read: () => Promise<Shown>;
  /** The heading once they are shown, for so many rows. */
  label: (rows: string, count: number) => string;
  /** What else lies behind the cover. */
  more?: ReactNode;
  onShown?: (shown: Shown) => void;
}): ReactNode {
  const [changes, setChanges] = useState<TableChange[] | null>(null);
  const { isBusy, failure, run } = useAct(async () => {
    const shown = await read();
    setChanges(shown.changes);
    onShown?.(shown);
  });
  if (changes === null)
    return (
      <>
        <Cover what={what} isBusy={isBusy} onShow={() => void run()} />
        {failure === null ? null : <ErrorNote title="Could not load the changes" failure={failure} />}
      </>
    );
  const count = changedRows(changes);
  return (
    <section aria-label="Changes to the world">
      <MarkedNote>Your advice on this task is marked: you have seen the state of the world.</MarkedNote>
      <h4 className={styles.title}>{label(rowsText(count), count)}</h4>
      <Changes changes={changes} />
      {more}
    </section>
  );
}
