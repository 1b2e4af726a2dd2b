// Owns: who reads which episode covered: an expert's seat, an episode of a blinded run. Applied in main, never on screen.
import type { Caller, Outputs } from '../../shared/contract/contract.ts';
import type { Push } from '../../shared/contract/envelope.ts';
import { roleOf } from '../../shared/contract/roles.ts';
import type { EpisodeRow } from '../../shared/contract/rows.ts';
import { coverCriteria, coverRecorded, coverRow, toolLabel } from '../../shared/episode/cover.ts';
import { findConsultation } from '../../shared/episode/consultations.ts';
import type { Recorded } from '../../shared/events/vocabulary.ts';
import { recordSeen } from '../desk/seen.ts';
import type { EventLog } from '../log/eventLog.ts';

type Tried = Outputs['preview.run'];
export type Veil = {
  /** Whether this episode's outcome is kept from the caller. */
  isCovered: (episode: string) => boolean;
  events: (episode: string, events: Recorded[]) => Recorded[];
  rows: (rows: EpisodeRow[]) => EpisodeRow[];
  tried: (episode: string, result: Tried) => Tried;
  push: (push: Push) => Push;
};

/** A list would tell the verdicts of tasks that the seat has yet to advise on; opening an episode is noted. */
const withoutVerdict = (row: EpisodeRow): EpisodeRow => ({
  ...coverRow(row),
  reward: null,
  reward_type: null,
  // Words of the owner's, which may say how it went.
  tags: [],
});

const tellsVerdict = ({ event }: Recorded): boolean =>
  event.kind === 'verifier.ran' || (event.kind === 'episode.ended' && event.reward_type !== null);

export function veilFor(log: EventLog, caller: Caller): Veil {
  const isExpert = roleOf(caller) === 'expert';
  const isCovered = (episode: string): boolean =>
    isExpert &&
    (log.record(episode).started?.is_blinded === true ||
      log.projections.isOutcomeCovered(caller.seat, episode));
  const events: Veil['events'] = (episode, list) => {
    // Where a person was asked to distil a verifier, that is what they were to read.
    const isAnalysis = (id: string): boolean => {
      const asked = findConsultation(log.record(episode), id);
      return asked?.purpose === 'analysis' && asked.answeredBy === 'model';
    };
    const told = list.map((recorded) => coverCriteria(recorded, isAnalysis));
    if (isCovered(episode)) return told.map(coverRecorded);
    // What was seen is in the log before it is shown.
    if (isExpert && list.some(tellsVerdict)) recordSeen(log, caller.seat, episode, ['verdict']);
    return told;
  };
  const rows: Veil['rows'] = (list) => (isExpert ? list.map(withoutVerdict) : list);
  return {
    isCovered,
    events,
    rows,
    tried: (episode, result) => {
      if (!isCovered(episode)) return result;
      const results = result.results.map((one) => ({ ...one, reward_type: toolLabel(one.reward_type) }));
      return { ...result, results, verdict: null };
    },
    push: (push) => {
      if (push.topic === 'episode') return { ...push, events: events(push.episode, push.events) };
      return push.topic === 'episodes' ? { ...push, rows: rows(push.rows) } : push;
    },
  };
}
