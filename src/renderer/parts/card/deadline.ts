// The deadline of a question or a held call in words: how much is left, and what is done at zero.
import type { DeskItem, HoldItem } from '../../../shared/episode/rowShapes.ts';
import { hasDraft } from '../../../shared/conditions.ts';
import type { Fallback } from '../../../shared/events/lifecycle.ts';
import { DAY_MS, HOUR_MS, lengthText } from '../../../shared/lengthOfTime.ts';
import { formatDuration } from '../../ui/time.ts';

export type Deadline = {
  /** From 1 at the beginning down to 0; null without a deadline. */
  left: number | null;
  isUrgent: boolean;
  /** At zero the call is executed although nobody approved it. */
  isExecuting?: boolean;
  text: string;
};

/** State of the draft: there, being written, or none to come. */
export type DraftState = 'there' | 'coming' | 'none';

export const draftStateOf = ({
  draft,
  draft_failure: failure,
  condition,
}: Pick<DeskItem, 'draft' | 'draft_failure' | 'condition'>): DraftState =>
  draft !== null ? 'there' : failure === null && hasDraft(condition) ? 'coming' : 'none';

const URGENT_MS = 30_000;

/** Of an episode that stopped when Interject ended: no time runs, and nobody reads an answer before it goes on. */
const STOPPED = { left: null, isUrgent: false } as const;

export function deadlineOf(
  item: Pick<DeskItem, 'asked_at' | 'deadline_at' | 'fallback' | 'is_stopped'>,
  draft: DraftState,
  now: number,
): Deadline {
  const { asked_at: askedAt, deadline_at, fallback } = item;
  if (item.is_stopped === true)
    return { ...STOPPED, text: 'This episode is stopped. Your answer is kept for when it goes on.' };
  if (deadline_at === null)
    return { left: null, isUrgent: false, text: 'No deadline. The agent waits until someone answers.' };
  const deadline = until(deadline_at, askedAt, now, consequence(fallback, draft));
  if (fallback !== 'wait') return deadline;
  return deadline_at > now
    ? { ...deadline, isUrgent: false }
    : { ...deadline, text: 'The deadline has passed; the agent still waits.' };
}

function consequence(fallback: Fallback, draft: DraftState): string {
  if (fallback === 'wait') return 'the deadline passes and the agent keeps waiting';
  if (fallback === 'proceed' || draft === 'none') return 'the agent continues without advice';
  return draft === 'there'
    ? 'the draft is sent unchanged'
    : 'the draft is sent or, if none is there yet, the agent continues without advice';
}

export function heldDeadline(
  item: Pick<HoldItem, 'since' | 'deadline_at' | 'fallback' | 'is_stopped'>,
  now: number,
): Deadline {
  const { since, deadline_at, fallback } = item;
  if (item.is_stopped === true)
    return { ...STOPPED, text: 'This episode is stopped. Your decision is kept for when it goes on.' };
  if (deadline_at === null || fallback === null || fallback === 'wait')
    return { left: null, isUrgent: false, text: 'No deadline. The agent waits until someone decides.' };
  const isExecuting = fallback === 'approve';
  const then = isExecuting
    ? 'the call is EXECUTED unless somebody decides'
    : 'the call is not executed, and the agent reads that nobody approved it in time';
  return { ...until(deadline_at, since, now, then), isExecuting };
}

function until(deadline_at: number, since: number, now: number, then: string): Deadline {
  const leftMs = Math.max(0, deadline_at - now);
  return {
    left: deadline_at <= since ? 0 : Math.min(1, leftMs / (deadline_at - since)),
    isUrgent: leftMs <= URGENT_MS,
    text:
      leftMs === 0
        ? 'The deadline has passed.'
        : `In ${leftMs < DAY_MS ? formatDuration(leftMs) : lengthText(leftMs - (leftMs % HOUR_MS))} ${then}.`,
  };
}
