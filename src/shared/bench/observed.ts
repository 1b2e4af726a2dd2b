// The observations that a bench takes of one ended episode. Small, so that thousands can be kept.
import type { ActorType } from '../events/actor.ts';
import type { Exclusion } from './summary.ts';
import type { BenchCell } from './plan.ts';

export type Answerer = 'human' | 'model' | 'scripted' | 'nobody';

/** Kind of answerer, as a bench tells them apart. */
export const answererOf = (actor: ActorType): Answerer =>
  actor === 'human' || actor === 'model' ? actor : 'scripted';

/** A measure of one episode; null where it was not measured. */
export type Measures = {
  shaped_reward: number | null;
  steps: number | null;
  format_errors: number | null;
  tool_errors: number | null;
  asks: number | null;
  blind: number | null;
  recovery: number | null;
  uptake: number | null;
  expert_minutes: number | null;
  input_tokens: number | null;
  output_tokens: number | null;
  cost: number | null;
};

/** `hadSeen`: it had seen something of the task's answer. */
export type SeatAct = { seat: string; at: number; hadSeen: boolean; minutes: number };

export type Observed = BenchCell & {
  /** Null for an episode that counts. */
  exclusion: Exclusion | null;
  isComplete: boolean;
  reward: number | null;
  measures: Measures;
  components: Record<string, number>;
  currency: string | null;
  model: string | null;
  isRehearsal: boolean;
  answered: Record<Answerer, number>;
  /** Some advice in it came from somebody who had seen the criteria or the answer. */
  isPrivileged: boolean;
  seats: SeatAct[];
  /** What the agent read first, and what it was offered, as lines. */
  prompt: string[];
};
