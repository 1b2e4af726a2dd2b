// Rows for training an advisor: the question and what was known, and the advice an expert gave in the end.
import { inheritPrivilege } from '../../../../shared/events/actor.ts';
import type { Consultation } from '../../../../shared/episode/record.ts';
import { advisedFacts } from '../advicePairs.ts';
import type { Format, MadeRow, EpisodeInput } from '../format.ts';
import { safeText } from '../json.ts';
import { knownTools, advisorQuestion } from '../question.ts';
import { identityOf, messageColumns, provenance, PROVENANCE, type RowOrigin } from '../rowFacts.ts';
import { createTally } from '../trainingConversation.ts';

/** A row for each advice; advice that came when the question was over is a row too, marked as late. */
export const advisor: Format = {
  id: 'advisor',
  verdict: 'any',
  columns: [
    ...messageColumns('prompt', 'completion'),
    { name: 'draft', type: 'string' },
    ...PROVENANCE,
    { name: 'leaked', type: 'int64' },
  ],
  says:
    'For training an advisor: `prompt` is the task, the agent’s tools, what it had tried and its question; `completion` ' +
    'is the advice that was given in the end, by the actor that `actor` names; `draft` is what had been drafted, empty ' +
    'where nothing was. Nothing of the answer key stands in the prompt: `privilege` says what the author had seen ' +
    'beyond it, so advice with privilege teaches an advisor to guess what it cannot know. `leaked` counts the values of ' +
    'the answer in the advice that the agent could not know, -1 where that was not measured. `act` "late" came after the ' +
    'question was over.',
  rows: (input, rules) => {
    const tally = createTally();
    const { record, loadText } = input;
    const isStripped = rules.privilege === 'strip';
    for (const consultation of record.consultations) {
      const { decision, turn, id } = consultation;
      if (consultation.askedN <= record.copiedN) tally.drop('copied');
      else if (decision === null) tally.drop('unanswered');
      else if (consultation.purpose !== 'advice') tally.drop('no_advice_wanted');
      else if (decision.type !== 'approved') tally.drop(decision.type);
      else if (isStripped) tally.drop('expert_words');
      else {
        const { actor, act, privilege, text } = decision;
        const origin = { consultation: id, turn, actor: actor.type, act, privilege };
        tally.take(advisorRow(input, consultation, { advice: loadText(text), origin, isLate: false }));
      }
    }
    for (const { consultation: id, text, privilege } of input.late()) {
      const consultation = record.consultations.find((one) => one.id === id);
      if (consultation === undefined) continue;
      if (isStripped) {
        tally.drop('expert_words');
        continue;
      }
      const seen = inheritPrivilege(privilege, consultation.privilege);
      const origin = {
        consultation: id,
        turn: consultation.turn,
        actor: 'human' as const,
        act: 'late',
        privilege: seen,
      };
      tally.take(advisorRow(input, consultation, { advice: loadText(text), origin, isLate: true }));
    }
    return tally.made();
  },
};

const leakedOf = ({ decision }: Consultation): number =>
  decision?.type === 'approved' ? (decision.leak?.count ?? -1) : -1;

function advisorRow(
  input: EpisodeInput,
  consultation: Consultation,
  { advice, origin, isLate }: { advice: string; origin: RowOrigin; isLate: boolean },
): MadeRow | string {
  const { record, loadText } = input;
  const question = advisorQuestion(record, consultation, loadText);
  if (question === null) return 'no_question';
  const content = [knownTools(record), question].filter((text) => text !== '').join('\n\n');
  const said = safeText(advice);
  const first = consultation.draft === null ? '' : safeText(loadText(consultation.draft.text));
  return {
    row: {
      prompt: [{ role: 'user', content }],
      completion: [{ role: 'assistant', content: said }],
      draft: first,
      ...provenance(record, origin),
      leaked: isLate ? -1 : leakedOf(consultation),
    },
    facts: {
      ...advisedFacts(input, consultation, origin),
      // The advice is what was taught, whatever became of the question.
      hasTimeout: false,
      isLate,
      identity: identityOf(content, said),
      label: null,
      mask: () => [
        { role: 'user', text: content, trains: false, why: 'prompt' },
        { role: 'assistant', text: said, trains: true, why: null },
      ],
    },
  };
}
