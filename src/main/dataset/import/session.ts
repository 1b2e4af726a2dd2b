// Owns: reading Hugging Face session traces: a line that begins a session, then a line for each message.
import { tellMessages } from './conversation.ts';
import { createNotes } from './notes.ts';
import { blankEpisode, DONE, type Input, type ReadEpisode, type Reader } from './read.ts';
import { recordsOf } from './records.ts';
import { createTelling } from './telling.ts';
import { own, textOf } from './values.ts';

const NOT_RECORDED = ['the environment', 'tool schemas', 'rewards', 'errors of calls'];

type Session = { head: unknown; messages: unknown[]; pointer: string };

/** One episode a session. */
export const readSessions: Reader = async function* (input) {
  let session: Session | null = null;
  let index = 0;
  for await (const { value, pointer } of recordsOf(input)) {
    const type = own(value, 'type');
    if (type === 'session') {
      if (session !== null) {
        if (!input.isKnown(index)) yield episodeOf(input, session, index);
        index += 1;
      }
      session = { head: value, messages: [], pointer: pointer.trim() };
    } else if (type === 'message') {
      session ??= { head: null, messages: [], pointer: pointer.trim() };
      session.messages.push(own(value, 'message'));
    } else {
      input.notes.skip('unknown_line', 'a line that is neither a session nor a message', pointer.trim());
    }
  }
  if (session !== null && !input.isKnown(index)) yield episodeOf(input, session, index);
};

function episodeOf(input: Input, { head, messages, pointer }: Session, index: number): ReadEpisode {
  const notes = createNotes(input.notes);
  const telling = createTelling(notes);
  const heard = tellMessages(telling, messages, {
    pointer: `${pointer} +`,
  });
  const answer = telling.finish();
  const name = textOf(own(head, 'name'));
  const id = textOf(own(head, 'id'));
  return {
    ...blankEpisode(index, notes),
    environment: textOf(own(head, 'harness')),
    task: heard.task,
    model: heard.model,
    protocol: heard.usesTags ? 'xml' : heard.hasCalls ? 'native' : null,
    startedAt: telling.entries.find(({ at }) => at !== null)?.at ?? null,
    body: telling.entries,
    end: { ...DONE, finalAnswer: answer },
    notRecorded: NOT_RECORDED,
    extra: { ...(id === null ? {} : { session: id }), ...(name === null ? {} : { name }) },
  };
}
