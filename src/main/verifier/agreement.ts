import type { VerdictAgreement } from '../../shared/contract/verify.ts';

/** Labels that say whether a task was completed; a model that judges has several for a task that was not. */
const COMPLETED: Readonly<Record<string, boolean | null>> = {
  complete: true,
  others: false,
  incomplete: false,
  agent_error: false,
  server_error: false,
  // The verifier broke: a word of its own, worth nothing.
  judge_error: null,
};

/** Whether a verdict given now and the logged one say the same of an episode. */
export function verdictAgreement(
  now: { result: string | null; reward_type: string },
  logged: string | null,
): VerdictAgreement {
  if (now.result === null && now.reward_type !== 'judge_error') return 'no_verdict';
  if (logged === null || !Object.hasOwn(COMPLETED, logged)) return 'nothing_logged';
  return COMPLETED[now.reward_type] === COMPLETED[logged] ? 'same' : 'contradicts';
}
