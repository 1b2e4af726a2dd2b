// A part of the console whose script comes when it is first needed: what stands there until then, and what is said
// when the script is gone, as after an upgrade of the server under an open page.
import { useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { Button } from './Button.tsx';
import * as styles from './LazyPart.module.css';
import { Skeleton } from './Skeleton.tsx';

export type LazyPart<P extends object> = {
  (props: P): ReactNode;
  /** Fetches the script ahead of time, and resolves when that was tried: a failure is told where the part is shown. */
  preload: () => Promise<void>;
};

type LazyOptions = {
  /** What a screen reader hears while the script comes: "Loading the episodes". */
  label: string;
  rows?: number;
  /** What stands in its place until then, where grey lines would not fit. */
  fallback?: ReactNode;
};

/** A component that is fetched when it is first shown. Once fetched it is drawn at once, without a moment of grey. */
export function lazyPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
  { label, rows = 6, fallback = <Skeleton rows={rows} label={label} /> }: LazyOptions,
): LazyPart<P> {
  let loaded: ComponentType<P> | null = null;
  let loading: Promise<void> | null = null;
  const fetchPart = (): Promise<void> => {
    loading ??= load().then(
      (part) => {
        loaded = part;
      },
      (cause: unknown) => {
        // The next one who needs it tries again.
        loading = null;
        throw cause;
      },
    );
    return loading;
  };
  function Part(props: P): ReactNode {
    const [Shown, setShown] = useState(() => loaded);
    const [isLost, setIsLost] = useState(false);
    useEffect(() => {
      if (Shown !== null) return undefined;
      let isHere = true;
      fetchPart().then(
        () => (isHere ? setShown(() => loaded) : undefined),
        () => (isHere ? setIsLost(true) : undefined),
      );
      return () => {
        isHere = false;
      };
    }, [Shown]);
    if (isLost) return <LostPart />;
    return Shown === null ? fallback : <Shown {...props} />;
  }
  return Object.assign(Part, { preload: () => fetchPart().catch(() => undefined) });
}

/** Loading the page anew brings the scripts that the server has now. */
function LostPart(): ReactNode {
  return (
    <div className={styles.lost} role="alert">
      <p>
        <strong>This part of the console could not be loaded.</strong> The server cannot be reached, or it was
        upgraded while this page was open. Your unsent text is kept.
      </p>
      <Button onClick={() => window.location.reload()}>Reload</Button>
    </div>
  );
}
