// The kinds that say what became of the world's state, and of tries that did not count.
import { z } from 'zod';
import { Privilege } from './actor.ts';
import { JsonObject } from './turns.ts';
import { defineKind, NOTED, STEP } from './kind.ts';
import { verdictUnless } from './outcome.ts';

export const StateCell = z.union([z.string(), z.number(), z.null()]);

/** Rows of one table that differ between two states. All are counted, the first ones listed. */
export const TableChange = z.strictObject({
  table: z.string(),
  added: z.number().int(),
  removed: z.number().int(),
  changed: z.number().int(),
  rows: z.array(
    z.strictObject({
      change: z.enum(['added', 'removed', 'changed']),
      before: z.record(z.string(), StateCell).nullable(),
      after: z.record(z.string(), StateCell).nullable(),
    }),
  ),
});
export type TableChange = z.infer<typeof TableChange>;

/** A call that gave something else when it was made again. */
export const Drift = z.strictObject({
  turn: z.number().int(),
  tool_name: z.string(),
  logged: z.string(),
  again: z.string(),
});
export type Drift = z.infer<typeof Drift>;

export const worldEvents = [
  /** What one call changed in the world's database, where it can be read. */
  defineKind('state.compared', {
    call: z.string(),
    changes: z.array(TableChange),
    /** Never stored: set on its way to a screen, where the changes are shown on demand. */
    is_covered: z.boolean().optional(),
  })({ ...STEP, words: ['changes'], reveals: ({ changes }) => (changes.length > 0 ? ['hidden_state'] : []) }),
  /** A try on a throw-away session; nothing of it reached the episode's own. */
  defineKind('preview.ran', {
    preview: z.string(),
    call: z.string().nullable(),
    calls: z.array(z.strictObject({ tool_name: z.string(), arguments: JsonObject })),
    replayed: z.number().int(),
    drift: z.array(Drift),
    /** The verifier's opinion, where the person asked for it; they have seen the verdict then. */
    verdict: z.string().nullable(),
    privilege: Privilege,
    /** What each call gave, as it was shown: the beginning of it where it is long. */
    results: z.array(z.strictObject({ is_error: z.boolean(), text: z.string().nullable() })),
    /** The seat that it was shown to without asking: no act of a person. Absent where a person asked for it. */
    shown_to: z.string().optional(),
  })({
    ...NOTED,
    words: ['calls', 'drift', 'verdict', 'results'],
    reveals: ({ verdict }) => verdictUnless(verdict),
    outcome: { verdict: null },
  }),
  /** The first turns of this episode were another's: their calls were made again, their messages copied. */
  defineKind('episode.forked', {
    from: z.string(),
    from_turn: z.number().int(),
    /** `fork` is a branch someone chose, `resume` goes on with an episode that broke off. */
    why: z.enum(['fork', 'resume']),
    replayed: z.number().int(),
    drift: z.array(Drift),
    /** What a person had set there and holds here too; absent from forks of before this was carried over. */
    carried: z.strictObject({ rules: z.number().int(), breakpoints: z.number().int() }).optional(),
  })({ ...NOTED, words: ['drift'], isProjected: true }),
] as const;
