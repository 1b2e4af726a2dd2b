// Turning the record's messages into what a chat model is sent. Servers demand more of a history than models write:
// every call answered, arguments that parse, names that fit.
import type { EpisodeRecord, Message, Turn } from '../../shared/episode/record.ts';
import type { Text } from '../../shared/events/text.ts';
import { argumentsAsRead, RESPONSE_PREFIX, taggedCalls, type NativeCall } from '../../shared/events/turns.ts';
import type { ChatMessage, EarlierThought } from '../llm/port.ts';
import { saidIn } from '../llm/thinking.ts';
import { nativeName } from './toolNames.ts';

/**
 * The conversation so far. Calls that got no response are left out, as they were not carried out; neighbouring user
 * messages become one. Reasoning stands beside the replies since somebody last spoke to the model.
 */
export function toChat(
  { messages: all, turns }: Pick<EpisodeRecord, 'messages' | 'turns'>,
  protocol: 'native' | 'xml',
  loadText: (text: Text) => string,
): ChatMessage[] {
  const chat: ChatMessage[] = [];
  const messages = wholeReplies(all);
  const byNumber = new Map(turns.map((turn) => [turn.turn, turn]));
  messages.forEach((message, i) => {
    const content = loadText(message.content);
    switch (message.role) {
      case 'system':
        chat.push({ role: 'system', content });
        return;
      case 'assistant': {
        const written = (text: string): string =>
          protocol === 'xml' ? taggedCalls(text, message.toolCalls) : text;
        const calls = protocol === 'xml' ? [] : answeredCalls(message, messages, i);
        const thought = earlierThought(byNumber.get(message.turn), written(content), loadText);
        addReply(chat, written(saidIn(content)), calls, thought);
        return;
      }
      case 'user':
        addUser(chat, content);
        return;
      case 'tool':
        addResponse(chat, message, content);
    }
  });
  return withLastThoughts(chat);
}

/** The reasoning of a reply as its field held it; null where it had none. */
function earlierThought(
  turn: Turn | undefined,
  content: string,
  loadText: (text: Text) => string,
): EarlierThought | null {
  if (turn?.thought === undefined) return null;
  const { field } = turn.thought;
  const came = field === 'reasoning_details' ? turn.reasoningDetails : turn.reasoning;
  const value = field === 'content' ? content : loadText(came ?? '');
  return value === '' ? null : { ...turn.thought, value, turn: turn.turn };
}

/** Keeps what one model thought since the last user message; the rest is not read again, as chat templates have it. */
function withLastThoughts(chat: ChatMessage[]): ChatMessage[] {
  let from: string | null = null;
  let isOver = false;
  for (const message of chat.toReversed()) {
    if (message.role === 'user') isOver = true;
    if (message.role !== 'assistant' || message.thought === undefined) continue;
    from ??= message.thought.from;
    isOver ||= message.thought.from !== from;
    if (isOver) delete message.thought;
  }
  return chat;
}

/**
 * Replies of several calls as they were written: a further call stands in the reply already, and what came between the
 * results, such as a note, is read after the last of them.
 */
function wholeReplies(messages: readonly Message[]): Message[] {
  if (!messages.some(({ replyOf }) => replyOf !== undefined)) return [...messages];
  const whole: Message[] = [];
  let words: Message[] = [];
  for (const message of messages) {
    if (message.replyOf !== undefined) continue;
    if (message.role === 'user') words.push(message);
    else {
      if (message.role !== 'tool') whole.push(...words.splice(0));
      whole.push(message);
    }
  }
  return [...whole, ...words];
}

function addReply(
  chat: ChatMessage[],
  content: string,
  calls: readonly NativeCall[],
  thought: EarlierThought | null,
): void {
  // A reply without a word is nothing a server accepts; the notice that follows tells the model.
  if (content.trim() === '' && calls.length === 0) return;
  chat.push({ role: 'assistant', content, toolCalls: calls.map(fittingCall), ...(thought && { thought }) });
}

function addUser(chat: ChatMessage[], content: string): void {
  const last = chat.at(-1);
  if (last?.role === 'user')
    chat[chat.length - 1] = { role: 'user', content: `${last.content}\n\n${content}` };
  else chat.push({ role: 'user', content });
}

function addResponse(chat: ChatMessage[], { toolCallId, name }: Message, content: string): void {
  const reply = chat.findLast((message) => message.role === 'assistant');
  const isAnswer = reply?.role === 'assistant' && reply.toolCalls.some((call) => call.id === toolCallId);
  if (toolCallId === null || !isAnswer) addUser(chat, `${RESPONSE_PREFIX}${content}`);
  else chat.push({ role: 'tool', content, toolCallId, name: name === null ? null : nativeName(name) });
}

/** The reply's calls that a response follows before the next reply. */
function answeredCalls(reply: Message, messages: readonly Message[], at: number): NativeCall[] {
  const answered = new Set<string>();
  for (let i = at + 1; i < messages.length && messages[i]?.role !== 'assistant'; i += 1) {
    const id = messages[i]?.role === 'tool' ? messages[i]?.toolCallId : null;
    if (typeof id === 'string') answered.add(id);
  }
  return reply.toolCalls.filter(
    (call, i, calls) => answered.has(call.id) && calls.findIndex((c) => c.id === call.id) === i,
  );
}

const fittingCall = ({ id, name, arguments: raw }: NativeCall): NativeCall => ({
  id,
  name: nativeName(name),
  arguments: argumentsAsRead(raw),
});
