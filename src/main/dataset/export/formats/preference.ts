// TRL preference rows (for DPO and reward models). Both replies always answer one decision point.
import type { ExportRules } from '../../../../shared/contract/export.ts';
import { functionTools } from '../transcriptLine.ts';
import type { Format, MadeRow, EpisodeInput, EpisodeRows } from '../format.ts';
import { OUTCOME_COLUMNS, outcomeFields, advicePair } from '../outcomes.ts';
import { pointFacts, pointPrompt, type DecisionPoint, decisionPoints } from '../decisionPoints.ts';
import { identityOf, messageColumns, originWith, provenance, PROVENANCE } from '../rowFacts.ts';
import {
  chatRows,
  replyRow,
  type TrainingConversation,
  createTally,
  trainingConversation,
} from '../trainingConversation.ts';

export const preference: Format = {
  id: 'preference',
  verdict: 'any',
  columns: [
    ...messageColumns('prompt', 'chosen', 'rejected', 'tools'),
    { name: 'pair', type: 'string' },
    ...OUTCOME_COLUMNS,
    ...PROVENANCE,
  ],
  says:
    'TRL preference with an explicit prompt, for DPO and reward models. Pairs come from one decision point only, never ' +
    'from two ways an episode went on. `pair` names it: "edited" (a call as a person changed it, over the call as it ' +
    'was proposed), "corrected" (the call that went through, over one a person had turned down), "refused" (the same ' +
    'for a call the agent may not make), "label" (what a person would have done, over what the agent did), "reviewer" ' +
    'and "pairwise" (the same of reviewers), "file" (the sides of a pair that was imported), and "advice" (what an expert sent, over the draft it was edited from: ' +
    'rows for an advisor, not for the agent; select by `pair`). What is the same on both sides, a timeout, a cancel or ' +
    'a decline makes no pair. `chosen_outcome` and `rejected_outcome` are what the verifier said of an episode in ' +
    'which that side was played, with its reward; `chosen_known` and `rejected_known` say which: "episode" (this one), ' +
    '"sibling" (another of the task that was completed), or "unknown", where outcome and reward say nothing. Unless ' +
    'the rules take them, pairs whose chosen side failed or whose rejected side completed the task are left out. ' +
    'Reasoning stands on both sides or on neither; beside a call both sides have the same words, none unless the rules ' +
    'say whose.',
  rows: (input, rules) =>
    rowsOfPairs(
      input,
      rules,
      (pair) => adviceRow(input, pair),
      (conversation, point) => pointRow(conversation, point, rules),
    ),
};

function pointRow(
  conversation: TrainingConversation,
  point: DecisionPoint,
  rules: ExportRules,
): MadeRow | string {
  const read = pointPrompt(conversation, point);
  if (typeof read === 'string') return read;
  const origin = originWith(conversation.record, point.origin, read);
  const prompt = chatRows(read, rules);
  const chosen = [replyRow(point.chosen, rules), ...chatRows(point.further?.chosen ?? [], rules)];
  const rejected = [replyRow(point.rejected, rules), ...chatRows(point.further?.rejected ?? [], rules)];
  return {
    row: {
      prompt,
      chosen,
      rejected,
      tools: conversation.tools,
      pair: point.pair,
      ...outcomeFields(point.sides),
      ...provenance(conversation.record, origin),
    },
    facts: pointFacts(conversation, point, { origin, identity: identityOf(prompt, chosen, rejected), read }),
  };
}

function adviceRow(
  { record }: EpisodeInput,
  { question, chosen, rejected, origin, facts, sides }: TextPair,
): MadeRow {
  return {
    row: {
      prompt: [{ role: 'user', content: question }],
      chosen: [{ role: 'assistant', content: chosen }],
      rejected: [{ role: 'assistant', content: rejected }],
      tools: functionTools(record.tools),
      pair: 'advice',
      ...outcomeFields(sides),
      ...provenance(record, origin),
    },
    facts: {
      ...facts,
      identity: identityOf(question, chosen, rejected),
      label: 'advice',
      mask: () => [
        { role: 'user', text: question, trains: false, why: 'prompt' },
        { role: 'assistant', text: chosen, trains: true, why: null },
        { role: 'assistant', text: rejected, trains: false, why: 'rejected' },
      ],
    },
  };
}

type TextPair = Exclude<ReturnType<typeof advicePair>, string>;

function rowsOfPairs(
  input: EpisodeInput,
  rules: ExportRules,
  adviceRow: (pair: TextPair) => MadeRow,
  pointRow: (conversation: TrainingConversation, point: DecisionPoint) => MadeRow | string,
): EpisodeRows {
  const tally = createTally();
  for (const consultation of input.record.consultations) {
    const pair = advicePair(input, consultation);
    if (typeof pair === 'string') tally.drop(pair);
    else tally.take(adviceRow(pair));
  }
  const conversation = trainingConversation(input, rules);
  if (typeof conversation === 'string') {
    tally.drop(conversation);
    return tally.made();
  }
  const { points, dropped } = decisionPoints(input, conversation);
  dropped.forEach(tally.drop);
  for (const point of points) tally.take(pointRow(conversation, point));
  return tally.made();
}
