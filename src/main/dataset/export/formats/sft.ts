// Owns: TRL prompt-completion rows: a conversation cut at every step-in.
import type { Format, MadeRow } from '../format.ts';
import { stretchesOf, type Stretch } from '../cuts.ts';
import { factsOf, identityOf, messageColumns, provenance, PROVENANCE, type Origin } from '../rowFacts.ts';
import type { Line } from '../line.ts';
import { chatRows, insteadOf, rowsOfTalk, type Talk } from '../talk.ts';
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
  rows: (told, rules) =>
    rowsOfTalk(told, rules, (talk, tally) => {
      const { stretches, empty } = stretchesOf(told.record, talk.story.lines);
      empty.forEach(tally.drop);
      for (const stretch of stretches) tally.take(rowOf(told.record, talk, stretch, rules));
      talk.story.lines.forEach((_line, at) => tally.take(labelRow(told.record, talk, at, rules)));
    }),
};

function rowOf(record: EpisodeRecord, talk: Talk, stretch: Stretch, rules: ExportRules): MadeRow | string {
  const parts = partsOf(talk, stretch);
  if (typeof parts === 'string') return parts;
  const { read, taught } = parts;
  const prompt = chatRows(read, rules.arguments);
  const completion = chatRows(taught, rules.arguments);
  const origin = originOf(stretch);
  return {
    row: { prompt, completion, tools: talk.tools, ...provenance(record, origin) },
    facts: factsOf(record, {
      origin,
      identity: identityOf(prompt, completion, talk.tools),
      read,
      taught,
      isStripped: talk.isStripped,
    }),
  };
}

/** What is read and what is taught of a stretch, or the rule that leaves it out. Without its expert it may begin later. */
export function partsOf(talk: Talk, { from, to }: Stretch): { read: Line[]; taught: Line[] } | string {
  const refused = talk.refuses(to);
  if (refused !== null) return refused;
  const rest = talk.part(from, to);
  const first = rest.findIndex(({ kind }) => kind === 'reply');
  if (first === -1) return 'only_asked';
  const read = [...talk.part(0, from), ...rest.slice(0, first)];
  if (!read.some(({ role }) => role !== 'system')) return 'no_prompt';
  return { read, taught: rest.slice(first, rest.findLastIndex(({ kind }) => kind === 'reply') + 1) };
}

export const originOf = ({ act, actor, consultation, privilege, turn }: Stretch): Origin => ({
  act,
  actor: actor.type,
  consultation: consultation?.id ?? null,
  turn: consultation?.turn ?? turn,
  privilege,
});

/** What the expert would have done at a state the agent reached; the agent was not interrupted. */
function labelRow(
  record: EpisodeRecord,
  talk: Talk,
  at: number,
  rules: ExportRules,
): MadeRow | string | null {
  const line = talk.story.lines[at];
  const label = line?.of?.label ?? null;
  if (line === undefined || label === null || label.agrees || talk.part(at, at + 1).length === 0) return null;
  const refused = talk.refuses(at);
  if (refused !== null) return refused;
  const reply = insteadOf(talk, line, label.move);
  const read = talk.part(0, at);
  if (reply === null || !read.some(({ role }) => role !== 'system')) return 'no_prompt';
  const { actor, privilege } = label;
  const taught: Line = { ...line, ...reply, by: actor, untrainable: null, isTimeout: false };
  const prompt = chatRows(read, rules.arguments);
  const completion = chatRows([taught], rules.arguments);
  const origin = { act: 'label', actor: actor.type, consultation: null, turn: line.turn, privilege };
  return {
    row: { prompt, completion, tools: talk.tools, ...provenance(record, origin) },
    facts: factsOf(record, {
      origin,
      identity: identityOf(prompt, completion, talk.tools),
      read,
      taught: [taught],
      isStripped: talk.isStripped,
    }),
  };
}
