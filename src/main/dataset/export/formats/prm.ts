// TRL rows for stepwise supervision: steps as text, and whether each was good.
import { unseenPrivilege } from '../../../../shared/episode/help.ts';
import type { Format } from '../format.ts';
import type { TranscriptLine } from '../transcriptLine.ts';
import { stepMarks } from '../stepMarks.ts';
import { rowFacts, identityOf, provenance, PROVENANCE } from '../rowFacts.ts';
import { rowsOfConversation, type TrainingConversation } from '../trainingConversation.ts';
import { parseArguments } from '../replies.ts';

/** A row an episode that somebody rated from its first step on. */
export const prm: Format = {
  id: 'prm',
  verdict: 'any',
  columns: [
    { name: 'prompt', type: 'string' },
    { name: 'completions', type: 'strings' },
    { name: 'labels', type: 'bools' },
    ...PROVENANCE,
  ],
  says:
    'Stepwise supervision, for process reward models: the `prompt`, `completions`, `labels` columns that TRL had a trainer ' +
    'for until it was taken out; TRL 1.16 has none. Read it with a trainer of your own. Each completion is one step as text: the reply, its call in ' +
    '`<tool_call>` tags, what came back in `<tool_response>` tags. `labels` come from reviewers (an adjudicator’s word ' +
    'first, then what most of them say), else from what a person said live that they would have done. The format has ' +
    'no third value: a row ends before the first step that is neutral, that nobody rated, or whose call a person ' +
    'changed.',
  rows: (input, rules) =>
    rowsOfConversation(input, rules, (conversation, tally) => {
      const { record } = input;
      const steps = ratedSteps(conversation, stepMarks(input));
      const last = steps.at(-1);
      const refused = last === undefined ? 'not_rated' : conversation.refuses(last.to);
      if (last === undefined || refused !== null) {
        tally.drop(refused ?? 'not_rated');
        return;
      }
      const read = conversation.part(0, steps[0]?.from ?? 0);
      const opening = read.findIndex(({ kind }) => kind === 'reply');
      const prompt = read
        .map((line, i) => (opening === -1 || i < opening ? line.content : stepText(line)))
        .join('\n\n');
      const completions = steps.map(({ lines }) => lines.map(stepText).join('\n'));
      const labels = steps.map(({ isGood }) => isGood);
      const { actor } = last;
      const origin = {
        consultation: null,
        turn: last.turn,
        actor,
        act: 'rated',
        privilege: 'unknown' as const,
      };
      const taught = steps.flatMap(({ lines }) => lines);
      const facts = rowFacts(record, {
        origin,
        identity: identityOf(prompt, completions, labels),
        read,
        taught,
        // The labels alone have a loss.
        trains: () => false,
        tools: conversation.tools,
        isStripped: conversation.isStripped,
        label: labels.every((good) => good) ? 'all_good' : 'has_bad',
      });
      tally.rows.push({
        row: { prompt, completions, labels, ...provenance(record, origin) },
        facts: { ...facts, privilege: conversation.isStripped ? unseenPrivilege(record) : facts.privilege },
      });
    }),
};

type LabelledStep = {
  from: number;
  to: number;
  turn: number;
  lines: TranscriptLine[];
  isGood: boolean;
  actor: 'human';
};

/** Steps from the first of the episode's own on, as long as each is rated good or bad. */
function ratedSteps(conversation: TrainingConversation, marks: ReturnType<typeof stepMarks>): LabelledStep[] {
  const { lines } = conversation.transcript;
  const starts = lines.flatMap(({ kind }, i) => (kind === 'reply' ? [i] : []));
  const steps: LabelledStep[] = [];
  for (const [i, from] of starts.entries()) {
    const line = lines[from];
    const to = starts[i + 1] ?? lines.length;
    const kept = conversation.part(from, to);
    // A branch begins with turns of another episode: they are rated there.
    if (steps.length === 0 && line?.untrainable === 'copied') continue;
    if (line === undefined || line.proposed !== null) break;
    // What is gone with the expert needs no rating.
    if (kept.every(({ kind }) => kind !== 'reply')) continue;
    const label = line.of?.label ?? null;
    const mark = marks.get(line.turn) ?? (label === null ? null : label.agrees ? 'good' : 'bad');
    if (mark !== 'good' && mark !== 'bad') break;
    steps.push({ from, to, turn: line.turn, lines: kept, isGood: mark === 'good', actor: 'human' });
  }
  return steps;
}

function stepText({ kind, content, calls, role }: TranscriptLine): string {
  if (kind !== 'reply') return role === 'system' ? content : `<tool_response>\n${content}\n</tool_response>`;
  const called = calls.map(
    ({ name, raw }) =>
      `<tool_call>\n${JSON.stringify({ name, arguments: parseArguments(raw) })}\n</tool_call>`,
  );
  return [...(content === '' ? [] : [content]), ...called].join('\n');
}
