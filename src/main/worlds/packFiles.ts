// The files of a scenario pack and their shapes. A pack is data only: SQL, tools, tasks. Must not know: sessions or
// sockets.
import { z } from 'zod';
import { RehearsalScript } from '../../shared/pack.ts';

/** SQL as one text, or as lines where it is long. A pack reads and changes rows; it attaches no file, alters no table. */
const sqlThat = (verb: RegExp, does: string) =>
  z
    .union([z.string(), z.array(z.string())])
    .transform((sql) => (typeof sql === 'string' ? sql : sql.join('\n')))
    .refine((sql) => verb.test(sql), `expected one SQL statement that ${does}`);
const Query = sqlThat(/^\s*(select|with)\b/i, 'reads');
const ChangeStatement = sqlThat(/^\s*(insert|update|delete)\b/i, 'changes rows');

/**
 * The steps of a tool, in order and in one transaction: `need` a row or refuse, `refuse` when there is one, name a
 * value for later (`let … be`), change something (`do`), or `falter`: fail the first `times` calls for the row that the
 * query gives, as a service fails that is away for a moment. With `keeps_changes` what was done so far stays done.
 */
export const ToolStep = z.union([
  z.strictObject({ need: Query, status: z.number().int(), detail: z.string() }),
  z.strictObject({ refuse: Query, status: z.number().int(), detail: z.string() }),
  z.strictObject({ let: z.string(), be: Query }),
  z.strictObject({ do: ChangeStatement }),
  z.strictObject({
    falter: Query,
    times: z.number().int().min(1).max(3),
    status: z.number().int(),
    detail: z.string(),
    keeps_changes: z.boolean().default(false),
  }),
]);
export type ToolStep = z.infer<typeof ToolStep>;

/** Shape of a tool's answer: one row, all rows, one value, or an object of these. */
export type ResultShape =
  { one: string } | { all: string } | { value: string } | { object: Record<string, ResultShape> };
const ResultShape: z.ZodType<ResultShape, unknown> = z.union([
  z.strictObject({ one: Query }),
  z.strictObject({ all: Query }),
  z.strictObject({ value: Query }),
  z.strictObject({
    object: z.record(
      z.string(),
      z.lazy(() => ResultShape),
    ),
  }),
]);

/** The part of JSON Schema that arguments are checked against; other keywords are shown and not enforced. */
export const ToolProperty = z.looseObject({
  type: z.enum(['integer', 'number', 'string', 'boolean', 'array', 'object']),
  enum: z.array(z.string()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minLength: z.number().int().optional(),
  maxLength: z.number().int().optional(),
  pattern: z.string().optional(),
  default: z.unknown().optional(),
});
export type ToolProperty = z.infer<typeof ToolProperty>;

export const PackTool = z.strictObject({
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
  description: z.string().min(1),
  input_schema: z.looseObject({
    type: z.literal('object'),
    properties: z.record(z.string(), ToolProperty),
    required: z.array(z.string()).default([]),
  }),
  run: z.array(ToolStep),
  result: ResultShape,
});
export type PackTool = z.infer<typeof PackTool>;

const PackRow = z.record(z.string(), z.unknown());
/** One difference between the initial and the final database that a task asks for. */
export const ExpectedChange = z.discriminatedUnion('change', [
  z.strictObject({ change: z.literal('updated'), table: z.string(), row: PackRow, to: PackRow }),
  z.strictObject({ change: z.literal('added'), table: z.string(), row: PackRow }),
  z.strictObject({ change: z.literal('removed'), table: z.string(), row: PackRow }),
]);
export type ExpectedChange = z.infer<typeof ExpectedChange>;

/** Texts the final answer must hold (each item, or one of its alternatives) and must not hold. */
export const ExpectedAnswer = z.strictObject({
  says: z.array(z.union([z.string(), z.array(z.string()).min(1)])).min(1),
  never_says: z.array(z.string()).default([]),
});
export type ExpectedAnswer = z.infer<typeof ExpectedAnswer>;

const PackCall = z.strictObject({
  tool: z.string(),
  args: PackRow.default({}),
  purpose: z.string().nullable().default(null),
});

export const PackTask = z.strictObject({
  task: z.string().min(1),
  difficulty: z.enum(['easy', 'medium', 'hard']),
  criteria: z.string().min(1),
  changes: z.array(ExpectedChange),
  answer: ExpectedAnswer.nullable().default(null),
  reference: z.array(PackCall).min(1),
  /** Only on ambiguous tasks: the plausible plan that names the wrong record, and why it is wrong. */
  draft: z
    .strictObject({ calls: z.array(PackCall).min(1), note: z.string() })
    .nullable()
    .default(null),
  /** Plans that come close and must not pass, each with the reason. */
  near_misses: z
    .array(z.strictObject({ why: z.string().min(1), calls: z.array(PackCall).min(1) }))
    .default([]),
  rehearsal: RehearsalScript,
});
export type PackTask = z.infer<typeof PackTask>;

export const PackFile = z.strictObject({
  name: z.string().regex(/^[a-z0-9]+(_[a-z0-9]+)*$/),
  description: z.string().min(1),
  /** Where it stands in lists: smaller numbers first, then by name. */
  position: z.number().int().default(0),
  /** The one moment this world is in: its clock stands still, so that equal calls give equal rows. */
  world_time: z.iso.datetime(),
  /** Columns the world stamps itself; the verifier does not look at them. */
  stamped_columns: z.array(z.string()).default([]),
});
export type PackFile = z.infer<typeof PackFile>;
