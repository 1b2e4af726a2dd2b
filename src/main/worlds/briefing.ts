// A pack's briefing on a task, in the words the advisor and the rehearsal agent read.
import type { Briefing } from '../../shared/pack.ts';
import type { PackTask } from './packFiles.ts';

/** The criteria, the reference plan, and the plan a rule proposes: the same, except on ambiguous tasks. */
export const briefingOf = ({
  criteria,
  changes,
  answer,
  reference,
  draft,
  rehearsal,
}: PackTask): Briefing => ({
  criteria,
  reference,
  draft: draft?.calls ?? reference,
  draft_note: draft?.note ?? null,
  verifier: JSON.stringify([
    changes.map((change) => (change.change === 'updated' ? [change.row, change.to] : change.row)),
    answer?.says ?? [],
  ]),
  rehearsal,
});
