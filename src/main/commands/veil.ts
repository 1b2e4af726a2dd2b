// Owns: who reads which episode covered: an expert's seat, an episode of a blinded run. Applied in main, never on screen.
import type { Caller, Outputs } from '../../shared/contract/contract.ts';
import type { Push } from '../../shared/contract/envelope.ts';
import { roleOf } from '../../shared/contract/roles.ts';
import type { EpisodeRow } from '../../shared/contract/rows.ts';
import { coverRecorded, coverRow, toolLabel } from '../../shared/episode/cover.ts';
import type { Recorded } from '../../shared/events/vocabulary.ts';
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

export function veilFor(log: EventLog, caller: Caller): Veil {
  const isExpert = roleOf(caller) === 'expert';
  const isCovered = (episode: string): boolean =>
    isExpert && log.record(episode).started?.is_blinded === true;
  const events: Veil['events'] = (episode, list) => (isCovered(episode) ? list.map(coverRecorded) : list);
  const rows: Veil['rows'] = (list) => (isExpert ? list.map(coverRow) : list);
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
