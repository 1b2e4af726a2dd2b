// TRL prompt-completion rows: a conversation cut at every step-in.
import type { Format, MadeRow } from '../format.ts';
import { taughtSpans, type TaughtSpan } from '../cuts.ts';
import {
  rowFacts,
  identityOf,
  messageColumns,
  originWith,
  provenance,
  PROVENANCE,
  type RowOrigin,
} from '../rowFacts.ts';
import type { TranscriptLine } from '../transcriptLine.ts';
import {
  chatRows,
  replyInstead,
  rowsOfConversation,
  type TrainingConversation,
} from '../trainingConversation.ts';
import type { ExportRules } from '../../../../shared/contract/export.ts';
import type { EpisodeRecord } from '../../../../shared/episode/record.ts';

/**
 * A row for each stretch of the agent's own moves, and of a person's who had taken over. A reply that must not train
 * ends a completion and stands in the prompt of the next: TRL has no weight for a single message.
 */
export const sft: Format = {
  id: 'sft',
  verdict: 'completed',
  columns: [...messageColumns('prompt', 'completion', 'tools'), ...PROVENANCE],
  says:
    'TRL prompt-completion. Each row is cut at a step-in: `prompt` runs up to what a person or the advisor gave, ' +
    '`completion` from there to the next step-in, to a reply that must not train, or to the end. `act` says what it ' +
    'follows on; an episode nobody stepped into is one row with `act` "solo", and `act` "label" is what a person would ' +
    'have done at that point. A call that a person changed stands as ' +
    'it took effect. Train with completion-only loss, and with assistant-only loss where the chat template has it: ' +
    'completions hold tool results between the replies.',
  rows: (input, rules) =>
    rowsOfConversation(input, rules, (conversation, tally) => {
      const { stretches, empty } = taughtSpans(input.record, conversation.transcript.lines);
      empty.forEach(tally.drop);
      for (const stretch of stretches) tally.take(sftRow(input.record, conversation, stretch, rules));
      conversation.transcript.lines.forEach((_line, at) =>
        tally.take(labelRow(input.record, conversation, at, rules)),
      );
    }),
};

function sftRow(
  record: EpisodeRecord,
  conversation: TrainingConversation,
  stretch: TaughtSpan,
  rules: ExportRules,
): MadeRow | string {
  const parts = promptAndCompletion(conversation, stretch);
  if (typeof parts === 'string') return parts;
  const { read, taught } = parts;
  const origin = originWith(record, spanOrigin(stretch), [...read, ...taught]);
  return promptCompletionRow(record, conversation, { read, taught, origin }, rules);
}

function promptCompletionRow(
  record: EpisodeRecord,
  { tools, isStripped }: TrainingConversation,
  { read, taught, origin }: { read: TranscriptLine[]; taught: TranscriptLine[]; origin: RowOrigin },
  rules: ExportRules,
): MadeRow {
  const prompt = chatRows(read, rules);
  const completion = chatRows(taught, rules);
  const identity = identityOf(prompt, completion, tools);
  return {
    row: { prompt, completion, tools, ...provenance(record, origin) },
    facts: rowFacts(record, { origin, identity, read, taught, tools, isStripped }),
  };
}

/** What is read and what is taught of a stretch, or the rule that leaves it out. Without its expert it may begin later. */
export function promptAndCompletion(
  conversation: TrainingConversation,
  { from, to }: TaughtSpan,
): { read: TranscriptLine[]; taught: TranscriptLine[] } | string {
  const refused = conversation.refuses(to);
  if (refused !== null) return refused;
  const rest = conversation.part(from, to);
  const first = rest.findIndex(({ kind }) => kind === 'reply');
  if (first === -1) return 'only_asked';
  const read = [...conversation.part(0, from), ...rest.slice(0, first)];
  if (!read.some(({ role }) => role !== 'system')) return 'no_prompt';
  return { read, taught: rest.slice(first, rest.findLastIndex(({ kind }) => kind === 'reply') + 1) };
}

export const spanOrigin = ({ act, actor, consultation, privilege, turn }: TaughtSpan): RowOrigin => ({
  act,
  actor: actor.type,
  consultation: consultation?.id ?? null,
  turn: consultation?.turn ?? turn,
  privilege,
});

/** What the expert would have done at a state the agent reached; the agent was not interrupted. */
function labelRow(
  record: EpisodeRecord,
  conversation: TrainingConversation,
  at: number,
  rules: ExportRules,
): MadeRow | string | null {
  const line = conversation.transcript.lines[at];
  const label = line?.of?.label ?? null;
  if (line === undefined || label === null || label.agrees || conversation.part(at, at + 1).length === 0)
    return null;
  const refused = conversation.refuses(at);
  if (refused !== null) return refused;
  const reply = replyInstead(conversation, line, label.move);
  const read = conversation.part(0, at);
  if (reply === null || !read.some(({ role }) => role !== 'system')) return 'no_prompt';
  const { actor, privilege } = label;
  const taught: TranscriptLine = { ...line, ...reply, by: actor, untrainable: null, isTimeout: false };
  const by = { act: 'label', actor: actor.type, consultation: null, turn: line.turn, privilege };
  const origin = originWith(record, by, read);
  return promptCompletionRow(record, conversation, { read, taught: [taught], origin }, rules);
}
