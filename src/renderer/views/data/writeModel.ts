// Whether what was checked may be written, and why not. Pure.
import type { Check } from './useExportCheck.ts';

/** Null when nothing stands in the way. */
export function blockedBy(
  {
    report,
    isStale,
    isRunning,
    failure,
    isCancelled,
  }: Pick<Check, 'report' | 'isStale' | 'isRunning' | 'failure' | 'isCancelled'>,
  despite: ReadonlySet<string>,
): string | null {
  if (isRunning) return 'Checking first';
  if (failure !== null) return 'It could not be checked';
  if (report === null || isStale || isCancelled) return 'Not checked yet';
  if (report.rows === 0) return 'No row passes the rules';
  const open = new Set(
    report.findings
      .filter(({ level, check }) => level === 'error' && !despite.has(check))
      .map(({ check }) => check),
  );
  if (open.size === 0) return null;
  return open.size === 1
    ? `Resolve this error first: ${[...open].join('').replaceAll('_', ' ')}`
    : `${String(open.size)} errors to resolve first`;
}
