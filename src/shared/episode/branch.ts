// From where an episode can be taken up again. Pure.
import type { Outcome, Source } from '../events/lifecycle.ts';
import type { FailureShape } from '../failure.ts';
import type { EpisodeRecord, Message, Turn } from './record.ts';

type HoldSettings = NonNullable<NonNullable<EpisodeRecord['started']>['approval']>;

/** Hold settings of a run made from another. To execute undecided calls is chosen for one run alone. */
export const carriedApproval = ({ deadline_ms, fallback }: HoldSettings): HoldSettings =>
  fallback === 'approve' ? { deadline_ms: null, fallback: 'wait' } : { deadline_ms, fallback };

/**
 * The last turn, up to `turn`, whose answer the agent has read: the furthest an episode can be taken up again; 0 before
 * the first.
 */
export function lastAnsweredTurn(
  { turns, messages, tapped }: EpisodeRecord,
  turn: number = Number.POSITIVE_INFINITY,
): number {
  const lastRead = lastReadOf(messages);
  const found = turns.findLast(
    (one) =>
      one.turn <= turn &&
      ((tapped !== null && isAnsweredOnWire(one)) ||
        // A note that was put before the turn carries its number too, and answers nothing.
        (lastRead.get(one.turn) ?? 0) > one.n),
  );
  return found?.turn ?? 0;
}

type ReadLengths = { length: number; last: ReadonlyMap<number, number> };
const read = new WeakMap<readonly Message[], ReadLengths>();

/** The newest message of each turn that the agent read. Every open step asks: it is found once for a list as it stands. */
function lastReadOf(messages: readonly Message[]): ReadonlyMap<number, number> {
  const known = read.get(messages);
  if (known?.length === messages.length) return known.last;
  const last = new Map<number, number>();
  for (const { role, turn, n } of messages)
    if (role !== 'assistant') last.set(turn, Math.max(n, last.get(turn) ?? 0));
  read.set(messages, { length: messages.length, last });
  return last;
}

/** A client's agent reads what came back on its wire; how its messages put that is not seen. */
const isAnsweredOnWire = ({ call, touched }: Turn): boolean =>
  call !== null && (call.returned !== null || call.refused !== null || touched !== null);

/** True if a place in the log was copied from the episode this one goes on from. */
export const isCopiedAt = ({ copiedN, timeline }: EpisodeRecord, n: number): boolean =>
  n <= copiedN && n >= (timeline.find(({ type }) => type === 'reset')?.n ?? 0);

/** The reason why an episode cannot run, or go on, here, and the alternative; null if it can. */
export const notRunHere = (source: Source | null | undefined): { why: string; next: string } | null =>
  source === 'import'
    ? {
        why: 'It was read from a file: the environment it ran in is not known here.',
        next: 'Make its calls again in an environment that you choose.',
      }
    : null;

type Ended = { outcome: Outcome | null; failure: FailureShape | null };

/** True if the episode ended because the connection to its environment was lost. */
export const lostEnvironment = ({ outcome, failure }: Ended): boolean =>
  outcome === 'error' && failure?.code === 'env_closed';

/** True if a resumed episode stopped because its environment answered otherwise than the log says. */
export const driftedAtResume = ({ outcome, failure }: Ended): boolean =>
  outcome === 'error' && failure?.code === 'replay_drifted';

/**
 * True if an episode broke off although it could have gone on: Interject or its environment's server ended, or the
 * environment answered otherwise when the episode was resumed.
 */
export const brokeOff = (ended: Ended): boolean =>
  ended.outcome === 'interrupted' || lostEnvironment(ended) || driftedAtResume(ended);

/**
 * True if an episode that broke off can go on here: a client's agent is not here to go on, a file's environment
 * neither. Where the connection was lost before the first turn there is nothing to go on from.
 */
export const canResume = ({
  source,
  turns,
  ...ended
}: Ended & { source: Source | null; turns: number }): boolean =>
  brokeOff(ended) &&
  (turns > 0 || !lostEnvironment(ended)) &&
  source !== 'tap' &&
  notRunHere(source) === null;
