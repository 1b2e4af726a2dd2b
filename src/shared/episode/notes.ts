// A person's words to the agent, unasked.
import type { Actor, Privilege } from '../events/actor.ts';
import type { Text } from '../events/text.ts';

export type Note = {
  id: string;
  at: number;
  actor: Actor;
  text: Text;
  privilege: Privilege;
  deliveredTurn: number | null;
};
