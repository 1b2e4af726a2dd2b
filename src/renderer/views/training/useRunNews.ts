// Counts up while episodes of training runs change, at most once in two seconds: figures are not drawn for every turn.
import { useEffect, useMemo, useState } from 'react';
import { useConsole } from '../../state/hooks.ts';

const NEWS_MS = 2000;

export function useRunNews(): number {
  const rows = useConsole(({ record }) => record.rows);
  const newest = useMemo(
    () =>
      Math.max(
        0,
        ...[...rows.values()].map(({ run, step, seq }) => (run === null || step === null ? 0 : seq)),
      ),
    [rows],
  );
  const [heard, setHeard] = useState(newest);
  useEffect(() => {
    if (heard === newest) return undefined;
    const timer = setTimeout(() => setHeard(newest), NEWS_MS);
    return () => clearTimeout(timer);
  }, [heard, newest]);
  return heard;
}
