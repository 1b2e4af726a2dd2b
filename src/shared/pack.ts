// The briefing that a scenario pack holds on one task beyond its text: for the advisor, and for the rehearsal agent.
import { z } from 'zod';
import { JsonObject } from './events/turns.ts';

const PlannedCall = z.strictObject({
  tool: z.string(),
  args: z.record(z.string(), z.unknown()),
  purpose: z.string().nullable(),
});

/** The script of the rehearsal agent for one task: it tries, it asks, and with followed advice it ends with `final`. */
export const RehearsalScript = z.strictObject({
  attempts: z.array(z.strictObject({ say: z.string(), tool: z.string(), args: JsonObject })),
  ask: z.strictObject({ task: z.string(), context: z.string() }),
  final: z.string(),
});
export type RehearsalScript = z.infer<typeof RehearsalScript>;

/** Knowledge of one task's answer. Whoever reads `criteria` or `reference` is marked with it. */
export const Briefing = z.strictObject({
  criteria: z.string(),
  reference: z.array(PlannedCall),
  /** The plan the rule-based draft proposes; on ambiguous tasks it names the wrong record. */
  draft: z.array(PlannedCall),
  draft_note: z.string().nullable(),
  /** What the verifier compares, as text; absent where it is not known here. */
  verifier: z.string().optional(),
  rehearsal: RehearsalScript,
});
export type Briefing = z.infer<typeof Briefing>;

/**
 * The briefing of a task, or null where none is known. The task's own text decides: an environment elsewhere may use
 * the same names for something else.
 */
export type BriefingOf = (
  scenario: string | null,
  task_idx: number | null,
  task: string | null,
) => Briefing | null;
