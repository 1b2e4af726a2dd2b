// Rows for learning when to ask: what the agent had read before a decision of its own, and whether it asked.
import { isAtSeat } from '../../../../shared/events/actor.ts';
import { episodePrivilege } from '../episodeFacts.ts';
import type { Format, MadeRow } from '../format.ts';
import type { TranscriptLine } from '../transcriptLine.ts';
import { rowFacts, identityOf, messageColumns, provenance, PROVENANCE } from '../rowFacts.ts';
import { chatRows, type TrainingConversation, rowsOfConversation } from '../trainingConversation.ts';
import { helpOf } from '../../../../shared/episode/help.ts';
import { ASK_EXPERT } from '../../../../shared/wire.ts';
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
  rows: (input, rules) =>
    rowsOfConversation(input, rules, (conversation, tally) => {
      if (hasNobodyToAsk(conversation)) tally.drop('nobody_to_ask');
      else
        conversation.transcript.lines.forEach((line, at) =>
          tally.take(whenToAskRow(conversation, line, at, rules)),
        );
    }),
};

/** Known of our own loop, and of a client that declares to have no other expert and told which tools its agent had. */
function hasNobodyToAsk({ record, transcript }: TrainingConversation): boolean {
  if (record.started?.condition === 'none') return true;
  const isDeclared = helpOf(record).why === 'declared' && (record.conversation?.tools ?? null) !== null;
  return isDeclared && transcript.tools.every((tool) => tool.function.name !== ASK_EXPERT);
}

const OWN_DECISIONS: ReadonlySet<TranscriptLine['untrainable']> = new Set([
  null,
  'disagreed',
  'rejected',
  'set_aside',
]);

function whenToAskRow(
  conversation: TrainingConversation,
  line: TranscriptLine,
  at: number,
  rules: ExportRules,
): MadeRow | string | null {
  if (line.kind !== 'reply') return null;
  if (!OWN_DECISIONS.has(line.untrainable) || (line.by !== null && isAtSeat(line.by)))
    return line.untrainable ?? 'person';
  const refused = conversation.refuses(at);
  if (refused !== null) return refused;
  const read = conversation.part(0, at);
  if (!read.some(({ role }) => role !== 'system')) return 'no_prompt';
  const label = line.move?.type === 'ask_expert' ? 'ask' : 'act';
  const prompt = chatRows(read, rules);
  const origin = {
    consultation: line.consultation,
    turn: line.turn,
    actor: 'agent' as const,
    act: label,
    // The decision is the agent's own; the prompt may hold what others had given by then.
    privilege: episodePrivilege(conversation.record, line.of === null ? undefined : line.turn),
  };
  const { tools, isStripped } = conversation;
  const facts = rowFacts(conversation.record, {
    origin,
    identity: identityOf(prompt, label),
    read,
    taught: [line],
    label,
    isStripped,
    tools,
    // The label alone has a loss.
    trains: () => false,
  });
  return {
    row: { prompt, tools, label, ...provenance(conversation.record, origin) },
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
