// Contract of the commands that only the command line calls, over the local socket: settings for all that it begins,
// and files of this machine by their paths.
import { z } from 'zod';
import { AnswerLine } from '../answerLine.ts';
import { Conservation, ImportFormat } from '../events/import.ts';
import { JsonObject } from '../events/turns.ts';
import { LiftPlan, LiftRequest } from '../lift/plan.ts';
import { LiftSummary } from '../lift/summary.ts';
import { ListedTask, SplitManifest } from '../split.ts';
import { ExportFolder, ExportRules, Finding } from './export.ts';
import { FileReport } from './import.ts';
import { COMMAND_READS, COMMAND_WRITES, EmptyInput } from './row.ts';
import { EpisodeRow } from '../episode/rowShapes.ts';
import { Concurrency, RunProgress } from './runs.ts';
import { ModelsInForce } from './settings.ts';

const Name = z.string().min(1).max(2000);
const Path = z.string().min(1).max(8192);

/** A remark on a file that was read as it should be, or was not. */
const Remark = z.strictObject({ code: z.string().max(100), message: z.string().max(2000) });

const Value = z.string().max(8192).optional();
const RoleModel = z.strictObject({
  profile: Value,
  provider: z.enum(['openai', 'azure']).optional(),
  baseUrl: Value,
  apiKey: Value,
  /** The flag or the variable the key came by. */
  keyFrom: Value,
  model: Value,
  apiVersion: Value,
  /** The name under which the command hands access tokens over, by `command.token`. */
  tokenFrom: Value,
});
export type RoleModel = z.infer<typeof RoleModel>;

export const CommandSettings = z.strictObject({
  /** What the flags said, by role. */
  models: z.strictObject({ agent: RoleModel.optional(), expert: RoleModel.optional() }).optional(),
  /** Which tasks are held out, beside the pinned splits. */
  split: SplitManifest.optional(),
});
export type CommandSettings = z.infer<typeof CommandSettings>;

export const commandLine = {
  /** What holds for all that the command begins, until it leaves. Answers with the models in force for it. */
  'command.begin': {
    ...COMMAND_READS,
    input: z.strictObject({
      settings: CommandSettings,
      /** Answer in people's place; null where people do. */
      answers: z.array(AnswerLine).max(100_000).nullable(),
    }),
    output: ModelsInForce,
  },
  /**
   * Hands over an access token for the models of what the command begins, under a name of the command's own; null says
   * that no more come. Resolves when another is wanted: the server refused it, or it is about to end.
   */
  'command.token': {
    ...COMMAND_READS,
    input: z.strictObject({
      name: z.string().min(1).max(100),
      token: z.strictObject({ value: z.string().min(1).max(65_536), expires_at: z.number() }).nullable(),
    }),
    output: EmptyInput,
  },
  /** Ends what the command began. Resolves when nothing of it goes on. */
  'command.stop': { ...COMMAND_READS, input: EmptyInput, output: EmptyInput },
  /** Writes no data set but the log itself, the files it was imported from, or what reviewers said. Resolves when it is written. */
  'export.log': {
    ...COMMAND_WRITES,
    input: z.strictObject({
      format: z.enum(['events', 'source', 'annotations']),
      rules: ExportRules,
      into: ExportFolder,
    }),
    output: z.strictObject({
      folder: z.string(),
      rows: z.number().int(),
      dropped: z.record(z.string(), z.number().int()),
      files: z.array(z.string()),
      findings: z.array(Finding),
      /** Episodes that were left out because they cannot be read. */
      damaged: z.array(z.string()),
    }),
  },
  /** Reads files of this machine into the log. */
  'import.read': {
    ...COMMAND_WRITES,
    input: z.strictObject({
      files: z
        .array(
          z.strictObject({
            /** As the person typed it. */
            name: Path,
            path: Path,
            beside: z.array(
              z.strictObject({ name: Path, path: Path, bytes: z.number().int().nonnegative() }),
            ),
            remarks: z.strictObject({ whole: Remark, damaged: Remark }).optional(),
          }),
        )
        .min(1),
      lossy: z.boolean(),
    }),
    output: z.strictObject({ import: z.string() }),
  },
  /** Resolves once something is new after so much of the news, or everything was read. */
  'import.wait': {
    ...COMMAND_READS,
    input: z.strictObject({
      import: z.string(),
      after: z.number().int().nonnegative(),
      /** Tells how each episode stands in the list. */
      with_rows: z.boolean(),
    }),
    output: z.strictObject({
      news: z.array(
        z.union([
          z.strictObject({
            episode: z.string(),
            /** Its place among the files that were named; several are read at once. */
            file: z.number().int(),
            index: z.number().int(),
            is_known: z.boolean(),
            format: ImportFormat,
            row: EpisodeRow.nullable(),
            conservation: Conservation.nullable(),
          }),
          /** After the episodes of its file; files come in the order in which they were named. */
          z.strictObject({ report: FileReport }),
        ]),
      ),
      is_over: z.boolean(),
    }),
  },
  /** Holds the val tasks of a split out from now on; null ends that. */
  'split.pin': {
    ...COMMAND_WRITES,
    input: z.strictObject({
      name: Name,
      pinned: z
        .strictObject({ meta: JsonObject, train: z.array(ListedTask), val: z.array(ListedTask) })
        .nullable(),
    }),
    output: EmptyInput,
  },
  /** Measures what answers were worth, or goes on with a measurement of the same name and request. */
  'lift.start': {
    ...COMMAND_WRITES,
    input: z.strictObject({ name: Name, request: LiftRequest, concurrency: Concurrency }),
    output: z.strictObject({ plan: LiftPlan, planned: z.number().int() }),
  },
  /** No figure is given before every continuation is over. */
  'lift.show': {
    ...COMMAND_READS,
    input: z.strictObject({ name: Name }),
    output: z.strictObject({
      plan: LiftPlan,
      progress: RunProgress,
      summary: LiftSummary.nullable(),
    }),
  },
} as const;
