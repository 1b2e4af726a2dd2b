// Which turns an expert is asked to label: each, or the risky ones; all of them, or a share drawn turn by turn. Pure.
import { z } from 'zod';
import type { EpisodeRecord, Turn } from '../../../shared/episode/record.ts';

export const Labelling = z.strictObject({
  mode: z.enum(['off', 'each', 'risky']),
  /** The share of those turns that is asked, in (0, 1]; null asks for every one. */
  beta: z.number().min(0).max(1).nullable(),
  /** Turns the expert passed over. */
  skipped: z.array(z.number()),
});
export type Labelling = z.infer<typeof Labelling>;

export const NO_LABELLING: Labelling = { mode: 'off', beta: null, skipped: [] };

/** The agent's turns that wait for a label, oldest first. */
export function turnsToLabel(record: EpisodeRecord, { mode, beta, skipped }: Labelling): Turn[] {
  if (mode === 'off') return [];
  const risky = mode === 'risky' ? riskyTurns(record.turns) : null;
  return record.turns.filter(
    (turn) =>
      turn.actor.type !== 'human' &&
      turn.move !== null &&
      !turn.isCopied &&
      turn.label === null &&
      !skipped.includes(turn.turn) &&
      (risky === null || risky.has(turn.turn)) &&
      (beta === null || drawOf(record.id, turn.turn) < beta),
  );
}

/** Turns whose call failed, was refused or could not be read, or had been made before. */
export function riskyTurns(turns: readonly Turn[]): ReadonlySet<number> {
  const made = new Set<string>();
  const risky = new Set<number>();
  for (const { turn, move, call } of turns) {
    const isError =
      move?.type === 'malformed' ||
      (call !== null && (call.refused !== null || (call.returned?.error ?? null) !== null));
    const asked = move?.type === 'call_tool' ? JSON.stringify([move.tool_name, move.arguments]) : null;
    if (isError || (asked !== null && made.has(asked))) risky.add(turn);
    if (asked !== null) made.add(asked);
  }
  return risky;
}

/** A number in [0, 1) that an episode's turn always draws: a reload must not draw again. */
export function drawOf(episode: string, turn: number): number {
  let hash = 2_166_136_261;
  for (const char of `${episode}:${String(turn)}`)
    hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 16_777_619);
  // The last bits of neighbouring turns are alike: mix once more.
  hash = Math.imul(hash ^ (hash >>> 15), 2_246_822_507);
  hash ^= hash >>> 13;
  return (hash >>> 0) / 4_294_967_296;
}
