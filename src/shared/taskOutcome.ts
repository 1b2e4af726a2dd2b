// Names the outcome of a task in the few words that every list, view, report and command uses. Pure.

/** In the order they are read: best first, then what nobody knows. */
export const OUTCOME_KINDS = ['complete', 'partly', 'failed', 'unknown'] as const;
export type OutcomeKind = (typeof OUTCOME_KINDS)[number];

export const OUTCOME_WORDS: Readonly<Record<OutcomeKind, string>> = {
  complete: 'Complete',
  partly: 'Partly complete',
  failed: 'Failed',
  unknown: 'Unknown',
};
const NO_VERDICT = 'No verdict';
/** A number was recorded, and nothing that says what it means. */
const REWARD_ONLY = 'Reward only';

/**
 * The meaning of a verifier's label; every other label is unknown. `others` is how a verifier in code says that the
 * task is not done. A judge says `incomplete` of partial progress and `agent_error` of an agent that failed;
 * `server_error` and `judge_error` say that the environment or the judge failed, and so nothing of the agent.
 */
const KINDS_BY_LABEL: ReadonlyMap<string, OutcomeKind> = new Map([
  ['complete', 'complete'],
  ['incomplete', 'partly'],
  ['others', 'failed'],
  ['agent_error', 'failed'],
]);

/** The word says what these two mean; the others say more than it. */
const SAID_BY_THE_WORD: ReadonlySet<string> = new Set(['complete', 'others']);

export const outcomeKind = (label: string | null): OutcomeKind =>
  (label === null ? undefined : KINDS_BY_LABEL.get(label)) ?? 'unknown';

export type TaskOutcome = {
  kind: OutcomeKind;
  word: string;
  /** The verifier's own label in words; null where the word already says it, or where there is none. */
  label: string | null;
  reward: number | null;
};

export const outcomeOf = (label: string | null, reward: number | null = null): TaskOutcome => {
  const kind = outcomeKind(label);
  return {
    kind,
    word: label !== null ? OUTCOME_WORDS[kind] : reward === null ? NO_VERDICT : REWARD_ONLY,
    label: label === null || SAID_BY_THE_WORD.has(label) ? null : label.replaceAll('_', ' '),
    reward,
  };
};

/** The note beside the word: `verifier: agent error, reward 0.1`; empty where there is nothing. */
export const outcomeNote = ({ label, reward }: TaskOutcome): string =>
  [
    label === null ? '' : `verifier: ${label}`,
    reward === null ? '' : `reward ${String(Number(reward.toFixed(3)))}`,
  ]
    .filter(Boolean)
    .join(', ');

/** In one line of text: `Failed (verifier: agent error, reward 0)`. */
export const outcomeText = (outcome: TaskOutcome): string => {
  const note = outcomeNote(outcome);
  return note === '' ? outcome.word : `${outcome.word} (${note})`;
};

/** The same of a label alone, in the middle of a sentence: `failed (verifier: agent error)`. */
export const outcomeTextOf = (label: string | null): string => {
  const text = outcomeText(outcomeOf(label));
  return text.charAt(0).toLowerCase() + text.slice(1);
};
