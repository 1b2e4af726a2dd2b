// What the agent waits for in an episode: its question, or its call that waits for approval. Pure.
import type { EpisodeRecord } from './record.ts';

export type LeftOpen = { type: 'question' | 'call'; id: string; turn: number };

/** The loop's own open question or held call; one that a client asked from elsewhere is none of the loop's. */
export function leftOpen({ turns, consultations, ended }: EpisodeRecord): LeftOpen | null {
  if (ended !== null) return null;
  const asked = consultations.findLast(({ decision, via }) => decision === null && via === 'loop');
  if (asked !== undefined) return { type: 'question', id: asked.id, turn: asked.turn };
  const last = turns.at(-1);
  if (last === undefined || last.call === null) return null;
  const { call, turn } = last;
  return call.held !== null && call.decision === null ? { type: 'call', id: call.id, turn } : null;
}
