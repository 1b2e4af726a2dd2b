// An episode as a Hugging Face session trace: a header line, then a line per message, in a file of its own because
// readers take one file for one session. Source: the Hub's page on the format of session traces.
import type { EpisodeRecord } from '../../../../shared/episode/record.ts';
import { taskRef } from '../../../../shared/episode/taskRef.ts';
import { episodeFacts, noRow, singleRow } from '../episodeFacts.ts';
import type { Format } from '../format.ts';
import type { TranscriptLine } from '../transcriptLine.ts';
import { recordedConversation } from '../wordless.ts';

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
  rows: (input, rules) => {
    const { record } = input;
    const transcript = recordedConversation(input, rules);
    if (typeof transcript === 'string') return noRow(transcript);
    const { lines } = transcript;
    if (lines.length === 0) return noRow('no_transcript');
    const { scenario } = taskRef(record);
    const head = {
      type: 'session',
      harness: record.started?.environment.name ?? 'interject',
      id: record.id,
      ...(scenario === null ? {} : { name: scenario }),
    };
    const more = lines.map((line) => ({ type: 'message', message: sessionMessage(line, record) }));
    return singleRow(head, episodeFacts(record, transcript), more);
  },
};

function sessionMessage(line: TranscriptLine, record: EpisodeRecord): Record<string, unknown> {
  const { role, content, calls, reasoning, answers, of: turn } = line;
  if (line.isReplyUnknown) return { role: 'system', content };
  const at = line.kind === 'reply' ? lineTime(line, record) : null;
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
const lineTime = ({ of: turn }: TranscriptLine, { imported }: EpisodeRecord): number | null =>
  turn === null || imported?.not_recorded.includes('times') === true ? null : turn.at;
