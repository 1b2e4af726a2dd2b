// Owns: what the rules that leave something out mean, in words. A rule that is not known here shows its own name.

export type ShownFormat = 'sft' | 'preference';
export const SHOWN: readonly ShownFormat[] = ['sft', 'preference'];
export const FORMATS: Readonly<Record<ShownFormat, { label: string; what: string; needs: string }>> = {
  sft: {
    label: 'SFT',
    what: 'Prompt and completion, cut at the advice: what the agent read, and how it went on to complete the task.',
    needs: 'It takes an episode that the verifier calls complete, best with advice you gave.',
  },
  preference: {
    label: 'Preference',
    what: 'Chosen and rejected for the same moment: your advice against the draft, the call that went through against the one refused.',
    needs: 'It takes a draft you changed before you sent it, or a refused call the agent put right.',
  },
};

const RULES: Readonly<Record<string, string>> = {
  not_ended: 'The episode still runs',
  not_completed: 'The verifier does not call it complete',
  stopped: 'The episode was stopped',
  interrupted: 'The episode was interrupted',
  error: 'The episode ended with an error',
  nothing_follows: 'The agent did nothing after the advice',
  unanswered: 'The question was not answered',
  declined: 'The question was declined',
  expired: 'Nobody answered in time',
  cancelled: 'The question was cancelled',
  no_draft: 'There was no draft to compare with',
  draft_unchanged: 'The draft was sent as it was',
  no_effective_call: 'No call went through after the refused one',
};

/** The rule as a reason. */
export const ruleText = (rule: string): string => RULES[rule] ?? rule.replaceAll('_', ' ');

/** Rules with their counts, the largest first. */
export const sortedDrops = (dropped: Readonly<Record<string, number>>): [string, number][] =>
  Object.entries(dropped).toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
