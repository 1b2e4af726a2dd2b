// Notes of the pass-through on each tapped episode: replies to be placed at its turns, the conversation so far.
import type { Json } from '../../../shared/events/lifecycle.ts';
import { Completion, createCollector } from '../../llm/completion.ts';
import type { Job } from '../../log/largeThread.ts';
import type { LlmReply } from '../../llm/port.ts';
import type { EventLog } from '../../log/eventLog.ts';
import { type SaidReply, writeConversation, writeReplies } from './writeTranscript.ts';
export type AgentNotes = {
  /** A request of an episode was answered. `answer` is the body as it came. */
  heard(
    episode: string,
    asked: { messages: readonly Record<string, unknown>[]; tools?: unknown },
    answer: string,
    isStream: boolean,
  ): Promise<void>;
  close(): void;
};

type Notes = {
  said: SaidReply[];
  messages: readonly Record<string, unknown>[];
  tools: unknown;
  isDue: boolean;
};

export function createAgentNotes({
  log,
  report,
}: {
  log: EventLog;
  report: (thrown: unknown) => void;
}): AgentNotes {
  const episodes = new Map<string, Notes>();
  /** An event is never appended while another one is being told. */
  const later = (run: () => void | Promise<void>): void => {
    // Keeping notes never breaks a foreign run.
    setImmediate(() => void Promise.resolve().then(run).catch(report));
  };
  const place = (episode: string, notes: Notes): void => {
    if (notes.isDue) return;
    notes.isDue = true;
    later(() => {
      notes.isDue = false;
      return writeReplies(log, episode, notes.said, 'proxy').then(() => undefined);
    });
  };
  const unlisten = log.subscribe(({ stream, event }) => {
    const notes = episodes.get(stream);
    if (notes === undefined) return;
    if (event.kind === 'move.proposed') place(stream, notes);
    if (event.kind !== 'episode.ended') return;
    episodes.delete(stream);
    later(() => conclude(log, stream, notes));
  });
  return {
    heard: async (episode, asked, answer, isStream) => {
      const said = await log.runLarge(READ_REPLY, { answer, isStream });
      if (said === null) return;
      const cover = log.cover(episode);
      await cover.ahead([asked, said]);
      const { messages, tools } = cover.cover(asked);
      const reply = cover.cover(said);
      const isNew = !episodes.has(episode);
      const notes = episodes.get(episode) ?? { said: [], messages: [], tools: null, isDue: false };
      notes.said.push({ index: notes.said.length, turn: null, reply });
      notes.messages = [...messages, assistantMessage(reply)];
      notes.tools = tools ?? null;
      const { ended } = log.record(episode);
      if (ended !== null) return later(() => conclude(log, episode, notes));
      if (isNew) episodes.set(episode, notes);
      place(episode, notes);
    },
    close: () => {
      unlisten();
      episodes.clear();
    },
  };
}

/** The last request held all that was said before it. */
async function conclude(log: EventLog, episode: string, { said, messages, tools }: Notes): Promise<void> {
  await writeReplies(log, episode, said, 'proxy');
  await writeConversation(log, episode, { messages, tools, by: 'proxy' });
}

const assistantMessage = ({ content, toolCalls }: LlmReply): Record<string, Json> => ({
  role: 'assistant',
  content,
  ...(toolCalls.length === 0
    ? {}
    : {
        tool_calls: toolCalls.map(({ id, name, arguments: args }) => ({
          id,
          type: 'function',
          function: { name, arguments: args },
        })),
      }),
});

/** The reply in a body, or null where there is none: an error inside, a stream that broke off, nothing said. */
export const READ_REPLY: Job<{ answer: string; isStream: boolean }, LlmReply | null> = {
  name: 'read reply',
  run: ({ answer, isStream }) => {
    const collector = createCollector({
      provider: 'openai',
      baseUrl: null,
      apiKey: null,
      model: '',
      apiVersion: null,
    });
    try {
      for (const value of isStream
        ? answer
            .split(/\r?\n/)
            .flatMap((line) => (line.startsWith('data:') ? [line.slice(5).trim()] : []))
            .filter((data) => data !== '' && data !== '[DONE]')
        : [answer])
        collector.add(Completion.parse(JSON.parse(value)));
      return collector.reply();
    } catch {
      return null;
    }
  },
};
