// The text a client reads for each way a consultation can end: the advice, or why there is none.
import type { ConsultAdvice } from '../../episode/consultAdvice.ts';
import { fillPrompt, type Prompts } from '../../settings/prompts.ts';

/** A log that cannot be written must not keep from a client what a person has answered. */
export function withoutHarm(report: (thrown: unknown) => void, run: () => void): void {
  try {
    run();
  } catch (thrown) {
    report(thrown);
  }
}

/** Which expert the question went to and why, for a client that reads it; nothing where there is no roster. */
export const routedTo = ({ routed = null }: Pick<ConsultAdvice, 'routed'>): Record<string, unknown> =>
  routed === null ? {} : { routed: { expert: routed.expert, by: routed.by, reason: routed.reason } };

/** The advisor alone was asked, and no model is set for it: who reads this sets it up. */
const NO_ADVISOR =
  'No advice: no model is set for the advisor. Set one in Interject under Settings, Models, or with --expert-model. Go on with what you know, or finish with your final answer.';

/** The words of an outcome. The same texts that our own agents read. */
export function textForClient(
  prompts: Prompts,
  {
    as,
    text,
    isAdvisorUnset,
    isSetAside,
  }: Pick<ConsultAdvice, 'as' | 'text' | 'isAdvisorUnset' | 'isSetAside'>,
): string {
  switch (as) {
    case 'advice':
    case 'draft':
      return text;
    case 'declined':
      return fillPrompt(prompts.adviceDeclined, { reason: text });
    case 'timed_out':
      return fillPrompt(prompts.adviceTimedOut, {});
    case 'nobody':
      if (isSetAside === true) return `No advice: ${text}.`;
      return isAdvisorUnset === true ? NO_ADVISOR : fillPrompt(prompts.adviceNobody, {});
  }
}
