// How parts of text become one message with segments, and the one place where a text is cut.
import { RESPONSE_PREFIX, type MessageOrigin, type Segment } from '../../shared/events/turns.ts';
import type { MoveReading } from './readMove.ts';

/** A message ready to be added. `body` is its main text as the agent reads it, without prefix and nudges. */
export type Delivery = {
  role: 'system' | 'user' | 'tool';
  content: string;
  origin: MessageOrigin;
  segments: Segment[];
  /** Length of the content had nothing been cut, in UTF-16 units. */
  full_length: number;
  toolCallId: string | null;
  name: string | null;
  body: { text: string; full_length: number; deliveredLength: number };
};

/** The reading that is being answered. */
export type AnsweredCall = Pick<MoveReading, 'nativeCallId' | 'calledName' | 'ignoredCalls'>;
export type TextPart = { type: Segment['type']; text: string };

/** The first characters of a text, never half a surrogate pair. */
function head(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

type Deliver = (
  to: AnsweredCall | null,
  origin: MessageOrigin,
  main: TextPart,
  extras: readonly TextPart[],
) => Delivery;

/** Puts a main text and what comes after it into one message; only the main text may be cut. */
export const createDeliver =
  (limits: { deliveredChars: number; mark: (shown: number, total: number) => string }): Deliver =>
  (to, origin, main, extras) => {
    const shown =
      main.text.length > limits.deliveredChars ? head(main.text, limits.deliveredChars) : main.text;
    const isCut = shown.length < main.text.length;
    const mark = isCut ? `\n${limits.mark(shown.length, main.text.length)}` : '';
    const toolCallId = to?.nativeCallId ?? null;
    const prefix = toolCallId === null && typeof to?.calledName === 'string' ? RESPONSE_PREFIX : '';
    const { content, segments } = join(prefix, [{ type: main.type, text: shown }], mark, extras);
    return {
      role: toolCallId === null ? 'user' : 'tool',
      content,
      origin,
      segments,
      full_length: content.length - mark.length - shown.length + main.text.length,
      toolCallId,
      name: toolCallId === null ? null : (to?.calledName ?? null),
      body: { text: `${shown}${mark}`, full_length: main.text.length, deliveredLength: shown.length },
    };
  };

function join(
  prefix: string,
  main: readonly TextPart[],
  mark: string,
  extras: readonly TextPart[],
): { content: string; segments: Segment[] } {
  const segments: Segment[] = [];
  let content = prefix;
  const add = (type: Segment['type'], text: string): void => {
    if (text !== '') segments.push({ type, start: content.length, end: content.length + text.length });
    content += text;
  };
  for (const { type, text } of main) add(type, text);
  add('notice', mark);
  for (const { type, text } of extras) {
    content += '\n\n';
    add(type, text);
  }
  return { content, segments };
}
