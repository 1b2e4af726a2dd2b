// The kinds of a run's curriculum (stream `curriculum/<run>`): whose it is, how it is set, which tasks it knows, what a
// trainer reported, every decision with its inputs, and what its owner took back. In this order they give every decision
// again.
import { z } from 'zod';
import { CurriculumInputs, CurriculumPlan } from '../curriculum/plan.ts';
import { CurriculumTask, RolloutOutcome, RunKey } from '../curriculum/rollout.ts';
import { CurriculumSettings } from '../curriculum/settings.ts';
import { RunStep } from '../training/run.ts';
import { defineKind, NOTED } from './kind.ts';
import { RUN_NAME_MAX } from './training.ts';

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
