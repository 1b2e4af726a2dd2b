// Knowledge of a task beyond its text: what its verifier checks, and how it is solved. For the expert and the advisor;
// the agent never reads any of it.
import type { VerifierMode } from './events/lifecycle.ts';
import type { FailureShape } from './failure.ts';
import type { Briefing } from './pack.ts';

/** A task as an episode plays it. `task` is null where its text is not known, or was replaced at the reset. */
export type TaskOfEpisode = {
  scenario: string | null;
  task_idx: number | null;
  task: string | null;
  /** Which of its verifiers judges the episode; absent where that is not known yet. */
  verifier_mode?: VerifierMode | undefined;
};

export type TaskSecrets = {
  /** What the verifier checks, in words; null where only its code says it. */
  criteria: string | null;
  /** The verifier itself, where it is code that a person can read. */
  verifier: { form: 'code' | 'sql'; code: string } | null;
  reference: Briefing['reference'] | null;
  /** The plan that a draft without a model proposes. */
  draft: Briefing['draft'] | null;
  rehearsal: Briefing['rehearsal'] | null;
};

/** The reason for unknown secrets, and the remedy. */
export type MissingSecrets = Pick<FailureShape, 'message' | 'next'>;
export type TaskSecretsResult =
  { secrets: TaskSecrets; missing: null } | { secrets: null; missing: MissingSecrets };

/** The task's secrets for the advisor and the answer key, and who put the criteria into words. */
export type TaskKnowledge = {
  secrets: TaskSecrets;
  /** Null where neither the data nor a model has words for what is checked. */
  criteria: string | null;
  /** `data`: as they stand in the environment's own data; `model`: distilled from the verifier's code. */
  criteriaFrom: 'data' | 'model';
  /** The model that distilled them. */
  model: string | null;
};

/** The secrets of a task whose answer comes with the product. */
export const secretsOfBriefing = ({ criteria, reference, draft, rehearsal }: Briefing): TaskSecrets => ({
  criteria,
  verifier: null,
  reference,
  draft,
  rehearsal,
});
