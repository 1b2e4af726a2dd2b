// OpenAI's preference rows: one prompt, two replies of one turn.
import { rowsOfPairs, type TextPair } from '../pairs.ts';
import type { Format, MadeRow } from '../format.ts';
import { namesFor, openAiMessages, openAiReply, toolKeys } from '../openaiRows.ts';
import { pointFacts, pointPrompt, type DecisionPoint } from '../decisionPoints.ts';
import { identityOf, originWith } from '../rowFacts.ts';
import type { TrainingConversation } from '../trainingConversation.ts';

export const openaiPreference: Format = {
  id: 'openai_preference',
  verdict: 'any',
  columns: null,
  cardColumns: [
    { name: 'input', type: 'json' },
    { name: 'preferred_output', type: 'json', isList: true },
    { name: 'non_preferred_output', type: 'json', isList: true },
  ],
  says:
    'OpenAI’s preference fine-tuning (DPO), as Azure, Together and Fireworks take it too. `preferred_output` and ' +
    '`non_preferred_output` are one assistant message each, from one decision point; which pairs there are is what ' +
    '`preference` says. The format has no place for where a pair comes from.',
  rows: (input, rules) => rowsOfPairs(input, rules, openAiAdviceRow, openAiPointRow),
};

function openAiPointRow(conversation: TrainingConversation, point: DecisionPoint): MadeRow | string {
  const read = pointPrompt(conversation, point);
  if (typeof read === 'string') return read;
  const origin = originWith(conversation.record, point.origin, read);
  const named = namesFor(conversation.tools);
  const messages = openAiMessages(read, named);
  const row = {
    input: { messages, ...toolKeys(conversation.tools, named, messages) },
    preferred_output: openAiReply(point.chosen, named),
    non_preferred_output: openAiReply(point.rejected, named),
  };
  return { row, facts: pointFacts(conversation, point, { origin, identity: identityOf(row), read }) };
}

function openAiAdviceRow(pair: TextPair): MadeRow {
  const { question, chosen, rejected, facts } = pair;
  const said = (content: string) => [{ role: 'assistant', content }];
  const row = {
    input: { messages: [{ role: 'user', content: question }] },
    preferred_output: said(chosen),
    non_preferred_output: said(rejected),
  };
  return {
    row,
    facts: {
      ...facts,
      identity: identityOf(row),
      label: 'advice',
      mask: () => [
        { role: 'user', text: question, trains: false, why: 'prompt' },
        { role: 'assistant', text: chosen, trains: true, why: null },
        { role: 'assistant', text: rejected, trains: false, why: 'rejected' },
      ],
    },
  };
}
