// Facts of an episode from its record: how far it is and how it went. Pure.
import { type EpisodeRecord, taskRef } from '../../../shared/episode/record.ts';
import { textHead } from '../../../shared/events/text.ts';
import type { Condition } from '../../../shared/events/lifecycle.ts';
import { hasHeldCall } from '../../../shared/episode/calls.ts';
import { isBrokenOff, openDoubt } from '../../../shared/episode/restarts.ts';
import { leftOpen } from '../../../shared/episode/phase.ts';
import { outcomeOf, type TaskOutcome } from '../../../shared/taskOutcome.ts';
import { stateWords, type StateWords } from './stateWords.ts';
import { taskWords } from './taskTitle.ts';

export const CONDITION_LABELS: Readonly<Record<Condition, string>> = {
  none: 'No expert',
  model: 'Model',
  human: 'Human',
  'human+draft': 'Human + draft',
  brief: 'Brief',
  'brief+human': 'Brief + human',
};

/** The state of the episode, in a word and a tone. */
export function standingOf(record: EpisodeRecord): StateWords {
  const { status, ended, phase } = record;
  // What is still open waits on, as lists and badges count it. Paused with nothing open: nobody is asked anything.
  const isOnlyPaused = ended === null && phase === 'paused' && leftOpen(record) === null;
  return stateWords({
    status: isOnlyPaused ? 'waiting' : status,
    waitsFor: waitsFor(record, isOnlyPaused),
    isPersonActing: phase === 'correcting',
    outcome: ended?.outcome ?? null,
  });
}

function waitsFor(record: EpisodeRecord, isOnlyPaused: boolean) {
  if (isBrokenOff(record)) return 'restart';
  if (openDoubt(record) !== null) return 'doubt';
  return hasHeldCall(record) ? 'approval' : isOnlyPaused ? 'resume' : 'answer';
}

/** Position of a replay: after event `n` of `last`; null of `last` while the rest is still read. */
export type Standpoint = { n: number; last: number | null };

/** The state of the episode where it is looked at: an earlier point of it says nothing about now. */
export const standingAt = (record: EpisodeRecord, point: Standpoint | null): ReturnType<typeof standingOf> =>
  point === null || point.n === point.last
    ? standingOf(record)
    : { tone: 'idle', label: `Replay ${pointLabel(point)}` };

/** `at event 44 of 61`. */
export const pointLabel = ({ n, last }: Standpoint): string =>
  `at event ${String(n)}${last === null ? '' : ` of ${String(last)}`}`;

/** True if reward and verdict were left out on the way here: an expert's seat, a blinded run. */
export const isCovered = ({ started }: EpisodeRecord): boolean => started?.is_covered === true;

/** The outcome of its task; null while that is open, `hidden` from a seat that is not to know. */
export function recordOutcome(record: EpisodeRecord): TaskOutcome | 'hidden' | null {
  const { verified, ended } = record;
  if (isCovered(record)) return verified === null && ended === null ? null : 'hidden';
  if (verified === null && ended === null) return null;
  return outcomeOf(
    verified?.reward_type ?? ended?.reward_type ?? null,
    verified?.reward ?? ended?.reward ?? null,
  );
}

type EpisodeProgress = {
  turns: number;
  turnLimit: number | null;
  asks: number;
  askLimit: number | null;
  errors: number;
};

export const episodeProgress = ({ counts, started }: EpisodeRecord): EpisodeProgress => ({
  turns: counts.turns,
  turnLimit: started?.limits?.turns ?? null,
  asks: counts.consultations,
  askLimit: started?.limits?.consultations ?? null,
  errors: counts.toolErrors + counts.refused,
});

/** Scenario and task number, as one name. */
export const taskNameOf = (record: EpisodeRecord): string => {
  const { scenario, task_idx: index } = taskRef(record);
  const name = scenario ?? record.started?.environment.name ?? '';
  return `${name}${index === null ? '' : ` #${String(index)}`}`;
};

/** The beginning of the task's words on one line; its name where it has none. */
export const taskWordsOf = (record: EpisodeRecord): string => {
  const { scenario, task_idx } = taskRef(record);
  const task = record.reset?.task ?? null;
  return taskWords(
    { task: task === null ? null : textHead(task), scenario, task_idx },
    record.started?.environment.name ?? '',
  );
};

type SeatLabel = { of: 'blinded' | 'key' | 'effect'; label: string; title: string };

/** Labels of a run's unusual views for those who decide. */
export const seatLabels = ({ started }: EpisodeRecord): SeatLabel[] => [
  ...(started?.is_blinded === true
    ? [
        {
          of: 'blinded' as const,
          label: 'blinded',
          title: 'Experts do not see the reward, verdict or uptake of this run',
        },
      ]
    : []),
  ...(started?.is_key_open === true
    ? [
        {
          of: 'key' as const,
          label: 'answer key open',
          title: 'Experts may open the answer key of this run; their advice is marked if they do',
        },
      ]
    : []),
  ...(started?.effect === 'not_shown'
    ? [
        {
          of: 'effect' as const,
          label: 'effect not shown',
          title: 'Nobody is shown what calls return before they are made',
        },
      ]
    : []),
];

/** True if advice is given in this episode at all. */
export const hasExpert = ({ started, consultations }: EpisodeRecord): boolean =>
  started !== null &&
  started.condition !== 'none' &&
  // A file that tells of no expert tells nothing of asks either.
  (started.source !== 'import' || consultations.length > 0);
