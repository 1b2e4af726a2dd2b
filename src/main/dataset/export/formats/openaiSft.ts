// OpenAI's supervised fine-tuning rows: a whole conversation, each reply with its weight.
import type { Format } from '../format.ts';
import { namesFor, toolKeys, weightedMessages } from '../openaiRows.ts';
import { actOfEpisode, taughtSpans } from '../cuts.ts';
import { inheritPrivilege } from '../../../../shared/events/actor.ts';
import { rowFacts, identityOf, linesPrivilege } from '../rowFacts.ts';
import { rowsOfConversation } from '../trainingConversation.ts';

/** A row an episode; a reply that must not train has weight 0. */
export const openaiSft: Format = {
  id: 'openai_sft',
  verdict: 'completed',
  columns: null,
  cardColumns: [
    { name: 'messages', type: 'json', isList: true },
    { name: 'tools', type: 'json' },
    { name: 'parallel_tool_calls', type: 'json' },
  ],
  says:
    'OpenAI’s supervised fine-tuning with tools, as Azure, Together and Fireworks take it too: a conversation a line. ' +
    'Each reply has a `weight`: 0 where it must not train (turned down, malformed, refused, touched, discarded, copied, ' +
    'set aside, labelled as wrong, or a person’s own). Arguments are text, function names are spelt as the rule wants ' +
    'them, and there is no other key: files with more have been refused. At least ten examples are wanted.',
  rows: (input, rules) =>
    rowsOfConversation(input, rules, (conversation, tally) => {
      const { record } = input;
      const all = conversation.part(0, conversation.transcript.lines.length);
      const last = all.findLastIndex(({ kind, untrainable }) => kind === 'reply' && untrainable === null);
      const lines = all.slice(0, last + 1);
      const refused = conversation.refuses(conversation.transcript.lines.length);
      if (
        last === -1 ||
        refused !== null ||
        lines.every(({ role }) => role === 'assistant' || role === 'system')
      ) {
        tally.drop(refused ?? (last === -1 ? 'nothing_to_train' : 'no_prompt'));
        return;
      }
      const named = namesFor(conversation.tools);
      const messages = weightedMessages(lines, named, ({ untrainable }) => (untrainable === null ? 1 : 0));
      const row = { messages, ...toolKeys(conversation.tools, named, messages) };
      const { stretches } = taughtSpans(record, conversation.transcript.lines);
      const origin = {
        consultation: null,
        turn: null,
        actor: stretches.at(-1)?.actor.type ?? ('agent' as const),
        act: stretches.at(-1)?.act ?? actOfEpisode(record),
        privilege: inheritPrivilege(
          linesPrivilege(record, lines),
          ...stretches.map(({ privilege }) => privilege),
        ),
      };
      const facts = rowFacts(record, {
        origin,
        identity: identityOf(row),
        read: [],
        taught: lines,
        tools: conversation.tools,
        trains: ({ untrainable }) => untrainable === null,
        isStripped: conversation.isStripped,
      });
      tally.rows.push({
        row,
        facts: {
          ...facts,
          mask: () =>
            facts.mask().map((one, i) => {
              const bad = lines[i]?.untrainable ?? null;
              return bad === null ? one : { ...one, trains: false, why: bad };
            }),
        },
      });
    }),
};
