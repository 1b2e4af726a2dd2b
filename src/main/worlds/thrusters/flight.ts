// The flight of a capsule towards a dock, one command a tick. Whole millimetres and tenths of a degree, so that equal
// commands give equal flights on every machine.

export const MODES = ['coarse', 'fine'] as const;
export type Mode = (typeof MODES)[number];
export type Command = { thruster: number; mode: Mode };

/** The capsule's place relative to the dock, its attitude, and the change of each in a tick. */
type Body = {
  distance: number;
  side: number;
  height: number;
  roll: number;
  pitch: number;
  yaw: number;
};
type Axis = keyof Body;
export type Flight = {
  at: Body;
  speed: Body;
  fuel: number;
  tick: number;
  /** Commands that fired a thruster, and those of them in the mode that the distance asks for. */
  fired: number;
  firedWell: number;
  start: number;
  outcome: Outcome | null;
};
type Outcome = 'docked' | 'collided' | 'lost' | 'out_of_time';

/** The thirteen actions: thruster 0 is none, the others push along or turn about one axis. */
export const THRUSTERS: readonly { name: string; axis: Axis | null; sign: -1 | 1 }[] = [
  { name: 'none', axis: null, sign: 1 },
  { name: 'forward', axis: 'distance', sign: -1 },
  { name: 'back', axis: 'distance', sign: 1 },
  { name: 'left', axis: 'side', sign: -1 },
  { name: 'right', axis: 'side', sign: 1 },
  { name: 'up', axis: 'height', sign: 1 },
  { name: 'down', axis: 'height', sign: -1 },
  { name: 'roll left', axis: 'roll', sign: -1 },
  { name: 'roll right', axis: 'roll', sign: 1 },
  { name: 'pitch up', axis: 'pitch', sign: 1 },
  { name: 'pitch down', axis: 'pitch', sign: -1 },
  { name: 'yaw left', axis: 'yaw', sign: -1 },
  { name: 'yaw right', axis: 'yaw', sign: 1 },
];

const AXES = ['distance', 'side', 'height', 'roll', 'pitch', 'yaw'] as const;
const isTurn = (axis: Axis): boolean => axis === 'roll' || axis === 'pitch' || axis === 'yaw';

const PUSH = { coarse: 200, fine: 50 };
const TURN = { coarse: 20, fine: 5 };
const FUEL = { coarse: 4, fine: 1 };
const FUEL_START = 80;
export const TICKS_MAX = 40;
/** Nearer than this a coarse push is too strong. */
export const NEAR_MM = 700;
/** The limits of a docking. */
export const DOCK = { offsetMm: 100, angle: 30, closing: 100, drift: 50 } as const;
const AWAY_MM = 6_000;

const STILL: Body = { distance: 0, side: 0, height: 0, roll: 0, pitch: 0, yaw: 0 };

/** A flight before its first command. */
export function startFlight(at: Partial<Body>, speed: Partial<Body>): Flight {
  const body = { ...STILL, ...at };
  return {
    at: body,
    speed: { ...STILL, ...speed },
    fuel: FUEL_START,
    tick: 0,
    fired: 0,
    firedWell: 0,
    start: wayLeft(body),
    outcome: null,
  };
}

/** The distance left, all directions added up. */
const wayLeft = ({ distance, side, height }: Body): number =>
  Math.abs(distance) + Math.abs(side) + Math.abs(height);

/** The flight one tick later. A thruster without fuel does nothing. */
export function fly(flight: Flight, { thruster, mode }: Command): Flight {
  const { axis, sign } = THRUSTERS[thruster] ?? { axis: null, sign: 1 };
  const fires = axis !== null && flight.fuel >= FUEL[mode];
  const speed = { ...flight.speed };
  if (fires) speed[axis] += sign * (isTurn(axis) ? TURN : PUSH)[mode];
  const at = { ...flight.at };
  for (const one of AXES) at[one] += speed[one];
  const isWell = mode === 'fine' || flight.at.distance > NEAR_MM;
  const next = {
    ...flight,
    at,
    speed,
    fuel: flight.fuel - (fires ? FUEL[mode] : 0),
    tick: flight.tick + 1,
    fired: flight.fired + (fires ? 1 : 0),
    firedWell: flight.firedWell + (fires && isWell ? 1 : 0),
  };
  return { ...next, outcome: outcomeOf(next) };
}

function outcomeOf({ at, speed, tick }: Flight): Outcome | null {
  if (at.distance <= 0) {
    const isCentred = Math.max(Math.abs(at.side), Math.abs(at.height)) <= DOCK.offsetMm;
    const isStraight = Math.max(Math.abs(at.roll), Math.abs(at.pitch), Math.abs(at.yaw)) <= DOCK.angle;
    const isGentle =
      -speed.distance <= DOCK.closing && Math.max(Math.abs(speed.side), Math.abs(speed.height)) <= DOCK.drift;
    return isCentred && isStraight && isGentle ? 'docked' : 'collided';
  }
  if (wayLeft(at) > AWAY_MM) return 'lost';
  return tick >= TICKS_MAX ? 'out_of_time' : null;
}

const WEIGHTS = { docking: 0.4, approach: 0.25, command: 0.2, fuel: 0.15 };
export const REWARD_COLUMNS = ['docking', 'approach', 'command', 'fuel'] as const;
type RewardBreakdown = Record<(typeof REWARD_COLUMNS)[number], number>;

/** Fewer fired thrusters than this say nothing about how well they are used. */
const FIRED_MIN = 3;

/**
 * The parts of the score, each from 0 to 1. Commands count only as far as they brought the capsule nearer, and fuel
 * only once it is docked: to idle, to fire in place and to ram the dock are worth nothing.
 */
export function breakdownOf({ at, start, fired, firedWell, fuel, outcome }: Flight): RewardBreakdown {
  const isWrecked = outcome === 'collided' || outcome === 'lost';
  const approach =
    outcome === 'docked' ? 1 : isWrecked ? 0 : Math.min(1, Math.max(0, 1 - wayLeft(at) / start));
  const share = fired >= FIRED_MIN ? firedWell / fired : 0;
  return {
    docking: outcome === 'docked' ? 1 : 0,
    approach: rounded(approach),
    command: rounded(share * approach),
    fuel: outcome === 'docked' ? rounded(fuel / FUEL_START) : 0,
  };
}

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;

/** The score of a flight so far, from 0 to 1. The rewards of its ticks are the differences, so that they add up to it. */
export function scoreOf(flight: Flight): number {
  const parts = breakdownOf(flight);
  return rounded(REWARD_COLUMNS.reduce((sum, name) => sum + WEIGHTS[name] * parts[name], 0));
}

export const rewardBetween = (before: Flight, after: Flight): number =>
  rounded(scoreOf(after) - scoreOf(before));
