// An episode at a glance: one character per turn, for cards that watch many without their records. Pure.
import type { EpisodeRecord, Turn } from './record.ts';
import { isToolError } from '../wire.ts';

/** What a character stands for. */
export const STRIP = {
  o: 'a call that worked',
  x: 'an error',
  a: 'a question to an expert',
  h: 'a person acted',
  w: 'waits for a person',
  f: 'the final answer',
  '.': 'another turn',
} as const;
export type StripChar = keyof typeof STRIP;

/** As many turns as a strip is wide enough to tell apart; older ones fall off its left end. */
export const STRIP_MAX = 96;

/** The last turns of an episode, oldest first. */
export const stripOf = ({ turns, consultations, ended }: EpisodeRecord): string => {
  const open = new Set(ended === null ? consultations.flatMap((c) => (c.decision === null ? c.id : [])) : []);
  return turns
    .slice(-STRIP_MAX)
    .map((turn) => charOf(turn, open, ended !== null))
    .join('');
};

function charOf(
  { move, call, consultation, actor }: Turn,
  open: ReadonlySet<string>,
  isOver: boolean,
): StripChar {
  if (consultation !== null && open.has(consultation)) return 'w';
  if (!isOver && call?.held && call.decision === null) return 'w';
  if (!isOver && call?.doubt?.settled === null) return 'w';
  if (move?.type === 'malformed' || (call !== null && isCallFailed(call))) return 'x';
  if (actor.type === 'human' || call?.decision?.actor.type === 'human') return 'h';
  if (move?.type === 'final') return 'f';
  if (move?.type === 'ask_expert') return 'a';
  return call?.returned ? 'o' : '.';
}

/** Whether the environment refused it, or answered it with an error. */
export const isCallFailed = ({ refused, returned }: NonNullable<Turn['call']>): boolean =>
  refused !== null || (returned !== null && isToolError(returned.error, returned.reward_type));

/** The strip in words, for those who do not see it. */
export function stripLabel(strip: string): string {
  const count = (char: StripChar): number => Array.from(strip).filter((one) => one === char).length;
  const [errors, acts, asks] = [count('x'), count('h'), count('a') + count('w')];
  const parts = [
    `${String(strip.length)} ${strip.length === 1 ? 'turn' : 'turns'}`,
    ...(errors === 0 ? [] : [`${String(errors)} ${errors === 1 ? 'error' : 'errors'}`]),
    ...(asks === 0 ? [] : [`${String(asks)} ${asks === 1 ? 'question' : 'questions'}`]),
    ...(acts === 0 ? [] : [`${String(acts)} by a person`]),
  ];
  return parts.join(', ');
}
