// The kind that says what another tool's logs tell of a training run (stream `training/<run>`).
import { z } from 'zod';
import { RunSource, RunStep } from '../training/run.ts';
import { defineKind, NOTED } from './kind.ts';

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
