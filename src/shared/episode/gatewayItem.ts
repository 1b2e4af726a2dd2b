// The lines of a timeline that only a client's episode has.
import type { Actor } from '../events/actor.ts';
import type { Touch } from '../events/gateway.ts';
import type { Text } from '../events/text.ts';

/** Where in the log a line stands, and whose it is. */
export type Place = { n: number; at: number; actor: Actor };

export type GatewayItem = Place &
  (
    | { type: 'tapped' }
    | { type: 'frame'; direction: 'to_environment' | 'to_client'; frame: Text }
    | { type: 'gap'; fromAt: number; toAt: number; frames: number; reason: string }
    | { type: 'touched'; turn: number; touch: Touch }
    | { type: 'leaked'; turn: number }
  );
