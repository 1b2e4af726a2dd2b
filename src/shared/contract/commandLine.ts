// What a command of the command line asks of the Interject that has its data folder open. It waits for what it began:
// when its line ends first, that is stopped. Owner only.
import { z } from 'zod';
import { AnswerLine } from '../answerLine.ts';
import { BenchPlan } from '../bench/plan.ts';
import { BudgetName, AgentSpec, Probe } from '../events/lifecycle.ts';
import { LiftPlan } from '../lift/plan.ts';
import { ListedTask } from '../split.ts';
import { JsonObject } from '../events/turns.ts';
import { ImportFormat } from '../events/import.ts';
import { RunSource } from '../training/run.ts';
import { settings, StartEpisode } from './areas.ts';
import { EraseResult } from './erase.ts';
import { ExportFormat, ExportRules } from './export.ts';
import { ImportJob } from './import.ts';
import { EmptyInput } from './inputs.ts';
import { LaunchSettings } from './launchSettings.ts';

const EpisodeId = z.string().regex(/^[\w-]{4,80}$/);
const RunName = z.string().min(1).max(200);
/** Null where nothing answers in people's place. */
const Answers = z.array(AnswerLine).max(100_000).nullable();
const Concurrency = z.number().int().min(1).max(64);
const Name = z.strictObject({ name: RunName });

/** What is said of a file when it could be read as it should be, and when not. */
const Remark = z.strictObject({ code: z.string().max(100), message: z.string().max(2000) });

/** What the command said for its own episodes; left out where it said nothing. */
const Settings = LaunchSettings.optional();

export const commandLine = {
  /** The models in force for what a command would launch with these. */
  'launch.models': {
    input: z.strictObject({ settings: Settings }),
    output: settings['settings.read'].output,
  },
  /**
   * Hands over an access token for the models of what the command launches, under a name of the command's own; null says
   * that no more come. Resolves when another is wanted: the server refused it, or it is about to end.
   */
  'launch.token': {
    input: z.strictObject({
      name: z.string().min(1).max(100),
      token: z.strictObject({ value: z.string().min(1).max(65_536), expires_at: z.number() }).nullable(),
    }),
    output: EmptyInput,
  },
  /** What the episodes of a run may take together, as it says and the settings do; null for no limit. */
  'launch.budget': {
    input: z.strictObject({
      agent: AgentSpec,
      given: z.partialRecord(BudgetName, z.number().positive()),
      run: RunName.optional(),
      settings: Settings,
    }),
    output: z.strictObject({ budget: z.string().nullable() }),
  },
  /** Starts one episode under an id that the command chose. Throws `data_unwritable` where the log takes no events. */
  'launch.episode': {
    input: z.strictObject({
      episode: EpisodeId,
      start: StartEpisode,
      /** Which repeats of a task belong together, and which of them this is. */
      group: z.string().max(100).nullable(),
      repeat: z.number().int().nonnegative(),
      probe: Probe.optional(),
      budget: z.string().optional(),
      answers: Answers,
      settings: Settings,
    }),
    /** The one that plays it: another where a command beside began the same start of a named run a moment ago. */
    output: z.strictObject({ episode: EpisodeId }),
  },
  /** Goes on with an episode that a killed program left open; where it cannot, it ends as interrupted. */
  'launch.adopt': {
    input: z.strictObject({ episode: EpisodeId, answers: Answers, settings: Settings }),
    output: z.strictObject({ goes_on: z.boolean() }),
  },
  /** Resolves when the episode is over. */
  'launch.ended': { input: z.strictObject({ episode: EpisodeId }), output: EmptyInput },
  /** The command ends before its episode does. */
  'launch.stop': { input: z.strictObject({ episode: EpisodeId }), output: EmptyInput },
  'launch.bench': {
    input: z.strictObject({
      plan: BenchPlan,
      concurrency: Concurrency,
      answers: Answers,
      settings: Settings,
    }),
    output: EmptyInput,
  },
  /** Resolves when nothing of the bench runs any more. */
  'launch.bench_ended': { input: Name, output: EmptyInput },
  'launch.lift': {
    input: z.strictObject({ plan: LiftPlan, concurrency: Concurrency, settings: Settings }),
    output: EmptyInput,
  },
  'launch.lift_ended': { input: Name, output: EmptyInput },
  'launch.lift_stop': { input: Name, output: EmptyInput },
  /** Announces one file and those that go with it: their bytes follow as `import.chunk`. */
  'launch.import_file': {
    input: z.strictObject({
      files: z
        .array(z.strictObject({ name: z.string().min(1).max(2000), bytes: z.number().int().nonnegative() }))
        .min(1)
        .max(100),
      lossy: z.boolean(),
      remarks: z.strictObject({ whole: Remark, damaged: Remark }).nullable(),
    }),
    output: z.strictObject({ import: z.string() }),
  },
  /** Resolves when it was read; with a line for each of its episodes. */
  'launch.import_ended': {
    input: z.strictObject({ import: z.string() }),
    output: z.strictObject({
      job: ImportJob,
      episodes: z.array(
        z.strictObject({
          episode: z.string(),
          index: z.number().int(),
          isKnown: z.boolean(),
          format: ImportFormat,
        }),
      ),
    }),
  },
  /** Reads a trainer's log into its run. */
  'launch.add_log': {
    input: z.strictObject({
      run: RunName,
      file: z.string().max(8192),
      base64: z.base64().max(40_000_000),
      is_chosen: z.boolean(),
    }),
    output: z.strictObject({
      run: z.string(),
      source: RunSource,
      steps: z.number().int(),
      unread: z.array(z.string()),
      isDamaged: z.boolean(),
      renamed: z.string().nullable(),
    }),
  },
  /** Takes every text of an episode out of the log, or one text. */
  'launch.erase': {
    input: z.strictObject({
      episode: z.string().max(200),
      text: z.string().nullable(),
      reason: z.string().nullable(),
    }),
    output: EraseResult,
  },
  /** Says in the log that the command wrote a data set. */
  'launch.note_export': {
    input: z.strictObject({
      format: ExportFormat,
      folder: z.string().max(8192),
      rows: z.number().int(),
      log_from: z.number().int().nullable(),
      log_to: z.number().int().nullable(),
      rules: ExportRules,
    }),
    output: EmptyInput,
  },
  /** Holds the val tasks of a split out from now on; null ends that. */
  'launch.pin_split': {
    input: z.strictObject({
      name: z.string().min(1).max(2000),
      pinned: z
        .strictObject({ meta: JsonObject, train: z.array(ListedTask), val: z.array(ListedTask) })
        .nullable(),
    }),
    output: EmptyInput,
  },
} as const;
