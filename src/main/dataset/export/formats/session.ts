// Owns: an episode as a Hugging Face session trace: a line that begins it, then a line for each message, in a file of its
// own: the format holds one session, and readers take a file for one.
// Source: the Hub's page on the format of session traces.
import type { EpisodeRecord } from '../../../../shared/episode/record.ts';
import { episodeFacts, noRow, oneRow } from '../episodeFacts.ts';
import type { Format } from '../format.ts';
import type { Line } from '../line.ts';
import { eventfulStory } from '../wordless.ts';

export const session: Format = {
  id: 'session',
  verdict: 'any',
  columns: null,
  isFilePerRow: true,
  says:
    'Hugging Face session traces, which the Hub’s viewer shows: a file a session, a line that begins it, a line for ' +
    'each message. `datasets` reads them where `teich` is installed: the whole session under `trace`, words under ' +
    '`messages` without the calls. Not for training. No rewards, no tool schemas, and nobody but the agent has a ' +
    'name: advice is a tool’s result, a person’s move is the assistant’s.',
  rows: (told, rules) => {
    const { record } = told;
    const story = eventfulStory(told, rules);
    if (typeof story === 'string') return noRow(story);
    const { lines } = story;
    if (lines.length === 0) return noRow('no_transcript');
    const scenario = record.reset?.scenario ?? record.started?.scenario ?? null;
    const head = {
      type: 'session',
      harness: record.started?.environment.name ?? 'interject',
      id: record.id,
      ...(scenario === null ? {} : { name: scenario }),
    };
    const more = lines.map((line) => ({ type: 'message', message: messageOf(line, record) }));
    return oneRow(head, episodeFacts(record, story), more);
  },
};

function messageOf(line: Line, record: EpisodeRecord): Record<string, unknown> {
  const { role, content, calls, reasoning, answers, of: turn } = line;
  const at = line.kind === 'reply' ? timeOf(line, record) : null;
  return {
    role,
    content,
    ...(reasoning === null ? {} : { reasoningContent: reasoning }),
    ...(calls.length === 0
      ? {}
      : { toolCalls: calls.map(({ id, name, raw }) => ({ id, function: { name, arguments: raw } })) }),
    ...(role === 'tool' && answers !== null ? { toolCallId: answers } : {}),
    ...(at === null ? {} : { timestamp: at }),
    ...(turn?.model ? { model: turn.model } : {}),
  };
}

/** A file that told no times has the time of its import on every event: that is no time of a message. */
const timeOf = ({ of: turn }: Line, { imported }: EpisodeRecord): number | null =>
  turn === null || imported?.not_recorded.includes('times') === true ? null : turn.at;
