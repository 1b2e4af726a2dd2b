// Whole conversations as TRL's `messages`.
import type { ExportRules } from '../../../../shared/contract/export.ts';
import { actOfEpisode } from '../cuts.ts';
import { episodePrivilege } from '../episodeFacts.ts';
import type { Format, MadeRow, EpisodeInput } from '../format.ts';
import type { TranscriptLine } from '../transcriptLine.ts';
import { rowFacts, identityOf, messageColumns, provenance, PROVENANCE } from '../rowFacts.ts';
import { chatRows, rowsOfConversation } from '../trainingConversation.ts';

export const MESSAGE_COLUMNS = [...messageColumns('messages', 'tools'), ...PROVENANCE];

/** A row an episode. TRL trains on every reply of `messages`: an episode with one that must not train is left out. */
export const sftMessages: Format = {
  id: 'sft_messages',
  verdict: 'completed',
  columns: MESSAGE_COLUMNS,
  says:
    'TRL messages: a whole conversation a row. Train with `assistant_only_loss=True`, which needs a chat template that ' +
    'marks the assistant’s words. TRL has no weight for a single message, so an episode with a reply that must not ' +
    'train (turned down, malformed, refused, a person’s own, set aside, labelled as wrong) is left out under a rule ' +
    'that says so; `sft` keeps the rest of such episodes. A call that a person changed stands as it took effect.',
  rows: (input, rules) => conversationRow(input, rules, wholeRow),
};

type WholeRowShape = Parameters<typeof wholeRow>[2];

export function conversationRow(
  input: EpisodeInput,
  rules: ExportRules,
  make: (input: EpisodeInput, lines: TranscriptLine[], shape: WholeRowShape) => MadeRow | string,
): ReturnType<Format['rows']> {
  return rowsOfConversation(input, rules, (conversation, tally) => {
    const { lines } = conversation.transcript;
    const refused = conversation.refuses(lines.length);
    const { tools, isStripped } = conversation;
    tally.take(refused ?? make(input, conversation.part(0, lines.length), { tools, isStripped, rules }));
  });
}

export function wholeRow(
  { record }: EpisodeInput,
  lines: TranscriptLine[],
  { tools, isStripped, rules }: { tools: unknown[]; isStripped: boolean; rules: ExportRules },
): MadeRow | string {
  const bad = lines.find(({ untrainable }) => untrainable !== null)?.untrainable ?? null;
  // What was copied into a branch is whole in the episode it came from.
  if (bad !== null) return bad === 'copied' ? 'copied' : `untrainable_${bad}`;
  const taught = lines.slice(0, lines.findLastIndex(({ kind }) => kind === 'reply') + 1);
  if (taught.length === 0) return 'nothing_follows';
  const first = taught.findIndex(({ kind }) => kind === 'reply');
  if (!taught.slice(0, first).some(({ role }) => role !== 'system')) return 'no_prompt';
  const messages = chatRows(taught, rules);
  const origin = {
    consultation: null,
    turn: null,
    actor: 'agent' as const,
    act: actOfEpisode(record),
    privilege: episodePrivilege(record),
  };
  return {
    row: { messages, tools, ...provenance(record, origin) },
    facts: rowFacts(record, {
      origin,
      identity: identityOf(messages, tools),
      read: taught.slice(0, first),
      taught: taught.slice(first),
      isStripped,
      tools,
    }),
  };
}
