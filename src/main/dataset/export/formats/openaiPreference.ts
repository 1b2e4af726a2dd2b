// Owns: OpenAI's preference rows: one prompt, two replies of one turn.
import { rowsOfPairs, type AdvicePair } from '../pairs.ts';
import type { Format, MadeRow } from '../format.ts';
import { namesFor, openAiMessages, openAiReply, toolKeys } from '../openaiRows.ts';
import { asTaught, promptOf, type Point } from '../points.ts';
import { factsOf, identityOf } from '../rowFacts.ts';
import { maskLine, type Talk } from '../talk.ts';

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
  rows: (told, rules) => rowsOfPairs(told, rules, adviceRow, pointRow),
};

function pointRow(talk: Talk, point: Point): MadeRow | string {
  const read = promptOf(talk, point);
  if (typeof read === 'string') return read;
  const named = namesFor(talk.tools);
  const row = {
    input: { messages: openAiMessages(read, named), ...toolKeys(talk.tools, named) },
    preferred_output: openAiReply(point.chosen, named),
    non_preferred_output: openAiReply(point.rejected, named),
  };
  const facts = factsOf(talk.record, {
    origin: point.origin,
    identity: identityOf(row),
    read,
    taught: [asTaught(talk, point, point.chosen)],
    label: point.pair,
    isStripped: talk.isStripped,
  });
  const rejected = { ...maskLine(asTaught(talk, point, point.rejected), false), why: 'rejected' };
  return { row, facts: { ...facts, mask: () => [...facts.mask(), rejected] } };
}

function adviceRow(pair: AdvicePair): MadeRow {
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
