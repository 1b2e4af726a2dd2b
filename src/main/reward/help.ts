// Owns: when an agent was first helped, asked for or not.
import type { EpisodeRecord, Turn } from '../../shared/episode/record.ts';
import { changingDecision } from './edits.ts';

/**
 * The turn of the first ask, or of the first step-in that changed something: a call that was edited, rejected or
 * answered, a note, a turn made in the agent's place. Copied turns count: what was said there is known here. Null where
 * nobody helped.
 */
export function firstHelp({ turns, consultations, notes }: EpisodeRecord): number | null {
  const helped = [
    ...turns.filter(isHelp).map(({ turn }) => turn),
    ...consultations.map(({ turn }) => turn),
    ...notes.flatMap(({ deliveredTurn }) => (deliveredTurn === null ? [] : [deliveredTurn])),
  ];
  return helped.length === 0 ? null : helped.reduce((least, turn) => Math.min(least, turn));
}

function isHelp(turn: Turn): boolean {
  const { actor, move, call, touched } = turn;
  if (actor.type === 'human' || actor.type === 'scripted' || touched !== null) return true;
  if (move?.type === 'ask_expert') return (call?.refused ?? null) === null;
  const decision = changingDecision(turn)?.type;
  return decision === 'edited' || decision === 'rejected' || decision === 'answered';
}
