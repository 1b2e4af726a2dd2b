// Decides which reader sees an episode covered: an expert's seat, or a blinded run. Applied in main, so covered data
// never leaves it.
import type { Caller, Outputs } from '../../shared/contract/contract.ts';
import type { Push } from '../../shared/contract/envelope.ts';
import { roleOf } from '../../shared/contract/roles.ts';
import type { DeskItem, EpisodeRow } from '../../shared/episode/rowShapes.ts';
import {
  coverBrief,
  coverBriefItem,
  coverChanges,
  coverCriteria,
  coverItemLeak,
  coverLeak,
  coverRecorded,
  coverRow,
} from '../../shared/episode/cover.ts';
import { findConsultation } from '../../shared/episode/consultations.ts';
import { toolLabel } from '../../shared/events/outcome.ts';
import type { Recorded } from '../../shared/events/vocabulary.ts';
import type { EventLog } from '../log/eventLog.ts';

type PreviewOutput = Outputs['preview.run'];
type Veil = {
  /** Whether this episode's outcome is kept from the caller. */
  isCovered: (episode: string) => boolean;
  events: (episode: string, events: Recorded[]) => Recorded[];
  rows: (rows: EpisodeRow[]) => EpisodeRow[];
  tried: (episode: string, result: PreviewOutput) => PreviewOutput;
  push: (push: Push) => Push;
};

/** A list would tell the verdicts of tasks that the seat has yet to advise on; opening an episode is noted. */
const withoutVerdict = ({ lift: _lift, ...row }: EpisodeRow): EpisodeRow => ({
  ...coverRow(row),
  reward: null,
  reward_type: null,
  // Words of the owner's, which may say how it went.
  tags: [],
});

export function veilFor(log: EventLog, caller: Caller): Veil {
  const isExpert = roleOf(caller) === 'expert';
  const isCovered = (episode: string): boolean =>
    isExpert &&
    (log.record(episode).started?.is_blinded === true ||
      log.projections.isOutcomeCovered(caller.seat, episode));
  const mayLook = (episode: string): boolean =>
    !isExpert || log.record(episode).started?.is_key_open === true;
  const events: Veil['events'] = (episode, list) => {
    // Where a person was asked to distil a verifier, that is what they were to read.
    const isAnalysis = (id: string): boolean => {
      const asked = findConsultation(log.record(episode), id);
      return asked?.purpose === 'analysis' && asked.answeredBy === 'model';
    };
    const told = list.map((recorded) =>
      coverLeak(coverChanges(coverCriteria(recorded, isAnalysis)), mayLook(episode)),
    );
    if (!isCovered(episode)) return told;
    const isBrief = (id: string): boolean =>
      (findConsultation(log.record(episode), id)?.baseline ?? null) !== null;
    return told.map((recorded) => coverBrief(coverRecorded(recorded), isBrief));
  };
  const item = (told: DeskItem): DeskItem => {
    const read = coverItemLeak(told, mayLook(told.episode));
    return isCovered(told.episode) ? coverBriefItem(read) : read;
  };
  const rows: Veil['rows'] = (list) => (isExpert ? list.map(withoutVerdict) : list);
  return {
    isCovered,
    events,
    rows,
    tried: (episode, result) => {
      // What the agent would have read: whether the call could be carried out, never how it was judged.
      const results = result.results.map((one) => ({ ...one, reward_type: toolLabel(one.reward_type) }));
      return { ...result, results, verdict: isCovered(episode) ? null : result.verdict };
    },
    push: (push) => {
      if (push.topic === 'episode') return { ...push, events: events(push.episode, push.events) };
      // What the owner reads of these is what there is: one object for all of their seats, which is written once.
      if (!isExpert) return push;
      if (push.topic === 'desk') {
        return { ...push, items: push.items.map(item) };
      }
      return push.topic === 'episodes' ? { ...push, rows: rows(push.rows) } : push;
    },
  };
}
