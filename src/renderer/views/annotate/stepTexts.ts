// The texts of one step in which words can be marked, each with the event and the field it lies in. Pure.
import type { Turn } from '../../../shared/episode/record.ts';
import type { RangeField } from '../../../shared/events/annotations.ts';
import type { Text } from '../../../shared/events/text.ts';
import type { Recorded } from '../../../shared/events/vocabulary.ts';

export type StepText = { n: number; field: RangeField; label: string; text: Text };

/** The texts of a turn in the order they came; without a turn, the task and the final answer. */
export function stepTexts(events: readonly Recorded[], turn: Turn | null): StepText[] {
  return events.flatMap(({ n, event }): StepText[] => {
    if (turn === null) {
      if (event.kind === 'environment.reset') return stepText(n, 'task', 'Task', event.task);
      return event.kind === 'episode.ended'
        ? stepText(n, 'final_answer', 'Final answer', event.final_answer)
        : [];
    }
    switch (event.kind) {
      case 'turn.generated':
      case 'turn.transcribed':
        if (event.turn !== turn.turn) return [];
        return [
          ...stepText(n, 'reasoning', 'Reasoning', event.reasoning),
          ...stepText(n, 'content', 'What the agent wrote', event.content),
        ];
      case 'consultation.asked':
        return event.turn === turn.turn
          ? stepText(n, 'question', 'Question to the expert', event.question)
          : [];
      case 'call.returned':
        if (event.call !== turn.callId) return [];
        return [...stepText(n, 'error', 'Error', event.error), ...stepText(n, 'text', 'Result', event.text)];
      default:
        return [];
    }
  });
}

const stepText = (n: number, field: RangeField, label: string, text: Text | null): StepText[] =>
  text === null || text === '' ? [] : [{ n, field, label, text }];

type Piece = { text: string; start: number; marks: string[] };

/** A text cut where marks begin and end, each piece with the names of the marks over it. */
export function markedPieces(
  text: string,
  marks: readonly { start: number; end: number; name: string }[],
): Piece[] {
  const cuts = new Set([0, text.length]);
  for (const { start, end } of marks) {
    cuts.add(Math.min(start, text.length));
    cuts.add(Math.min(end, text.length));
  }
  const at = [...cuts].toSorted((a, b) => a - b);
  return at.slice(0, -1).map((start, index) => {
    const end = at[index + 1] ?? text.length;
    const over = marks.filter((mark) => mark.start <= start && mark.end >= end);
    return { text: text.slice(start, end), start, marks: over.map(({ name }) => name) };
  });
}
