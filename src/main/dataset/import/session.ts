// Reads Hugging Face session traces: a header line, then a line for each message.
import { ERRORS_OF_CALLS } from '../../../shared/episode/phase.ts';
import { metadataOf, keySet, recordFrom, ownValue, textFrom } from './values.ts';
import { addConversation } from './conversation.ts';
import { createNotes } from './importNotes.ts';
import {
  blankEpisode,
  EPISODE_DONE,
  type ImportInput,
  type ImportedEpisode,
  type FormatReader,
} from './formatReader.ts';
import { fileRecords } from './documents.ts';
import { createEpisodeBuilder } from './episodeBuilder.ts';

const SESSION_KEYS = keySet('type id harness');
const SESSION_NOT_RECORDED = ['the environment', 'tool schemas', 'rewards', ERRORS_OF_CALLS];

type SessionLines = { head: unknown; lines: unknown[]; pointer: string };

/** One episode a session. */
export const readSessions: FormatReader = async function* (input) {
  let session: SessionLines | null = null;
  let index = 0;
  for await (const { value, pointer } of fileRecords(input)) {
    const type = ownValue(value, 'type');
    if (type === 'session') {
      if (session !== null) {
        if (!input.isKnown(index)) yield sessionEpisode(input, session, index);
        index += 1;
      }
      session = { head: value, lines: [], pointer: pointer.trim() };
    } else if (type === 'message') {
      session ??= { head: null, lines: [], pointer: pointer.trim() };
      session.lines.push(value);
    } else {
      input.notes.skip('unknown_line', 'a line that is neither a session nor a message', pointer.trim());
    }
  }
  if (session !== null && !input.isKnown(index)) yield sessionEpisode(input, session, index);
};

function sessionEpisode(
  input: ImportInput,
  { head, lines, pointer }: SessionLines,
  index: number,
): ImportedEpisode {
  const notes = createNotes(input.notes);
  const builder = createEpisodeBuilder(notes);
  const heard = addConversation(
    builder,
    lines.map((line) => ownValue(line, 'message')),
    {
      pointer: `${pointer} +`,
    },
  );
  const answer = builder.finish();
  const id = textFrom(ownValue(head, 'id'));
  return {
    ...blankEpisode(index, notes),
    environment: textFrom(ownValue(head, 'harness')),
    task: heard.task,
    model: heard.model,
    protocol: heard.usesTags ? 'xml' : heard.hasCalls ? 'native' : null,
    startedAt: builder.entries.find(({ at }) => at !== null)?.at ?? null,
    body: builder.entries,
    end: { ...EPISODE_DONE, final_answer: answer },
    notRecorded: SESSION_NOT_RECORDED,
    extra: { ...metadataOf(recordFrom(head), SESSION_KEYS, notes), ...(id === null ? {} : { session: id }) },
    sources: [{ value: head }, { value: lines, path: 'lines' }],
  };
}
