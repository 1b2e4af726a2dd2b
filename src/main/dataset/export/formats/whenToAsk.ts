// Owns: rows for learning when to ask: what the agent had read before a decision of its own, and whether it asked.
import { episodePrivilege } from '../episodeFacts.ts';
import type { Format, MadeRow } from '../format.ts';
import type { Line } from '../line.ts';
import { factsOf, identityOf, messageColumns, provenance, PROVENANCE } from '../rowFacts.ts';
import { chatRows, type Talk, rowsOfTalk } from '../talk.ts';
import type { ExportRules } from '../../../../shared/contract/export.ts';

/** A row a turn of the agent's own, where it could have asked. */
export const whenToAsk: Format = {
  id: 'when_to_ask',
  verdict: 'any',
  columns: [...messageColumns('prompt', 'tools'), { name: 'label', type: 'string' }, ...PROVENANCE],
  says:
    'For learning when to ask: `prompt` is the conversation up to a decision of the agent’s own, `label` is "ask" or ' +
    '"act". A person’s moves, unreadable replies, asks beyond the budget and turns copied from another episode are ' +
    'left out, and so are episodes in which there was nobody to ask. The reward and verdict of the episode stand ' +
    'beside it: they are no part of the prompt.',
  rows: (told, rules) =>
    rowsOfTalk(told, rules, (talk, tally) => {
      if (told.record.started?.condition === 'none') tally.drop('nobody_to_ask');
      else talk.story.lines.forEach((line, at) => tally.take(rowOf(talk, line, at, rules)));
    }),
};

const OWN: ReadonlySet<Line['untrainable']> = new Set([null, 'disagreed', 'rejected', 'set_aside']);

function rowOf(talk: Talk, line: Line, at: number, rules: ExportRules): MadeRow | string | null {
  if (line.kind !== 'reply') return null;
  if (!OWN.has(line.untrainable) || line.by?.type === 'human') return line.untrainable ?? 'person';
  const refused = talk.refuses(at);
  if (refused !== null) return refused;
  const read = talk.part(0, at);
  if (!read.some(({ role }) => role !== 'system')) return 'no_prompt';
  const label = line.move?.type === 'ask_expert' ? 'ask' : 'act';
  const prompt = chatRows(read, rules.arguments);
  const origin = {
    consultation: line.consultation,
    turn: line.turn,
    actor: 'agent' as const,
    act: label,
    // The decision is the agent's own; the prompt may hold what others had given by then.
    privilege: episodePrivilege(talk.record, line.of === null ? undefined : line.turn),
  };
  const { tools, isStripped } = talk;
  const facts = factsOf(talk.record, {
    origin,
    identity: identityOf(prompt, label),
    read,
    taught: [line],
    label,
    isStripped,
  });
  return {
    row: { prompt, tools, label, ...provenance(talk.record, origin) },
    facts: {
      ...facts,
      // The decision is the agent's own: what became of the question says nothing of it.
      hasTimeout: read.some(({ isTimeout }) => isTimeout),
      uptake: null,
      mask: () => [
        ...facts.mask().slice(0, read.length),
        { role: 'assistant', text: label, trains: true, why: null },
      ],
    },
  };
}
