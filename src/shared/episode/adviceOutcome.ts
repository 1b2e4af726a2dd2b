// What became of an answer, in one line: whether the agent did what it says, and how the task ended. Derived from the
// record wherever it is shown; never stored.
import { isBlobRef, textHead } from '../events/text.ts';
import { parsePlan } from '../plan.ts';
import { outcomeOf, type TaskOutcome } from '../taskOutcome.ts';
import type { Consultation, EpisodeRecord } from './record.ts';
import { isBrokenOff } from './restarts.ts';
import { turnSentence } from './turnSentence.ts';
import { firstCallSince, uptakeOf, uptakeWords } from './uptake.ts';

/** How the task ended; null while it goes on, and where a seat is not to know. */
export function endOf({ started, ended, verified }: EpisodeRecord): TaskOutcome | null {
  if (ended === null || started?.is_covered === true) return null;
  const label = ended.reward_type ?? verified?.reward_type ?? null;
  return outcomeOf(label, ended.reward ?? verified?.reward ?? null);
}

const END_WORDS: Readonly<Record<TaskOutcome['kind'], string>> = {
  complete: 'Task complete.',
  partly: 'Task partly complete.',
  failed: 'Task failed.',
  unknown: 'Ended without a verdict.',
};

/** Why a reader of a blinded run has no draft of a brief: the code of the failure that stands in its place. */
export const COVERED_CODE = 'covered';
export const BLINDED = 'This run is blinded: how it goes on is not shown.';

/** How the task ended, as a sentence; null while it goes on. */
export function endWords(record: EpisodeRecord): string | null {
  const end = endOf(record);
  return end === null ? null : END_WORDS[end.kind];
}

/** `Followed: 2 of 4 calls so far.`; `Followed: 4 of 4 calls. Task complete.`; null where nothing was answered. */
export function adviceOutcome(record: EpisodeRecord, consultation: Consultation): string | null {
  const { decision } = consultation;
  if (decision?.type !== 'approved' && decision?.type !== 'declined') return null;
  if (record.started?.is_covered === true) return BLINDED;
  if (isBrokenOff(record) && consultation.delivered === null)
    return 'The episode is stopped: the agent reads it once it goes on.';
  const after = decision.type === 'declined' ? null : followedText(record, consultation);
  const words = [after, endWords(record)].filter((part) => part !== null);
  return words.length > 0 ? words.join(' ') : nextCallText(record);
}

/** What its next call waits for. An episode that stopped when Interject ended makes none before it goes on. */
export const nextCallText = (record: EpisodeRecord): string =>
  isBrokenOff(record)
    ? 'The episode is stopped: it makes its next call once it goes on.'
    : 'Waiting for its next call.';

/** Whether the agent did what an advice says; null while nothing can be said. */
export function followedText(record: EpisodeRecord, consultation: Consultation): string | null {
  const { decision } = consultation;
  if (decision?.type !== 'approved' || isBlobRef(decision.text)) return null;
  if (parsePlan(textHead(decision.text)).calls.length === 0) return 'Plain text: no calls to compare.';
  const uptake = uptakeOf(record, consultation);
  if (uptake === null) return record.ended === null ? null : 'Not followed: it made no call.';
  const words = uptakeWords(uptake);
  const said = `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  if (uptake.followed + uptake.changed > 0) return `${said}.`;
  const instead = firstCallSince(record, consultation);
  return instead === null
    ? `${said}: it made no call.`
    : `${said}${uptake.contradicted > 0 ? ', ' : ': '}it did this instead: ${turnSentence(record, instead)}.`;
}
