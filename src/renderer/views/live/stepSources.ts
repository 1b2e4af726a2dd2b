// Which texts of a step's events can be taken out one by one. Pure.
import { isBlobRef, textLength, type Text } from '../../../shared/events/text.ts';
import { ERASED_TEXT_MIN } from '../../../shared/contract/library.ts';
import { parseTextAddress } from '../../state/putAway.ts';
import type { Recorded } from '../../../shared/events/vocabulary.ts';

export type StepSource = { key: string; label: string; text: Text };

const SOURCE_LABELS: Readonly<Record<string, string>> = {
  task: 'Task',
  question: 'Question',
  reasoning: 'Reasoning',
  content: 'What was written',
  text: 'Text',
  error: 'Error',
  final_answer: 'Final answer',
  message: 'Message',
  reason: 'Reason',
};

const isTombstone = (text: Text): boolean => typeof text === 'string' && text.startsWith('[erased sha256:');

/** Each text once, in the order it came; what is too short to be told apart, or gone already, is left out. */
export function stepSources(events: readonly Recorded[]): StepSource[] {
  const seen = new Set<string>();
  return events.flatMap(({ n, event }) =>
    Object.entries(SOURCE_LABELS).flatMap(([name, label]): StepSource[] => {
      const text: unknown = name in event ? event[name as keyof typeof event] : null;
      if (typeof text !== 'string' && !isBlobRef(text)) return [];
      const key = typeof text === 'string' ? text : (parseTextAddress(text.$blob)?.digest ?? text.$blob);
      if (textLength(text) < ERASED_TEXT_MIN || isTombstone(text) || seen.has(key)) return [];
      seen.add(key);
      return [{ key: `${String(n)} ${name}`, label, text }];
    }),
  );
}
