// The rules of an export, readable by a person, and what a console is told of one.
import { z } from 'zod';
import { ActorType } from '../events/actor.ts';
import { Condition } from '../events/lifecycle.ts';
import { FailureShape } from '../failureCodes.ts';
import { HeldOutTask } from '../split.ts';
import { EpisodeFilter } from './library.ts';
import { ANY_OF_IT, OWNER_READS, OWNER_WRITES } from './row.ts';

/** Rows for a trainer, records for another tool, or the log itself. What each holds stands in docs/formats.md. */
export const ExportFormat = z.enum([
  /** TRL prompt-completion, cut at each intervention; or what a preset makes rows of. */
  'sft',
  /** TRL messages: a whole conversation a row. */
  'sft_messages',
  /** TRL preference (DPO, reward model): proposed and decided, draft and final, at one decision point. */
  'preference',
  /** TRL unpaired preference. */
  'kto',
  /** TRL prompts only: a row a task. */
  'grpo',
  /** OpenEnv EpisodeRecord. */
  'episode_record',
  /** Judgements by people, in a form of this product. */
  'human_feedback',
  'atif',
  /** Agent World Model trajectory. */
  'awm',
  /** What each episode is worth by each reward profile. */
  'scores',
  /** The lossless bundle: every event. */
  'events',
]);
export type ExportFormat = z.infer<typeof ExportFormat>;

/** Rows of `sft` that teach something else than how the agent went on after a step-in. */
export const Preset = z.enum([
  /** Episodes completed without any help, as messages. */
  'demonstrations',
  /** (question, what was known) -> final advice: for training an advisor. */
  'advisor',
  /** (state) -> ask or not. */
  'when_to_ask',
]);
export type Preset = z.infer<typeof Preset>;

/** Kinds of data left out unless asked for. */
export const Doubtful = z.enum([
  /** Where nobody answered in time. */
  'timeouts',
  /** Advice that came when its question was over. */
  'late',
  /** Results that a person wrote in the environment's place. */
  'fabricated',
  /** Pairs whose chosen side failed, or whose rejected side is known to complete the task; replies labelled both ways. */
  'contrary',
  /** Rows that say the same as one before. */
  'duplicates',
]);
export type Doubtful = z.infer<typeof Doubtful>;

/** A task by its scenario and index: a split never cuts through one. */
export const TaskRef = z.tuple([z.string(), z.number().int()]);
export type TaskRef = z.infer<typeof TaskRef>;

/** The verdict required of an episode. */
export const Verdict = z.enum(['completed', 'verified', 'any']);

/** Each rule that drops something is counted under a name of its own, in the report and on the data card. */
export const ExportRules = z.strictObject({
  /** Which episodes, by the fields of the episode list. */
  filter: EpisodeFilter.default({}),
  /** Only these; null for all that the filter takes. */
  episodes: z.array(z.string()).max(200_000).nullable().default(null),
  /** What the verifier must have said; null as the format has it. */
  verdict: Verdict.nullable().default(null),
  /** Who could advise; null for anyone. */
  conditions: z.array(Condition).min(1).nullable().default(null),
  /** Who gave the advice or made the choice a row teaches. */
  actors: z.array(ActorType).min(1).nullable().default(null),
  /** Rows whose author had seen of the answer: kept with a flag, left out, or the expert's turns taken out. */
  privilege: z.enum(['flag', 'leak_free', 'strip']).default('flag'),
  /** What is left out unless it is named here. */
  include: z.array(Doubtful).default([]),
  /** Rows of a task, at most; which ones, a hash of the row decides. */
  cap_per_task: z.number().int().positive().nullable().default(null),
  /** Share of tasks for validation, chosen by a seeded hash of the task. */
  validation: z
    .strictObject({ share: z.number().gt(0).max(0.9), seed: z.number().int() })
    .nullable()
    .default(null),
  /** Tasks of a pinned split that no row may come from. */
  held_out: z.array(HeldOutTask).max(200_000).default([]),
  /** Only what ended after the last event of an earlier export. */
  after_seq: z.number().int().nonnegative().nullable().default(null),
  /** What rows of `sft` teach instead of how the agent went on after a step-in. */
  preset: Preset.nullable().default(null),
  /** Arguments of calls in TRL rows: an object (most chat templates) or a string (DeepSeek V3). */
  arguments: z.enum(['object', 'string']).default('object'),
  /** Whether TRL rows hold what the agent thought, as `reasoning_content` beside its messages. */
  reasoning: z.boolean().default(true),
  /** Calls that the environment refused as malformed: in the prompt without a loss, or trained like any other. */
  failed_calls: z.enum(['skip', 'keep']).default('skip'),
  /** Words beside a call that a person chose, and beside both calls of a pair: none, their reason, or the agent’s. */
  words: z.enum(['none', 'reason', 'agent']).default('none'),
});
export type ExportRules = z.infer<typeof ExportRules>;

