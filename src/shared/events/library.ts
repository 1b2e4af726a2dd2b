// The kinds that say what people made of episodes that lie in the library: tags, what was exported, and which
// splits hold. They stand in streams of their own (`tags/<episode>`, `exports`, `splits`): an episode's events never
// change.
import { z } from 'zod';
import { ListedTask } from '../split.ts';
import { JsonObject } from './turns.ts';
import { defineKind, NOTED, searched } from './kind.ts';

export const Tag = z
  .string()
  .trim()
  .min(1)
  .max(60)
  .regex(/^[^,\n]+$/, 'a tag holds no comma and no line break');

export const libraryEvents = [
  defineKind('tags.changed', {
    episode: z.string(),
    added: z.array(Tag),
    removed: z.array(Tag),
  })({ ...NOTED, search: ({ added }) => searched('note', added), isProjected: true }),
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
