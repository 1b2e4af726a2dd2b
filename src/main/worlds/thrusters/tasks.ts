// The three approaches of the world of thrusters: where each starts, what a seed changes, and how it is flown.
import type { Briefing } from '../../../shared/pack.ts';
import { drawBelow } from '../draw.ts';
import { type Command, type Flight, type Mode, startFlight } from './flight.ts';

export const NAME = 'dockside_thrusters';
export const TOOL = 'thruster_action';

type Start = Parameters<typeof startFlight>;
type FlightTask = {
  task: string;
  difficulty: 'easy' | 'medium' | 'hard';
  start: Start;
  criteria: string;
  reference: Briefing['reference'];
  draft?: { calls: Briefing['reference']; note: string };
  problem: string;
};

const fire = (
  thruster: number,
  mode: Mode,
  purpose: string | null = null,
): Briefing['reference'][number] => ({
  tool: TOOL,
  args: { thruster, mode } satisfies Command,
  purpose,
});
const wait = (ticks: number, purpose: string): Briefing['reference'] =>
  Array.from({ length: ticks }, (_, at) => fire(0, 'fine', at === 0 ? purpose : null));
const landing: Briefing['reference'] = [
  fire(2, 'fine', 'Brake'),
  fire(2, 'fine', 'Brake to 100 mm a tick, which the dock takes'),
  ...wait(2, 'Drift onto the dock'),
];
const HOW = 'To dock, arrive with at most 100 mm a tick, 100 mm off centre, 3 degrees off straight.';

export const TASKS: readonly FlightTask[] = [
  {
    task: `Dock the capsule. It is straight ahead of the dock, 1.6 m away, and at rest. ${HOW}`,
    difficulty: 'easy',
    start: [{ distance: 1600 }, {}],
    criteria:
      'The flight ends docked: one coarse push forward, coasting, then two fine pushes back before contact. A coarse push all the way collides.',
    reference: [
      fire(1, 'coarse', 'Towards the dock, 200 mm a tick'),
      ...wait(5, 'Coast to 400 mm'),
      ...landing,
    ],
    problem: 'I do not know which of the thirteen thrusters pushes forward, nor how to brake in time.',
  },
  {
    task: `Dock the capsule. It is 1.6 m away, 0.4 m to the right of the dock, and at rest. ${HOW}`,
    difficulty: 'medium',
    start: [{ distance: 1600, side: 400 }, {}],
    criteria:
      'The flight ends docked: a coarse push left and one right two ticks later centre the capsule, one coarse push forward, two fine pushes back before contact.',
    reference: [
      fire(3, 'coarse', 'To the left, 200 mm a tick'),
      fire(1, 'coarse', 'Towards the dock meanwhile'),
      fire(4, 'coarse', 'Centred: stop moving sideways'),
      ...wait(4, 'Coast to 400 mm'),
      ...landing,
    ],
    problem: 'I have to centre the capsule and brake, and I do not know which thrusters do that and when.',
  },
  {
    task: `Dock the capsule. It is 1.6 m away, points 6 degrees to the right, is 0.2 m too high and sinks slowly. ${HOW}`,
    difficulty: 'hard',
    start: [{ distance: 1600, height: 200, yaw: 60 }, { height: -50 }],
    criteria:
      'The flight ends docked: yaw left and stop the turn, stop the sinking with one fine push up when the height is right, one coarse push forward, two fine pushes back. Who leaves the sinking alone hits the dock too low.',
    reference: [
      fire(11, 'coarse', 'Turn left, 2 degrees a tick'),
      fire(1, 'coarse', 'Towards the dock meanwhile'),
      ...wait(1, 'Until it points straight'),
      fire(12, 'coarse', 'Straight: stop the turn'),
      fire(5, 'fine', 'The height is right: stop the sinking'),
      ...wait(2, 'Coast to 400 mm'),
      ...landing,
    ],
    draft: {
      calls: [
        fire(11, 'coarse', 'Turn left, 2 degrees a tick'),
        fire(1, 'coarse', 'Towards the dock meanwhile'),
        ...wait(1, 'Until it points straight'),
        fire(12, 'coarse', 'Straight: stop the turn'),
        ...wait(3, 'Coast to 400 mm'),
        ...landing,
      ],
      note: 'The draft leaves the sinking alone: at the dock the capsule is 0.35 m too low and collides.',
    },
    problem:
      'The capsule turns, sinks and has to brake, and I do not know in which order to use which thruster.',
  },
];

/** A whole number from -max to max, by a seed and a name alone. */
const drawn = (seed: number, name: string, max: number): number =>
  seed === 0 ? 0 : drawBelow(`${String(seed)} ${name}`, 2 * max + 1) - max;

/** A seed moves the start by a little, never so far that the same commands would fail; 0 moves nothing. */
export function openFlight(task_idx: number, seed: number): Flight | null {
  const task = TASKS[task_idx];
  if (task === undefined) return null;
  const [at, speed] = task.start;
  return startFlight(
    {
      ...at,
      distance: (at.distance ?? 0) + drawn(seed, 'distance', 40),
      side: (at.side ?? 0) + drawn(seed, 'side', 40),
      height: (at.height ?? 0) + drawn(seed, 'height', 40),
      yaw: (at.yaw ?? 0) + drawn(seed, 'yaw', 5),
    },
    speed,
  );
}

/** The briefing on a task's answer; null for a task that has none. */
export function flightBriefing(task_idx: number): Briefing | null {
  const found = TASKS[task_idx];
  if (found === undefined) return null;
  const { task, criteria, reference, draft, problem } = found;
  return {
    criteria,
    reference,
    draft: draft?.calls ?? reference,
    draft_note: draft?.note ?? null,
    rehearsal: {
      attempts: [
        { say: 'I fire the last thruster.', tool: TOOL, args: { thruster: 13, mode: 'coarse' } },
        { say: 'I name the direction.', tool: TOOL, args: { thruster: 'forward', mode: 'fast' } },
      ],
      ask: { task, context: `There is no thruster 13, and thrusters have numbers. ${problem}` },
      final: 'I flew the approach as advised.',
    },
  };
}
