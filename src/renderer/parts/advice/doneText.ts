// What an act on a question reads like once it is done.
import type { Done } from './useAdvice.ts';

const DONE_LABELS: Readonly<Record<Done['type'], string>> = {
  accept: 'Draft accepted and sent',
  edit: 'Edited draft sent',
  send: 'Advice sent',
  decline: 'Declined; the agent reads your reason',
};

/** `Advice sent, to 6 of 8: 1 was already answered`. */
export function doneText({ type, also }: Done): string {
  const others = (also?.answered ?? 0) + (also?.failed.length ?? 0);
  if (also === undefined || others === 0) return DONE_LABELS[type];
  return `${DONE_LABELS[type]}, to ${String(also.answered + 1)} of ${String(others + 1)}`;
}

/** Why some did not get it; null when all did. */
export function missedText({ also }: Done): string | null {
  if (also === undefined || also.failed.length === 0) return null;
  const reasons = [...new Set(also.failed.map(({ message }) => message))];
  return `${String(also.failed.length)} did not get it: ${reasons.join('; ')}.`;
}
