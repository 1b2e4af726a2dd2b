// The commands of training runs: what a trainer's steps came to, from its episodes and from its own logs. Owner only.
import { z } from 'zod';
import { CurriculumOverview, CurriculumSummary } from '../curriculum/overview.ts';
import { CurriculumSteering } from '../curriculum/settings.ts';
import { RUN_NAME_MAX } from '../events/library.ts';
import { RunSource, TrainingRun } from '../training/run.ts';
import { OWNER_READS, OWNER_WRITES } from './row.ts';

const run = z.string().min(1).max(RUN_NAME_MAX);

const RunRow = z.strictObject({
  run,
  source: RunSource,
  steps: z.number().int(),
  /** Of the log; 0 where only a trainer's own logs were read. */
  episodes: z.number().int(),
  /** When its last episode started or its last file was read (UTC ms); null for the example. */
  at: z.number().nullable(),
});
export type RunRow = z.infer<typeof RunRow>;

/** The agent's real action, of one rollout of a step. */
const ActionSample = z.strictObject({
  step: z.number().int(),
  episode: z.string(),
  scenario: z.string().nullable(),
  task_idx: z.number().int().nullable(),
  reward: z.number().nullable(),
  /** One line a turn, in order, as it was sent. */
  actions: z.array(z.string()),
  /** Turns beyond those shown. */
  more: z.number().int(),
});
export type ActionSample = z.infer<typeof ActionSample>;

/** So many characters of a file as base64. */
const FILE_MAX = 40_000_000;

export const training = {
  'training.runs': {
    ...OWNER_READS,
    input: z.strictObject({}),
    output: z.strictObject({ runs: z.array(RunRow) }),
  },
  /** Throws `not_found` where no episode and no file names the run. */
  'training.read': {
    ...OWNER_READS,
    reveals: ['verdict'],
    input: z.strictObject({ run }),
    output: z.strictObject({
      run: TrainingRun,
      /** As a report holds it; null where its trainer never asked. */
      curriculum: CurriculumSummary.nullable(),
      samples: z.array(ActionSample),
      /** Those whose rewards are in the figures. */
      tasks: z.array(
        z.strictObject({
          environment_key: z.string().optional(),
          scenario: z.string().nullable(),
          task_idx: z.number().int().nullable(),
        }),
      ),
    }),
  },
  /** With how much help the run goes on, and why; null where its trainer never asked. */
  'training.curriculum': {
    ...OWNER_READS,
    reveals: ['verdict'],
    input: z.strictObject({ run }),
    output: z.strictObject({
      overview: CurriculumOverview.nullable(),
      /** Name of the key that steers it; null where none began it. */
      key: z.string().nullable(),
      /** Another one as soon as something was decided or reported. */
      revision: z.number().int(),
    }),
  },
  /**
   * What the owner wants otherwise of a run's curriculum. Throws `bad_input` for settings that make no sense, `not_found`
   * for a step that nothing was decided at, or a key that is not there.
   */
  'training.steer': {
    ...OWNER_WRITES,
    input: z.strictObject({ run, steering: CurriculumSteering }),
    output: z.strictObject({}),
  },
  /**
   * Reads a trainer's own log: JSON lines, CSV, `trainer_state.json`. Where the run's name is that of
   * another run, whose steps say otherwise, `run` of the answer is the name with a number. Throws `bad_input`.
   */
  'training.add_log': {
    ...OWNER_WRITES,
    input: z.strictObject({
      run,
      file: z.string().max(8192),
      base64: z.base64().max(FILE_MAX),
      /** A person chose the name: a file of another run is refused, not named otherwise. */
      is_chosen: z.boolean().optional(),
    }),
    output: z.strictObject({
      run,
      source: RunSource,
      steps: z.number().int(),
      unread: z.array(z.string()),
      /** Rows or values that a field is there for were not used. */
      is_damaged: z.boolean(),
      /** In words: the name was that of another run. Null where it was not. */
      renamed: z.string().nullable(),
    }),
  },
} as const;
