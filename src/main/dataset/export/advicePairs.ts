// Pairs the advice an expert gave with the draft it was edited from.
import type { Consultation } from '../../../shared/episode/record.ts';
import type { RowFacts, EpisodeInput } from './format.ts';
import { safeText } from './json.ts';
import { adviceKey, pairOutcomes } from './outcomes.ts';
import type { Sides } from './pairSides.ts';
import { advisorQuestion } from './question.ts';
import { scenarioOf, taskIndex, type RowOrigin } from './rowFacts.ts';

type AdvicePair = {
  question: string;
  chosen: string;
  rejected: string;
  origin: RowOrigin;
  facts: AdviceFacts;
  sides: Sides;
};
type AdviceFacts = Omit<RowFacts, 'identity' | 'label' | 'mask'>;

/** The pair, or the rule that leaves it out: an unchanged draft, a decline, a timeout or a cancel never makes one. */
export function advicePair(input: EpisodeInput, consultation: Consultation): AdvicePair | string {
  const { record, loadText } = input;
  const { decision, draft, askedN } = consultation;
  if (askedN <= record.copiedN) return 'copied';
  if (decision === null) return 'unanswered';
  if (decision.type !== 'approved') return decision.type;
  const first = consultation.drafts.find(({ id }) => id === decision.draft) ?? draft;
  if (first === null) return 'no_draft';
  const chosen = safeText(loadText(decision.text));
  const rejected = safeText(loadText(first.text));
  if (chosen.trim() === rejected.trim()) return 'draft_unchanged';
  const question = advisorQuestion(record, consultation, loadText);
  if (question === null) return 'no_question';
  const { actor, act, privilege } = decision;
  const origin = {
    consultation: consultation.id,
    turn: consultation.turn,
    actor: actor.type,
    act,
    privilege,
  };
  const { delivered } = consultation;
  const played = delivered === null ? null : adviceKey(safeText(loadText(delivered.text)));
  const sides = pairOutcomes(input, { chosen: adviceKey(chosen), rejected: adviceKey(rejected), played });
  return {
    question,
    chosen,
    rejected,
    origin,
    sides,
    facts: { ...advisedFacts(input, consultation, origin), sides },
  };
}

/** The facts of a row that is made of a question and its answer. */
export const advisedFacts = (
  { record }: EpisodeInput,
  consultation: Consultation,
  origin: RowOrigin,
): AdviceFacts => ({
  task: [scenarioOf(record), taskIndex(record)],
  n: consultation.askedN,
  turn: consultation.turn,
  consultation: consultation.id,
  actor: origin.actor,
  privilege: origin.privilege,
  hasTimeout: consultation.decision?.type === 'expired',
  isLate: false,
  hasFabricated: false,
});
