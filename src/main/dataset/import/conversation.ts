// Turns a list of messages into an episode: prompts, turns, calls, and the results that answer them.
import { chatMessages, tokenUsage, writtenTime, type ImportedMessage } from './chatMessage.ts';
import type { EpisodeBuilder } from './episodeBuilder.ts';
import { createTimes } from './times.ts';
import { NO_RESULT, type ImportedResult } from './importedFacts.ts';

/** What is known of a tool message beside its text. */
export type KnownCallResult = Partial<Omit<ImportedResult, 'read'>>;
/** What is known of a turn beside its message. */
export type KnownTurn = {
  at?: number | null;
  latency_ms?: number | null;
  stopReason?: string | null;
  model?: string | null;
  usage?: { input_tokens: number | null; output_tokens: number | null } | null;
};

type ConversationOptions = {
  pointer: string;
  model?: string | null;
  resultOf?: (message: ImportedMessage, index: number) => KnownCallResult;
  turnOf?: (message: ImportedMessage) => KnownTurn;
  /** What the model was shown of a result, where that is not the message's own text. */
  shownOf?: (message: ImportedMessage) => string;
};

type HeardMessage = {
  task: string | null;
  usesTags: boolean;
  hasCalls: boolean;
  model: string | null;
};

/** Tells the messages in their order; says what the first person asked for, and how calls were written. */
export function addConversation(
  builder: EpisodeBuilder,
  raws: readonly unknown[],
  {
    pointer,
    model = null,
    resultOf = () => ({}),
    turnOf = () => ({}),
    shownOf = ownText,
  }: ConversationOptions,
): HeardMessage {
  const heard: HeardMessage = { task: null, usesTags: false, hasCalls: false, model };
  let results = 0;
  const times = createTimes(builder.notes);
  const messages = raws.flatMap((raw, place) => {
    const here = `${pointer}/${String(place)}`;
    times.read(writtenTime(raw), here);
    return chatMessages(raw, here, builder.notes).map((message) => ({ message, raw, pointer: here }));
  });
  for (const { message, raw, pointer: here } of inCallOrder(messages, builder)) {
    if (message.role === 'assistant') {
      heard.model ??= message.model;
      heard.usesTags ||= message.isTagged;
      heard.hasCalls ||= message.calls.length > 0;
      const known = turnOf(message);
      builder.turn({
        content: message.content,
        reasoning: message.reasoning,
        calls: message.calls,
        pointer: here,
        stopReason: null,
        latency_ms: null,
        usage: tokenUsage(raw),
        ...known,
        model: known.model ?? message.model ?? model,
        at: message.at ?? known.at ?? null,
      });
    } else if (message.role === 'tool' || answersTag(builder, message, heard)) {
      addToolMessage(builder, message, { ...resultOf(message, results), shown: shownOf(message) });
      results += 1;
    } else {
      if (message.role === 'user') heard.task ??= message.content;
      builder.message(message.role, message.content, message.at);
    }
  }
  return heard;
}

type PendingMessage = { message: ImportedMessage; raw: unknown; pointer: string };

/** Results of one reply's calls in the order of the calls: harnesses that run them at once record them as they come. */
function inCallOrder(all: readonly PendingMessage[], { notes }: EpisodeBuilder): PendingMessage[] {
  const ordered: PendingMessage[] = [];
  for (let at = 0; at < all.length;) {
    const one = all[at];
    if (one === undefined) break;
    ordered.push(one);
    at += 1;
    const ids = one.message.calls.map(({ id }) => id);
    if (ids.length < 2) continue;
    let end = at;
    while (all[end]?.message.role === 'tool') end += 1;
    const results = all.slice(at, end);
    const place = ({ message }: PendingMessage): number => {
      const index = ids.indexOf(message.toolCallId ?? '');
      return index === -1 ? ids.length : index;
    };
    const sorted = results.toSorted((a, b) => place(a) - place(b));
    if (sorted.some((result, index) => result !== results[index]))
      notes.note('order_of_results', 'results came in another order than the calls');
    ordered.push(...sorted);
    at += results.length;
  }
  return ordered;
}

/** Where calls are written into the text, the user's next message is the result. */
const answersTag = (builder: EpisodeBuilder, message: ImportedMessage, heard: HeardMessage): boolean =>
  message.role === 'user' && heard.usesTags && builder.waiting().length > 0;

const ownText = ({ content }: ImportedMessage): string => content;

function addToolMessage(
  builder: EpisodeBuilder,
  message: ImportedMessage,
  { shown, ...known }: KnownCallResult & { shown: string },
): void {
  const waiting = builder.waiting();
  const id = message.toolCallId !== null && waiting.includes(message.toolCallId) ? message.toolCallId : null;
  const isOther = message.toolCallId !== null && id === null && waiting.some((one) => one !== '');
  if (waiting.length === 0 || isOther) {
    builder.stray(shown, message.name, message.at);
    return;
  }
  builder.result(id, {
    ...NO_RESULT,
    text:
      message.error === null ? message.content : message.error === message.content ? null : message.content,
    error: message.error,
    ...known,
    at: message.at ?? known.at ?? null,
    read: { text: shown, name: message.name, role: message.role === 'user' ? 'user' : 'tool' },
  });
}
