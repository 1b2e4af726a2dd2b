// A breakpoint and an approval rule in words.
import type { ApprovalRule, Breakpoint } from '../../../shared/events/stepIns.ts';

/** `before a call of find_* with "id":2`. */
export function breakpointText(at: Breakpoint): string {
  switch (at.on) {
    case 'tool':
      return `before a call of ${at.glob}${withArgument(at.argument)}`;
    case 'error':
      return 'after a call that failed';
    case 'repeated_call':
      return 'before a repeated call';
    case 'consultation':
      return 'when the agent has asked an expert';
    case 'final':
      return 'at the final answer';
    case 'tokens':
      return `above ${String(at.above)} tokens`;
  }
}

/** `find_*: goes through`. */
export function ruleSentence({ glob, argument, does, count }: ApprovalRule): string {
  const then = {
    auto: 'goes through',
    ask: 'waits for a person',
    first: `the first ${String(count ?? 1)} wait for a person, later ones go through`,
    escalate: `goes through until ${String(count ?? 1)} failed or were edited, later ones wait for a person`,
  }[does];
  return `${glob}${withArgument(argument)}: ${then}`;
}

const withArgument = (argument: string | null): string =>
  argument === null || argument === '' ? '' : ` with ${argument}`;
