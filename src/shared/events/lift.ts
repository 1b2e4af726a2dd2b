// What a measurement of advice is fixed to before anything of it runs (stream `lifts`), and what it found of each
// answered question (stream `lift/<episode>`): an episode's own events never change.
import { z } from 'zod';
import { InterventionLift } from '../lift/intervention.ts';
import { LiftPlan } from '../lift/plan.ts';
import { defineKind, NOTED } from './kind.ts';

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
