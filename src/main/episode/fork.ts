// Beginning an episode in the middle of another: its events up to a turn copied, its state rebuilt by making the
// calls again, what a person had set about it carried over. What differs is stated in the log.
import { SYSTEM } from '../../shared/events/actor.ts';
import type { Phase } from '../../shared/events/stepIns.ts';
import { KINDS, type EventOf, type LogEvent, type Recorded } from '../../shared/events/vocabulary.ts';
import { lostEnvironment } from '../../shared/episode/branch.ts';
import { isPlayedByPerson } from '../../shared/episode/phase.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import type { LogEntry, EventLog } from '../log/eventLog.ts';
import type { Rebuilt } from './rebuild.ts';

type ForkOrigin = { episode: string; turn: number; why: 'fork' | 'resume' };

/** What a new episode begins with: another's events, and what was made again for them. */
export type Copy = Pick<Rebuilt, 'replayed' | 'drift'> & {
  from: ForkOrigin;
  events: readonly Recorded[];
  /** What a person had set about the other episode and holds here too. */
  carried: Pick<EpisodeRecord, 'rules' | 'breakpoints'>;
};

/** Commits the copied events, where they came from and what is carried over, in one transaction. */
export function copyPrefix(log: EventLog, id: string, from: ForkOrigin, { replayed, drift }: Rebuilt): void {
  const source = log.record(from.episode);
  const end = endOfTurn(source, from.turn);
  const prefix = log
    .read(from.episode)
    .filter(({ n, event }) => (n <= end && KINDS[event.kind].isCopied) || isAboutTurn(event, from.turn));
  const events = from.why === 'fork' ? withoutLastPhases(prefix) : prefix;
  log.appendAll(id, copiedEntries({ from, events, carried: source, replayed, drift }, source, id));
}

/** Everything that a branch begins with. `last` stands for what came last in the other episode: it counts as copied. */
export function copiedEntries(
  { from, events, carried, replayed, drift }: Copy,
  source: EpisodeRecord,
  id: string,
  last: readonly LogEntry[] = [],
): LogEntry[] {
  const { rules, breakpoints } = carried;
  const forked: LogEvent = {
    kind: 'episode.forked',
    from: from.episode,
    from_turn: from.turn,
    why: from.why,
    replayed,
    drift,
    carried: { rules: rules.length, breakpoints: breakpoints.length },
  };
  const now: LogEvent[] = [
    forked,
    ...breakpoints.map(({ id: breakpoint, at }) => ({
      kind: 'breakpoint.set' as const,
      breakpoint,
      at,
    })),
    ...phaseAfter(events, from.why, source),
  ];
  return [
    ...[...events, ...last].map((entry) => withNewIds(entry, from.episode, id)),
    ...now.map((event) => ({ actor: SYSTEM, event })),
  ];
}

/** The last event that belongs to a turn or an earlier one: everything before the next reply. */
function endOfTurn({ turns, n }: EpisodeRecord, turn: number): number {
  const next = turns.find((one) => one.turn > turn);
  return next === undefined ? n : next.n - 1;
}

/** A take-over that was discarded later was discarded for its first moves too. */
const isAboutTurn = (event: LogEvent, turn: number): boolean =>
  event.kind === 'correction.discarded' && event.from_turn <= turn;

/** A pause or take-over that nothing followed yet belongs to what came next there, not to the branch. */
function withoutLastPhases(events: readonly Recorded[]): Recorded[] {
  const last = events.findLastIndex(({ event }) => event.kind !== 'phase.changed');
  return events.slice(0, last + 1);
}

/**
 * Who acts from here on. A branch begins with the agent. A resumed episode in which the agent did not act stays paused
 * until a person says so: nothing goes on behind the back of someone who had stopped it.
 */
function phaseAfter(
  copied: readonly Recorded[],
  why: ForkOrigin['why'],
  source: EpisodeRecord,
): EventOf<'phase.changed'>[] {
  // The loop gives it to its person again.
  if (isPlayedByPerson(source)) return [];
  const { phase: was } = source;
  const last = copied.flatMap(({ event }) => (event.kind === 'phase.changed' ? [event] : [])).at(-1);
  const from: Phase = last?.to ?? 'autonomous';
  const change = { kind: 'phase.changed', from, cause: 'person', at_once: false } as const;
  if (why === 'resume' && was !== 'autonomous') {
    const isLost = source.ended !== null && lostEnvironment(source.ended);
    const when = isLost ? 'it lost its environment' : 'it was interrupted';
    const reason = was === 'paused' ? `it was paused when ${when}` : 'a person was acting';
    return [{ ...change, to: 'paused', reason: `${reason}: resume it, or take it over` }];
  }
  const isPlain = from === 'autonomous' && (last?.cause !== 'step' || why === 'resume');
  return isPlain ? [] : [{ ...change, to: 'autonomous', reason: 'a branch begins with the agent' }];
}

/** Consultations are named after their episode. */
function withNewIds({ actor, event }: LogEntry, from: string, to: string): LogEntry {
  if (!('consultation' in event)) return { actor, event };
  return { actor, event: { ...event, consultation: event.consultation.replace(`${from}:`, `${to}:`) } };
}
