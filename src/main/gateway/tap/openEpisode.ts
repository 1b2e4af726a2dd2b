// What is open in a client's episode beyond what its record says, and small helpers for its events.
import { ENVIRONMENT, UNKNOWN, type Actor } from '../../../shared/events/actor.ts';
import type { LogEvent } from '../../../shared/events/vocabulary.ts';
import type { ServerDescription } from '../../openenv/serverDescription.ts';
import type { FrameRequest } from './reading.ts';

/** A request that was not answered yet. */
export type Pending = { asked: FrameRequest; turn: number; call: string; at: number; text: string };

/** What of an episode is under way, beyond what its record says. */
export type OpenEpisodeState = {
  id: string;
  /** The last turn there is, a person's own included. */
  turn: number;
  pending: Map<number, Pending>;
  /** Requests that wait for a word of main, with their call. */
  asks: Map<number, string>;
  /** Held calls of which the tap has not said what became of them. */
  unsettled: Set<string>;
  /** How it stands when it ends now. */
  verdict: { reward_type: string | null; reward: number | null; final_answer: string | null } | null;
  isDone: boolean;
  /** What its environment says of itself. */
  server: ServerDescription;
  /** The rewards of its steps, where its environment has actions and no verifier. */
  rewards: number[];
};

export const callId = (turn: number): string => `t${String(turn)}`;

export type NewEvent = { actor: Actor; event: LogEvent };
export const by = (actor: Actor, event: LogEvent): NewEvent => ({ actor, event });

export const frame = (direction: 'to_environment' | 'to_client', text: string): NewEvent =>
  by(direction === 'to_client' ? ENVIRONMENT : UNKNOWN, { kind: 'frame.passed', direction, frame: text });
