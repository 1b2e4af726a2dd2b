// The kinds that say what people made of episodes that lie in the library: tags, and calls that were made again; and
// what was exported, and which splits hold. They stand in streams of their own (`tags/<episode>`, `again/<episode>`,
// `exports`, `splits`): an episode's events never change.
import { z } from 'zod';
import { FailureShape } from '../failure.ts';
import { ListedTask } from '../split.ts';
import { EnvironmentSpec } from './lifecycle.ts';
import { JsonObject } from './turns.ts';
import { defineKind, NOTED, searched } from './kind.ts';

/** A short word of the person's own. */
export const Tag = z
  .string()
  .trim()
  .min(1)
  .max(60)
  .regex(/^[^,\n]+$/, 'a tag holds no comma and no line break');

/** One logged call that was made again. Of those that gave the same nothing more is kept. */
export const AgainStep = z.strictObject({
  turn: z.number().int(),
  tool_name: z.string(),
  is_same: z.boolean(),
  /** What came back this time, where it differs; how long it was, where it is cut. */
  again: z.string().nullable(),
  again_length: z.number().int(),
});
export type AgainStep = z.infer<typeof AgainStep>;

export const libraryEvents = [
  defineKind('tags.changed', {
    episode: z.string(),
    added: z.array(Tag),
    removed: z.array(Tag),
  })({ ...NOTED, search: ({ added }) => searched('note', added), isProjected: true }),
  /** The calls of an episode were made again in a fresh session, and what came back was compared. */
  defineKind('episode.repeated', {
    episode: z.string(),
    repeat: z.string(),
    environment: EnvironmentSpec,
    outcome: z.enum(['finished', 'stopped', 'failed']),
    failure: FailureShape.nullable(),
    /** Calls that were to be made; `steps` holds those that were. */
    calls: z.number().int(),
    steps: z.array(AgainStep),
    /** Names of the rules that said what may differ. */
    rules: z.array(z.string()),
  })(NOTED),
  /** A data set was written. */
  defineKind('export.written', {
    format: z.string(),
    folder: z.string(),
    rows: z.number().int().nonnegative(),
    /** First and last seq of what was taken; null where nothing was. */
    log_from: z.number().int().nullable(),
    log_to: z.number().int().nullable(),
    /** As they were asked for; read with the schema of the day. */
    rules: JsonObject,
  })(NOTED),
  /** A split holds from here on, its `val` tasks held out of everything that trains; null: no longer. */
  defineKind('split.changed', {
    name: z.string(),
    pinned: z
      .strictObject({ meta: JsonObject, train: z.array(ListedTask), val: z.array(ListedTask) })
      .nullable(),
  })(NOTED),
] as const;
