// Owns: telling a list of messages as an episode: prompts, turns, calls, and the results that answer them.
import { chatMessages, usageOf, writtenTime, type ChatMessage } from './chatMessage.ts';
import type { Telling } from './telling.ts';
import { createTimes } from './times.ts';
import { NO_RESULT, type Result } from './told.ts';

/** What is known of a tool message beside its text. */
export type Known = Partial<Omit<Result, 'read'>>;
/** What is known of a turn beside its message. */
export type KnownTurn = {
  at?: number | null;
  latencyMs?: number | null;
  stopReason?: string | null;
  model?: string | null;
  usage?: { input_tokens: number | null; output_tokens: number | null } | null;
};

type Options = {
  pointer: string;
  model?: string | null;
  resultOf?: (message: ChatMessage, index: number) => Known;
  turnOf?: (message: ChatMessage) => KnownTurn;
};

export type Heard = { task: string | null; usesTags: boolean; hasCalls: boolean; model: string | null };

/** Tells the messages in their order; says what the first person asked for, and how calls were written. */
export function tellMessages(
  telling: Telling,
  raws: readonly unknown[],
  { pointer, model = null, resultOf = () => ({}), turnOf = () => ({}) }: Options,
): Heard {
  const heard: Heard = { task: null, usesTags: false, hasCalls: false, model };
  let results = 0;
  const times = createTimes(telling.notes);
  const messages = raws.flatMap((raw, place) => {
    const here = `${pointer}/${String(place)}`;
    times.read(writtenTime(raw), here);
    return chatMessages(raw, here, telling.notes).map((message) => ({ message, raw, pointer: here }));
  });
  for (const { message, raw, pointer: here } of inCallOrder(messages, telling)) {
    if (message.role === 'assistant') {
      heard.model ??= message.model;
      heard.usesTags ||= message.isTagged;
      heard.hasCalls ||= message.calls.length > 0;
      const known = turnOf(message);
      telling.turn({
        content: message.content,
        reasoning: message.reasoning,
        calls: message.calls,
        pointer: here,
        stopReason: null,
        latencyMs: null,
        usage: usageOf(raw),
        ...known,
        model: known.model ?? message.model ?? model,
        at: message.at ?? known.at ?? null,
      });
    } else if (message.role === 'tool' || answersTag(telling, message, heard)) {
      tellResult(telling, message, resultOf(message, results));
      results += 1;
    } else {
      if (message.role === 'user') heard.task ??= message.content;
      telling.message(message.role, message.content, message.at);
    }
  }
  return heard;
}

type Heeded = { message: ChatMessage; raw: unknown; pointer: string };

/** Results of one reply's calls in the order of the calls: harnesses that run them at once record them as they come. */
function inCallOrder(all: readonly Heeded[], { notes }: Telling): Heeded[] {
  const ordered: Heeded[] = [];
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
    const place = ({ message }: Heeded): number => {
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
const answersTag = (telling: Telling, message: ChatMessage, heard: Heard): boolean =>
  message.role === 'user' && heard.usesTags && telling.waiting().length > 0;

function tellResult(telling: Telling, message: ChatMessage, known: Known): void {
  const waiting = telling.waiting();
  const id = message.toolCallId !== null && waiting.includes(message.toolCallId) ? message.toolCallId : null;
  const isOther = message.toolCallId !== null && id === null && waiting.some((one) => one !== '');
  if (waiting.length === 0 || isOther) {
    telling.stray(message.content, message.name, message.at);
    return;
  }
  telling.result(id, {
    ...NO_RESULT,
    text:
      message.error === null ? message.content : message.error === message.content ? null : message.content,
    error: message.error,
    ...known,
    at: message.at ?? known.at ?? null,
    read: { text: message.content, name: message.name, role: message.role === 'user' ? 'user' : 'tool' },
  });
}
