// Owns: turning the record's messages into what a chat model is sent.
import type { Message } from '../../shared/episode/record.ts';
import type { Text } from '../../shared/events/text.ts';
import { Failure } from '../../shared/failure.ts';
import type { ChatMessage } from '../llm/port.ts';

/** `whole` reads a text stored beside the log. */
export function toChat(_messages: readonly Message[], _whole: (text: Text) => string): ChatMessage[] {
  throw new Failure('internal', 'unfinished');
}
