// What a command tells while environments are long in getting ready: on a terminal a line that is renewed each
// second, elsewhere one line each half minute.
import { startingOf, startingText, type Starting } from '../../shared/episode/starting.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import type { CommandOutput } from './output.ts';

const SLOW_MS = 5_000;
const TICK_MS = 1_000;
const LINE_MS = 30_000;

type StartEdges = {
  clock: () => number;
  /** Calls `run` again and again; returns its undo. */
  repeat: (everyMs: number, run: () => void) => () => void;
};

const TIMERS: StartEdges = {
  clock: Date.now,
  repeat: (everyMs, run) => {
    const timer = setInterval(run, everyMs);
    return () => clearInterval(timer);
  },
};

/** Watches the episodes that a command plays; returns its undo. */
export function tellStarts(
  playing: () => readonly EpisodeRecord[],
  output: CommandOutput,
  { clock, repeat }: StartEdges = TIMERS,
): () => void {
  let toldAt = 0;
  const tell = (): void => {
    const text = slowText(
      playing().flatMap((record) => startingOf(record) ?? []),
      clock(),
    );
    if (output.status !== null) return output.status(text);
    if (text === null || clock() - toldAt < LINE_MS) return;
    toldAt = clock();
    output.say(`  ${text}`);
  };
  const stop = repeat(TICK_MS, tell);
  return () => {
    stop();
    output.status?.(null);
  };
}

/** The one that has waited longest, and how many do; null while none has waited long. */
function slowText(starts: readonly Starting[], now: number): string | null {
  const slow = starts.filter(({ since, awaits }) => awaits !== 'connection' && now - since >= SLOW_MS);
  const oldest = slow.toSorted((one, other) => one.since - other.since)[0];
  if (oldest === undefined) return null;
  const { label, detail } = startingText(oldest, now);
  return `${label}: ${detail}${slow.length === 1 ? '' : ` (${String(slow.length)} episodes)`}`;
}
