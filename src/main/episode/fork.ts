// Owns: beginning an episode in the middle of another: its events up to a turn copied, its state rebuilt by making the
// calls again. What differs is stated in the log.
import { SYSTEM } from '../../shared/events/actor.ts';
import type { LogEvent, Recorded } from '../../shared/events/vocabulary.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import type { Entry, EventLog } from '../log/eventLog.ts';
import type { Rebuilt } from './rebuild.ts';

/** Kinds that make up what the agent and its environment did; control, notes of other people and ends stay behind. */
const COPIED = new Set<LogEvent['kind']>([
  'environment.reset',
  'tools.listed',
  'tools.offered',
  'message.added',
  'turn.generated',
  'move.proposed',
  'call.refused',
  'call.sent',
  'call.returned',
  'call.held',
  'call.waived',
  'call.approved',
  'call.edited',
  'call.rejected',
  'call.answered',
  'call.expired',
  'state.compared',
  'consultation.asked',
  'advice.drafted',
  'advice.draft_failed',
  'advice.approved',
  'advice.declined',
  'consultation.expired',
  'advice.delivered',
]);

type From = { episode: string; turn: number; why: 'fork' | 'resume' };

/** Commits the copied events and where they came from, in one transaction. */
export function copyPrefix(log: EventLog, id: string, from: From, { replayed, drift }: Rebuilt): void {
  const source = log.record(from.episode);
  const end = endOfTurn(source, from.turn);
  const copied = log
    .read(from.episode)
    .filter(({ n, event }) => n <= end && COPIED.has(event.kind))
    .map((recorded) => renamed(recorded, from.episode, id));
  const forked: LogEvent = {
    kind: 'episode.forked',
    from: from.episode,
    from_turn: from.turn,
    why: from.why,
    replayed,
    drift,
  };
  log.appendAll(id, [...copied, { actor: SYSTEM, event: forked }]);
}

/** The last event that belongs to a turn or an earlier one: everything before the next reply. */
function endOfTurn({ turns, n }: EpisodeRecord, turn: number): number {
  const next = turns.find((one) => one.turn > turn);
  return next === undefined ? n : next.n - 1;
}

/** Consultations are named after their episode. */
function renamed({ actor, event }: Recorded, from: string, to: string): Entry {
  if (!('consultation' in event)) return { actor, event };
  return { actor, event: { ...event, consultation: event.consultation.replace(`${from}:`, `${to}:`) } };
}
