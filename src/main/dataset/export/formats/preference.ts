// Owns: TRL preference rows (DPO, reward models), only ever from one decision point.
import type { ExportRules } from '../../../../shared/contract/export.ts';
import { rowsOfPairs, type AdvicePair } from '../pairs.ts';
import { functionTools } from '../chatTools.ts';
import type { Format, MadeRow, Told } from '../format.ts';
import { asTaught, promptOf, type Point } from '../points.ts';
import { factsOf, identityOf, messageColumns, provenance, PROVENANCE } from '../rowFacts.ts';
import { chatRows, maskLine, replyRow, type Talk } from '../talk.ts';

export const preference: Format = {
  id: 'preference',
  verdict: 'any',
  columns: [
    ...messageColumns('prompt', 'chosen', 'rejected', 'tools'),
    { name: 'pair', type: 'string' },
    ...PROVENANCE,
  ],
  says:
    'TRL preference with an explicit prompt, for DPO and reward models. Pairs come from one decision point only, never ' +
    'from two ways an episode went on. `pair` names it: "edited" (a call as a person changed it, over the call as it ' +
    'was proposed), "corrected" (the call that went through, over one a person had turned down), "refused" (the same ' +
    'for a call the agent may not make), "label" (what a person would have done, over what the agent did), "reviewer" ' +
    'and "pairwise" (the same of reviewers), and "advice" (what an expert sent, over the draft it was edited from: ' +
    'rows for an advisor, not for the agent; select by `pair`). What is the same on both sides, a timeout, a cancel or ' +
    'a decline makes no pair.',
  rows: (told, rules) =>
    rowsOfPairs(
      told,
      rules,
      (pair) => adviceRow(told, pair),
      (talk, point) => pointRow(talk, point, rules),
    ),
};

function pointRow(talk: Talk, point: Point, rules: ExportRules): MadeRow | string {
  const read = promptOf(talk, point);
  if (typeof read === 'string') return read;
  const prompt = chatRows(read, rules.arguments);
  const chosen = [replyRow(point.chosen, rules.arguments)];
  const rejected = [replyRow(point.rejected, rules.arguments)];
  const facts = factsOf(talk.record, {
    origin: point.origin,
    identity: identityOf(prompt, chosen, rejected),
    read,
    taught: [asTaught(talk, point, point.chosen)],
    label: point.pair,
    isStripped: talk.isStripped,
  });
  return {
    row: {
      prompt,
      chosen,
      rejected,
      tools: talk.tools,
      pair: point.pair,
      ...provenance(talk.record, point.origin),
    },
    facts: {
      ...facts,
      mask: () => [
        ...facts.mask(),
        { ...maskLine(asTaught(talk, point, point.rejected), false), why: 'rejected' },
      ],
    },
  };
}

function adviceRow({ record }: Told, { question, chosen, rejected, origin, facts }: AdvicePair): MadeRow {
  return {
    row: {
      prompt: [{ role: 'user', content: question }],
      chosen: [{ role: 'assistant', content: chosen }],
      rejected: [{ role: 'assistant', content: rejected }],
      tools: functionTools(record.tools),
      pair: 'advice',
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
