// Checks before any step-in is written.
import type { Timing } from '../../shared/events/actor.ts';
import { Failure } from '../../shared/failure.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import type { EventLog } from '../log/eventLog.ts';
import type { Breakpoint } from '../../shared/events/stepIns.ts';
import type { ToolSpec } from '../../shared/events/lifecycle.ts';
import { checkValue, wrongText } from '../../shared/schema/checkValue.ts';

export const UNKNOWN_TIMING: Timing = { first_seen_at: null, active_ms: null };

/** Resolves with true once the log has all that the tap did by now; with false where that takes too long. */
export type TapRecorded = { recorded: () => Promise<boolean> };

/**
 * Waits until the log has what the tap did about the episode until now, as when a limit passed or its client left: what a
 * person decides of a held call stands on it. Throws `stale` where that takes too long.
 */
export async function waitUntilRecorded(
  { log, recorded }: TapRecorded & { log: EventLog },
  episode: string,
): Promise<void> {
  const { tapped, ended } = log.record(episode);
  if (tapped === null || ended !== null || (await recorded())) return;
  throw new Failure('stale', 'what its client did meanwhile is not yet recorded', {
    next: 'Try again in a moment.',
  });
}

/** The record of an episode that runs. Throws `not_found` or `closed`. */
export function liveRecord(log: EventLog, episode: string): EpisodeRecord {
  const record = log.record(episode);
  if (record.started === null) throw new Failure('not_found', `there is no episode ${episode}`);
  if (record.ended !== null) {
    throw new Failure('closed', 'the episode has ended', {
      next: 'Replay it, or start the same task again.',
    });
  }
  return record;
}

const START_SO = 'Start with --tap-act, or switch it on under Setup; it holds for episodes that begin then.';

/** Throws `bad_input` unless people may hold, change or answer this episode's calls. */
export function checkTapActs({ tapped }: EpisodeRecord): void {
  if (tapped === null || tapped.may_act) return;
  throw new Failure('bad_input', 'this tap gives advice and notes only; start with --tap-act', {
    next: START_SO,
  });
}

/** Throws `bad_input` for a take-over that would end the client's episode with its first move. */
export function checkTapTakeOver({ tapped }: EpisodeRecord): void {
  if (tapped === null || tapped.on_touch === 'mark') return;
  throw new Failure(
    'bad_input',
    'this tap discards an episode that a person changes: a take-over would end it',
    {
      next: 'Stop it, or let episodes be marked instead of discarded.',
    },
  );
}

/** Breakpoints on things that a client's wire never shows. */
const UNSEEN: ReadonlySet<Breakpoint['on']> = new Set(['consultation', 'final', 'tokens']);

/** Throws `bad_input` for a breakpoint that could never be hit. */
export function checkTapBreakpoint(record: EpisodeRecord, { on }: Breakpoint): void {
  checkTapActs(record);
  if (record.tapped === null || !UNSEEN.has(on)) return;
  throw new Failure('bad_input', 'a client’s wire carries calls and their results, nothing of this kind', {
    next: 'Stop at a tool, at an error or at a repeated call instead.',
  });
}

/** Throws `bad_input` for a final answer: a client's agent gives its own, and nothing of it is on the wire. */
export function checkTapMove({ tapped }: EpisodeRecord, type: string): void {
  if (tapped === null || type !== 'final') return;
  throw new Failure(
    'bad_input',
    'a client’s agent gives its own final answer; none can be given for it here',
    {
      next: 'Hand back, or stop the episode.',
    },
  );
}

/**
 * Throws `bad_input` naming each argument that does not fit, or a tool the environment does not have. Where nobody has
 * listed its tools nothing is known of them, and any object may be their arguments.
 */
export function checkCall(tools: readonly ToolSpec[], name: string, args: object): void {
  if (tools.length === 0) return;
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) {
    throw new Failure('bad_input', `the environment has no tool ${name}`, {
      next: 'Choose one of its tools, or send it unchecked.',
    });
  }
  const wrongs = checkValue(tool.input_schema, args);
  if (wrongs.length === 0) return;
  throw new Failure('bad_input', `${name}: ${wrongText(wrongs)}`, {
    next: 'Correct the arguments, or send them unchecked.',
  });
}
