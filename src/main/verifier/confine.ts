// Starts a command so that the system itself limits it, as far as this system can. The watchdog in the sandbox holds the
// same limits by itself; this is what still holds when the whole process is in a verifier's hands.
import { existsSync } from 'node:fs';

type SystemLimits = {
  /** Memory that only this process has and can write to, bytes. */
  data: number;
  /** Processor time of all its threads, s. */
  cpu: number;
};

/** Tried first apart: where a limit is lower already, or unknown, it stays as it is. */
const LIMIT = (flag: string, value: string): string =>
  `(ulimit -${flag} ${value}) 2>/dev/null && ulimit -${flag} ${value}`;
const SHELL = '/bin/sh';
const ENV = '/usr/bin/env';
const SETPRIV = '/usr/bin/setpriv';

/** Words to put before a command. Empty on Windows, which has no such limits. */
export function confinement(
  { data, cpu }: SystemLimits,
  platform: NodeJS.Platform = process.platform,
  has: (path: string) => boolean = existsSync,
): readonly string[] {
  if (platform === 'win32' || !has(SHELL) || !has(ENV)) return [];
  const limits = [
    LIMIT('c', '0'),
    LIMIT('t', String(Math.ceil(cpu))),
    // Only Linux counts what is mapped; elsewhere the limit would be of something else.
    ...(platform === 'linux' ? [LIMIT('d', String(Math.ceil(data / 1024)))] : []),
  ];
  // A shell adds variables of its own.
  const script = [...limits, `exec ${ENV} -i TZ="$TZ" "$@"`].join('; ');
  // Ends with whoever started it, even while it is stopped.
  const withParent = platform === 'linux' && has(SETPRIV) ? [SETPRIV, '--pdeathsig', 'KILL'] : [];
  return [SHELL, '-c', script, 'sh', ...withParent];
}
