// The actor of an event, how long a person took, and what an author had seen of the answer.
import { z } from 'zod';

export const ActorType = z.enum(['agent', 'model', 'human', 'scripted', 'system', 'environment', 'unknown']);
export type ActorType = z.infer<typeof ActorType>;

/** The actor; `unknown` where the wire does not tell an agent from its orchestrator. `id` is opaque: a seat for humans, a model name for models, never a name or an address. */
export const Actor = z.strictObject({ type: ActorType, id: z.string().nullable() });
export type Actor = z.infer<typeof Actor>;

export const SYSTEM: Actor = { type: 'system', id: null };
export const AGENT: Actor = { type: 'agent', id: null };
export const ENVIRONMENT: Actor = { type: 'environment', id: null };
export const UNKNOWN: Actor = { type: 'unknown', id: null };

export const Saw = z.enum(['criteria', 'reference', 'verdict', 'hidden_state']);
export type Saw = z.infer<typeof Saw>;

/** Parts of the answer seen by an author; only a recorded, empty set counts as leak-free. */
export const Privilege = z.union([z.array(Saw), z.literal('unknown')]);
export type Privilege = z.infer<typeof Privilege>;

/**
 * Privilege is inherited: the union of what every ancestor had seen. `unknown` is contagious, but never hides that one of
 * them had the reference solution: nobody can have seen more of the answer.
 */
export function inheritPrivilege(...ancestors: readonly Privilege[]): Privilege {
  const seen = new Set(ancestors.flatMap((ancestor) => (ancestor === 'unknown' ? [] : ancestor)));
  if (ancestors.includes('unknown') && !seen.has('reference')) return 'unknown';
  return Saw.options.filter((saw) => seen.has(saw));
}

export const isLeakFree = (privilege: Privilege): boolean =>
  privilege !== 'unknown' && privilege.length === 0;

/** UTC ms and active ms of one human decision; null where it was not measured. */
export const Timing = z.strictObject({
  first_seen_at: z.number().nullable(),
  active_ms: z.number().nullable(),
});
export type Timing = z.infer<typeof Timing>;

/** A seat whose name begins so belongs to a program, which answers through the same desk as people do. */
const PROGRAM_SEAT = 'script-';

/** True if somebody at a seat acts: a person, or a program that has one. Rules and answers files have none. */
export const isAtSeat = ({ type, id }: Actor): boolean =>
  type === 'human' || (type === 'scripted' && id?.startsWith(PROGRAM_SEAT) === true);

export const seatActor = (id: string | null): Actor => ({
  type: id?.startsWith(PROGRAM_SEAT) === true ? 'scripted' : 'human',
  id,
});
