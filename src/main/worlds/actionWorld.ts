// A built-in world of actions in place of tools, as OpenEnv's server serves environments of that kind: one action class
// in `/schema`, an observation with the parts of its reward, a reward and an end with every step.
import { z } from 'zod';
import type { Environment } from './environment.ts';
import type { WorldReply } from './frames.ts';
import { type FrameProblem, memberProblems, type Member, problem } from './problems.ts';
import {
  breakdownOf,
  type Command,
  type Flight,
  fly,
  MODES,
  rewardBetween,
  REWARD_COLUMNS,
  THRUSTERS,
  TICKS_MAX,
} from './thrusters/flight.ts';
import { NAME, openFlight, TASKS } from './thrusters/tasks.ts';

const isMode = (value: unknown): value is Command['mode'] => MODES.some((mode) => mode === value);
const THRUSTER_MAX = THRUSTERS.length - 1;

const ACTION: Readonly<Record<string, Member>> = {
  metadata: { fits: (value) => typeof value === 'object' && value !== null, type: 'dict_type' },
  thruster: { fits: Number.isInteger, type: 'int_type', isRequired: true },
  mode: { fits: isMode, type: 'literal_error' },
};

export function readCommand(data: Record<string, unknown>): Command | FrameProblem[] {
  const problems = memberProblems(data, ACTION);
  const thruster = Number(data['thruster']);
  if (problems.length === 0 && thruster < 0)
    problems.push(problem('greater_than_equal', ['thruster'], thruster, { ge: 0 }));
  if (problems.length === 0 && thruster > THRUSTER_MAX)
    problems.push(problem('less_than_equal', ['thruster'], thruster, { le: THRUSTER_MAX }));
  if (problems.length > 0) return problems;
  const { mode } = data;
  return { thruster, mode: isMode(mode) ? mode : 'coarse' };
}

const Reset = z.object({
  seed: z.int().nonnegative().nullish().catch(null),
  episode_id: z.string().nullish().catch(null),
  task_idx: z.int().nullish(),
});

/** One flight after the other, as a socket gets them. */
export function createActionEnvironment(newId: () => string): Environment {
  let flight: Flight | null = null;
  const state: { episode_id: string | null; step_count: number } = { episode_id: null, step_count: 0 };
  return {
    reset: (kwargs) => {
      const read = Reset.safeParse(kwargs);
      const { seed, episode_id: named, task_idx } = read.data ?? { task_idx: -1 };
      const opened = openFlight(task_idx ?? 0, seed ?? 0);
      if (opened === null)
        return { type: 'raised', message: `task_idx out of range (0..${String(TASKS.length - 1)})` };
      flight = opened;
      state.episode_id = named ?? newId();
      state.step_count = 0;
      return observed(flight, null);
    },
    step: (data) => {
      const command = readCommand(data);
      if (Array.isArray(command)) return { type: 'invalid', problems: command };
      if (flight === null) return { type: 'raised', message: 'Nothing flies yet: reset first' };
      state.step_count += 1;
      if (flight.outcome !== null) return observed(flight, 0);
      const before = flight;
      flight = fly(before, command);
      return observed(flight, rewardBetween(before, flight));
    },
    state: () => ({ ...state }),
    scenario: () => (flight === null ? null : NAME),
    images: () => null,
    release: () => {
      flight = null;
    },
  };
}

const MESSAGES: Record<NonNullable<Flight['outcome']> | 'flying', string> = {
  flying: 'Flying.',
  docked: 'Docked.',
  collided: 'Collided with the dock: too fast, off centre or not straight.',
  lost: 'Lost: too far away.',
  out_of_time: 'Out of time.',
};

function observed(flight: Flight, reward: number | null): WorldReply {
  const { at, speed, fuel, tick, outcome } = flight;
  const observation = {
    message: MESSAGES[outcome ?? 'flying'],
    distance_mm: at.distance,
    side_mm: at.side,
    height_mm: at.height,
    roll_deg: at.roll / 10,
    pitch_deg: at.pitch / 10,
    yaw_deg: at.yaw / 10,
    closing_mm_per_tick: -speed.distance,
    side_mm_per_tick: speed.side,
    height_mm_per_tick: speed.height,
    roll_deg_per_tick: speed.roll / 10,
    pitch_deg_per_tick: speed.pitch / 10,
    yaw_deg_per_tick: speed.yaw / 10,
    fuel_left: fuel,
    tick,
    ticks_left: TICKS_MAX - tick,
    reward_breakdown: breakdownOf(flight),
    reward_columns: [...REWARD_COLUMNS],
  };
  return { type: 'observation', observation, reward, done: outcome !== null };
}
