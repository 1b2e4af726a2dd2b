// What happens to a question with time: how much is left, and what is done at zero, in words.
import type { Fallback } from '../../../shared/events/lifecycle.ts';
import { formatDuration } from '../../ui/time.ts';

type Deadline = {
  /** From 1 when asked down to 0; null without a deadline. */
  left: number | null;
  isUrgent: boolean;
  words: string;
};

const URGENT_MS = 30_000;

export function deadlineOf(
  item: { asked_at: number; deadline_at: number | null; fallback: Fallback },
  hasDraft: boolean,
  now: number,
): Deadline {
  const { asked_at: askedAt, deadline_at, fallback } = item;
  if (deadline_at === null)
    return { left: null, isUrgent: false, words: 'No deadline. The agent waits until someone answers.' };
  const leftMs = Math.max(0, deadline_at - now);
  const left = deadline_at === askedAt ? 0 : Math.min(1, leftMs / (deadline_at - askedAt));
  const then = consequence(fallback, hasDraft);
  if (leftMs === 0) {
    const words =
      fallback === 'wait' ? 'The deadline has passed; the agent still waits.' : 'The deadline has passed.';
    return { left, isUrgent: true, words };
  }
  const isUrgent = fallback !== 'wait' && leftMs <= URGENT_MS;
  return { left, isUrgent, words: `In ${formatDuration(leftMs)} ${then}.` };
}

function consequence(fallback: Fallback, hasDraft: boolean): string {
  if (fallback === 'wait') return 'the deadline passes and the agent keeps waiting';
  if (fallback === 'proceed') return 'the agent continues without advice';
  return hasDraft
    ? 'the draft is sent unchanged'
    : 'the draft is sent or, if there is none, the agent continues without advice';
}
