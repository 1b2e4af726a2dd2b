// The kinds that say what people made of episodes that lie in the library: tags, what was exported, and which
// splits hold. They stand in streams of their own (`tags/<episode>`, `exports`, `splits`): an episode's events never
// change.
import { z } from 'zod';
import { BenchPlan } from '../bench/plan.ts';
import { CurriculumInputs, CurriculumPlan } from '../curriculum/plan.ts';
import { CurriculumTask, RolloutOutcome, RunKey } from '../curriculum/rollout.ts';
import { CurriculumSettings } from '../curriculum/settings.ts';
import { InterventionLift } from '../lift/intervention.ts';
import { LiftPlan } from '../lift/plan.ts';
import { RewardSettings } from '../rewards/settings.ts';
import { ListedTask } from '../split.ts';
import { RunSource, RunStep } from '../training/run.ts';
import { defineKind, NOTED, searched } from './kind.ts';
import { JsonObject } from './turns.ts';

export const Tag = z
  .string()
  .trim()
  .min(1)
  .max(60)
  .regex(/^[^,\n]+$/, 'a tag holds no comma and no line break');

/** The tag of an imported episode of which a longer version was imported since: no export trains it. */
export const SUPERSEDED = 'superseded';

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

// The plan of a bench, fixed before any of it runs (stream `benches`).
export const BENCH_STREAM = 'benches';

export const benchEvents = [defineKind('bench.planned', { plan: BenchPlan })(NOTED)] as const;

// The plan of a measurement of advice, fixed before any of it runs (stream `lifts`), and its result for each answered
// question (stream `lift/<episode>`): an episode's own events never change.
export const LIFT_STREAM = 'lifts';
export const liftStream = (episode: string): string => `lift/${episode}`;

export const liftEvents = [
  defineKind('lift.planned', { plan: LiftPlan })(NOTED),
  /** Written once every continuation of the measurement is over. */
  defineKind('lift.measured', {
    lift: z.string(),
    /** The agent that went on. */
    agent: z.string().nullable(),
    measured: InterventionLift,
  })(NOTED),
] as const;

/** The settings the product comes with; a name nobody else can take. */
export const DEFAULT_PROFILE = 'default';
export const ProfileName = z.string().trim().min(1).max(60);

export const rewardEvents = [
  /** Replaces what was saved under the name before. */
  defineKind('reward_profile.saved', {
    name: ProfileName,
    version: z.number().int().positive(),
    settings: RewardSettings,
  })(NOTED),
  defineKind('reward_profile.removed', { name: ProfileName })(NOTED),
] as const;

export const PROFILE_STREAM = 'rewards/profiles';

// The kind that says what another tool's logs tell of a training run (stream `training/<run>`).
export const RUN_NAME_MAX = 200;
export const RUN_STEPS_MAX = 50_000;

export const trainingEvents = [
  /** Steps of a training run as a file tells them. What a later import of the same run says of a step counts. */
  defineKind('run.imported', {
    run: z.string().min(1).max(RUN_NAME_MAX),
    source: RunSource,
    /** The name of the file, with that of the folder it lies in where the command line read it. */
    file: z.string().max(300),
    steps: z.array(RunStep).min(1).max(RUN_STEPS_MAX),
    /** Names of metrics that are in no field of a step. */
    unread: z.array(z.string().max(300)),
  })(NOTED),
] as const;

export const TRAINING_PREFIX = 'training/';
export const trainingStream = (run: string): string => TRAINING_PREFIX + run;

// The kinds of a run's curriculum (stream `curriculum/<run>`): whose it is, how it is set, which tasks it knows, what a
// trainer reported, every decision with its inputs, and what its owner took back. In this order they give every decision
// again.
const run = z.string().min(1).max(RUN_NAME_MAX);

export const curriculumEvents = [
  /** The key that steers the run from now on: the one that began it, or the one that the owner gave it to. */
  defineKind('curriculum.assigned', { run, key: RunKey })(NOTED),
  /** From the next decision on. */
  defineKind('curriculum.configured', { run, settings: CurriculumSettings })(NOTED),
  /** Tasks that the run trains on; those known before stay. */
  defineKind('curriculum.tasks_named', { run, tasks: z.array(CurriculumTask) })(NOTED),
  /** What a trainer said came of rollouts that did not come through the tap, and its own metrics. */
  defineKind('curriculum.reported', {
    run,
    /** The trainer's own name of the report: the same one counts once. */
    report: z.string().min(1).max(RUN_NAME_MAX),
    /** Of its content: the same name with another content is refused. */
    sha256: z.string(),
    rollouts: z.array(RolloutOutcome),
    steps: z.array(RunStep),
    /** Names of metrics that are in no field of a step. */
    unread: z.array(z.string().max(300)),
  })(NOTED),
  defineKind('curriculum.decided', { run, inputs: CurriculumInputs, plan: CurriculumPlan })(NOTED),
  /**
   * The owner took back the decisions from this step on, and what the trainer told after the first of them. Rollouts of
   * this step and later ones that began before count no more.
   */
  defineKind('curriculum.set_back', { run, step: z.number().int() })(NOTED),
] as const;

export const CURRICULUM_PREFIX = 'curriculum/';
export const curriculumStream = (run: string): string => CURRICULUM_PREFIX + run;

// The kind that says that texts of an episode were taken out of the log, and what stands in their place.
export const eraseEvents = [
  defineKind('episode.erased', {
    /** All texts of the episode, or one text wherever it stood. */
    what: z.enum(['episode', 'text']),
    reason: z.string().nullable(),
    /** Events whose body was changed. */
    events: z.number().int().nonnegative(),
    /** Of the text that was taken out; null when all were. */
    sha256: z.string().nullable(),
  })({ ...NOTED, isDecision: true }),
] as const;

/** Text in place of an erased one. Long enough a part of the hash to recognise the text by, if one has it. */
export const tombstone = (sha256: string): string => `[erased sha256:${sha256}]`;
