// What is said of a question that an address leads to and that does not wait on the desk. Pure.
import type { Consultation } from '../../../shared/episode/record.ts';

/** `found`: the question as its episode has it; null where there is none. */
export function notWaitingText(found: Pick<Consultation, 'decision'> | null): {
  title: string;
  text: string;
} {
  if (found === null)
    return {
      title: 'No such question',
      text: 'No question with this address waits on this desk.',
    };
  switch (found.decision?.type) {
    case 'approved':
      return { title: 'Already answered', text: 'The agent of this question has its answer.' };
    case 'declined':
      return { title: 'Already declined', text: 'The agent of this question was told that no advice comes.' };
    case undefined:
      return {
        title: 'Not listed yet',
        text: 'This question waits behind those that are listed, oldest first.',
      };
    default:
      return {
        title: 'No longer waiting',
        text: 'This question was closed without an answer: its deadline passed, or its episode ended.',
      };
  }
}
