// Owns: OpenAI's supervised fine-tuning rows: a whole conversation, each reply with its weight.
import type { Format } from '../format.ts';
import { namesFor, toolKeys, weightedMessages } from '../openaiRows.ts';
import { stretchesOf } from '../cuts.ts';
import { inheritPrivilege } from '../../../../shared/events/actor.ts';
import { factsOf, identityOf } from '../rowFacts.ts';
import { rowsOfTalk } from '../talk.ts';

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
  rows: (told, rules) =>
    rowsOfTalk(told, rules, (talk, tally) => {
      const { record } = told;
      const all = talk.part(0, talk.story.lines.length);
      const last = all.findLastIndex(({ kind, untrainable }) => kind === 'reply' && untrainable === null);
      const lines = all.slice(0, last + 1);
      const refused = talk.refuses(talk.story.lines.length);
      if (
        last === -1 ||
        refused !== null ||
        lines.every(({ role }) => role === 'assistant' || role === 'system')
      ) {
        tally.drop(refused ?? (last === -1 ? 'nothing_to_train' : 'no_prompt'));
        return;
      }
      const named = namesFor(talk.tools);
      const messages = weightedMessages(lines, named, ({ untrainable }) => (untrainable === null ? 1 : 0));
      const row = { messages, ...toolKeys(talk.tools, named) };
      const { stretches } = stretchesOf(record, talk.story.lines);
      const origin = {
        consultation: null,
        turn: null,
        actor: stretches.at(-1)?.actor.type ?? ('agent' as const),
        act: stretches.at(-1)?.act ?? 'solo',
        privilege: inheritPrivilege(...stretches.map(({ privilege }) => privilege)),
      };
      const facts = factsOf(record, {
        origin,
        identity: identityOf(row),
        read: [],
        taught: lines,
        isStripped: talk.isStripped,
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
