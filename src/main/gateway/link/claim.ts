// Owns: what a client says about the episode its question belongs to: a header, or fields of its request.
import type { TrainerRef } from '../../../shared/events/lifecycle.ts';

export const EPISODE_HEADER = 'x-interject-episode';

export type Claim = {
  /** The client's own id of the episode, or ours; null when it told none. */
  episode: string | null;
  by: 'header' | 'metadata' | 'none';
  trainer: TrainerRef | null;
};

const ID_MAX = 200;

/** The header counts before the request's own fields. */
export function claimOf(headers: Headers, metadata: Readonly<Record<string, unknown>>): Claim {
  const header = word(headers.get(EPISODE_HEADER));
  const field = word(metadata['episode_id']) ?? word(metadata['interject_episode']);
  const episode = header ?? field;
  const run = word(metadata['interject_run']);
  const step = whole(metadata['interject_step']);
  const checkpoint = word(metadata['interject_checkpoint']);
  const hasTold = [episode, run, step, checkpoint].some((one) => one !== null);
  return {
    episode,
    by: header !== null ? 'header' : field !== null ? 'metadata' : 'none',
    trainer: hasTold ? { run, step, checkpoint, episode } : null,
  };
}

function word(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = String(value).trim().slice(0, ID_MAX);
  return text === '' ? null : text;
}

function whole(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
}
