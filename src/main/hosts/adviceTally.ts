// How many questions of a run got no advice, and why, told once at its end.
import { countText } from '../../shared/countText.ts';
import type { Consultation, EpisodeRecord } from '../../shared/episode/record.ts';
import type { CommandOutput } from './output.ts';

export type AdviceTally = {
  /** Keeps counts alone: a run may have ten thousand episodes. */
  add(record: EpisodeRecord): void;
  /** Nothing where every question got advice. */
  tell(output: CommandOutput): void;
};

export function createAdviceTally(): AdviceTally {
  const causes = new Map<string, number>();
  let asked = 0;
  return {
    add: ({ consultations }) => {
      for (const one of consultations) {
        if (one.trigger === 'brief') continue;
        asked += 1;
        const cause = causeOfNone(one);
        if (cause !== null) causes.set(cause, (causes.get(cause) ?? 0) + 1);
      }
    },
    tell: (output) => {
      if (causes.size === 0) return;
      const none = [...causes.values()].reduce((sum, count) => sum + count, 0);
      output.say(`${String(none)} of ${countText(asked, 'question')} got no advice:`);
      for (const [cause, count] of causes) output.say(`  ${String(count)}: ${cause}`);
    },
  };
}

/** Why the agent got no advice; null where it got some, or a person declined to give any. */
function causeOfNone({ delivered, draftFailure, routed }: Consultation): string | null {
  if (delivered !== null && delivered.as !== 'nobody' && delivered.as !== 'timed_out') return null;
  if (draftFailure !== null) return `${routed?.drafter ?? 'the expert'} failed: ${draftFailure.message}`;
  if (delivered === null) return 'the episode ended first';
  return delivered.as === 'timed_out' ? 'nobody answered in time' : 'nobody was there to answer';
}
