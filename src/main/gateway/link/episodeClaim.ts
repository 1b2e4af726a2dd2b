// What a client says about the episode its question belongs to: a header, fields of its request, or the name behind its
// key.
import type { TrainerRef } from '../../../shared/events/lifecycle.ts';

const EPISODE_HEADER = 'x-interject-episode';
const EXPERT_HEADER = 'x-interject-expert';

export type EpisodeClaim = {
  /** The client's own id of the episode, or ours; null when it told none. */
  episode: string | null;
  by: 'header' | 'metadata' | 'key' | 'none';
  trainer: TrainerRef | null;
};

const ID_MAX = 200;

/** The header counts before the request's own fields, and these before the name behind the key. */
export function claimOf(
  headers: Headers,
  metadata: Readonly<Record<string, unknown>>,
  rollout: string | null,
): EpisodeClaim {
  const header = claimText(headers.get(EPISODE_HEADER));
  const field = claimText(metadata['episode_id']) ?? claimText(metadata['interject_episode']);
  const episode = header ?? field ?? rollout;
  const run = claimText(metadata['interject_run']);
  const step = claimNumber(metadata['interject_step']);
  const checkpoint = claimText(metadata['interject_checkpoint']);
  const hasTold = [episode, run, step, checkpoint].some((one) => one !== null);
  return {
    episode,
    by: header !== null ? 'header' : field !== null ? 'metadata' : rollout !== null ? 'key' : 'none',
    trainer: hasTold ? { run, step, checkpoint, episode } : null,
  };
}

/** Whom of the roster a client asks for by name; the header counts first. */
export const wantedExpert = (headers: Headers, metadata: Readonly<Record<string, unknown>>): string | null =>
  claimText(headers.get(EXPERT_HEADER)) ?? claimText(metadata['interject_expert']);

function claimText(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = String(value).trim().slice(0, ID_MAX);
  return text === '' ? null : text;
}

function claimNumber(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
}
