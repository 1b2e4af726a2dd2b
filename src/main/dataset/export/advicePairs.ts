// Owns: two texts for one question: the advice an expert gave, and the draft it was edited from.
import { uptakeOf } from '../../../shared/episode/uptake.ts';
import type { Consultation } from '../../../shared/episode/record.ts';
import type { RowFacts, Told } from './format.ts';
import { safeText } from './json.ts';
import { questionText } from './question.ts';
import { scenarioOf, taskIdxOf, type Origin } from './rowFacts.ts';

export type AdvicePair = {
  question: string;
  chosen: string;
  rejected: string;
  origin: Origin;
  facts: Advised;
};
type Advised = Omit<RowFacts, 'identity' | 'label' | 'mask'>;

/** The pair, or the rule that leaves it out: an unchanged draft, a decline, a timeout or a cancel never makes one. */
export function advicePair(told: Told, consultation: Consultation): AdvicePair | string {
  const { record, whole } = told;
  const { decision, draft, askedN } = consultation;
  if (askedN <= record.copiedN) return 'copied';
  if (decision === null) return 'unanswered';
  if (decision.type !== 'approved') return decision.type;
  const first = consultation.drafts.find(({ id }) => id === decision.draft) ?? draft;
  if (first === null) return 'no_draft';
  const chosen = safeText(whole(decision.text));
  const rejected = safeText(whole(first.text));
  if (chosen.trim() === rejected.trim()) return 'draft_unchanged';
  const question = questionText(record, consultation, whole);
  if (question === null) return 'no_question';
  const { actor, act, privilege } = decision;
  const origin = {
    consultation: consultation.id,
    turn: consultation.turn,
    actor: actor.type,
    act,
    privilege,
  };
  return { question, chosen, rejected, origin, facts: advisedFacts(told, consultation, origin) };
}

/** The facts of a row that is made of a question and its answer. */
export const advisedFacts = ({ record }: Told, consultation: Consultation, origin: Origin): Advised => ({
  task: [scenarioOf(record), taskIdxOf(record)],
  n: consultation.askedN,
  turn: consultation.turn,
  consultation: consultation.id,
  actor: origin.actor,
  privilege: origin.privilege,
  uptake: uptakeOf(record, consultation)?.verdict ?? null,
  hasTimeout: consultation.decision?.type === 'expired',
  isLate: false,
  hasFabricated: false,
  hasTouched: false,
});