/** A check before writing. An `error` refuses the write unless it is named in `despite`. */
export const Finding = z.strictObject({
  check: z.string(),
  level: z.enum(['error', 'warning', 'note']),
  message: z.string(),
  count: z.number().int(),
  /** The first places, to look at them. */
  at: z.array(z.strictObject({ episode: z.string(), n: z.number().int().nullable() })),
});
export type Finding = z.infer<typeof Finding>;

/** One message of a sample row: whether it trains, and why not. */
const MaskLine = z.strictObject({
  role: z.string(),
  text: z.string(),
  trains: z.boolean(),
  why: z.string().nullable(),
});
export const SampleRow = z.strictObject({
  episode: z.string(),
  /** Indented JSON. */
  json: z.string(),
  mask: z.array(MaskLine),
});
export type SampleRow = z.infer<typeof SampleRow>;

export const ExportReport = z.strictObject({
  format: ExportFormat,
  rows: z.number().int(),
  splits: z.strictObject({ train: z.number().int(), validation: z.number().int() }),
  /** Episodes read, and those that rows came from. */
  episodes: z.strictObject({ read: z.number().int(), kept: z.number().int() }),
  dropped: z.record(z.string(), z.number().int()),
  /** Episodes that were left out because they cannot be read. */
  damaged: z.array(z.string()).optional(),
  /** Rows that the rule `leak_free` would leave out; absent where there is none, or such a rule is set. */
  privileged: z.number().int().optional(),
  classes: z.record(z.string(), z.number().int()),
  /** Estimates: characters by a stated ratio, per row. */
  tokens: z.strictObject({
    total: z.number(),
    median: z.number(),
    p95: z.number(),
    max: z.number(),
  }),
  findings: z.array(Finding),
  sample: z.array(SampleRow),
  /** First and last seq of what was taken; null where nothing was. */
  log_from: z.number().int().nullable(),
  log_to: z.number().int().nullable(),
  folder: z.string().nullable(),
  files: z.array(z.string()),
  /** Bytes of each file, once there are files. */
  sizes: z.record(z.string(), z.number().int()).optional(),
  bytes: z.number().int(),
});
export type ExportReport = z.infer<typeof ExportReport>;

export const ExportJob = z.strictObject({
  export: z.string(),
  mode: z.enum(['preview', 'write']),
  format: ExportFormat,
  state: z.enum(['running', 'done', 'failed', 'cancelled']),
  /** Episodes read, of how many. */
  done: z.number().int(),
  total: z.number().int(),
  /** Of one that was refused: what was found. */
  report: ExportReport.nullable(),
  failure: FailureShape.nullable(),
});
export type ExportJob = z.infer<typeof ExportJob>;

/** A folder of this machine. `is_forced`: it may hold something. */
export const ExportFolder = z.strictObject({ folder: z.string().min(1).max(8192), is_forced: z.boolean() });

const ExportWrite = z.strictObject({
  files: z.enum(['jsonl', 'parquet']),
  /** Beside the data, a project that trains on it. */
  kit: z.enum(['trl']).nullable(),
  /** Findings that do not keep it from being written. */
  despite: z.array(z.string()),
  /** Where a command of this machine wants it; else under the data folder's `exports`. */
  into: ExportFolder.optional(),
  /** The export that it goes on from: where its last event stands in the log. */
  since: z
    .strictObject({ to: z.number().int().nullable(), episode: z.string(), n: z.number().int() })
    .optional(),
});

export const exporting = {
  /**
   * Makes a data set. With `write` null everything but the files: counts, findings, samples; else a data set folder,
   * refused while an error stands that `despite` does not name.
   */
  'export.start': {
    ...OWNER_WRITES,
    input: z.strictObject({ format: ExportFormat, rules: ExportRules, write: ExportWrite.nullable() }),
    output: z.strictObject({ export: z.string() }),
  },
  'export.job': {
    ...OWNER_READS,
    reveals: ANY_OF_IT,
    input: z.strictObject({ export: z.string() }),
    output: ExportJob,
  },
  'export.cancel': {
    ...OWNER_READS,
    input: z.strictObject({ export: z.string() }),
    output: z.strictObject({}),
  },
  /** Shows the folder of an export in the system's own window for files. The desktop alone can. */
  'export.show': {
    ...OWNER_READS,
    input: z.strictObject({ folder: z.string() }),
    output: z.strictObject({}),
  },
  /** What was written before, newest first: for going on from there. */
  'export.history': {
    ...OWNER_READS,
    input: z.strictObject({}),
    output: z.strictObject({
      exports: z.array(
        z.strictObject({
          at: z.number(),
          format: ExportFormat,
          folder: z.string(),
          rows: z.number().int(),
          log_to: z.number().int().nullable(),
          rules: ExportRules,
        }),
      ),
    }),
  },
} as const;
