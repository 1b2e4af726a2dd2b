// Secrets of a reset that no log holds: whatever resets by the log alone would come to another state, and says so instead.
import type { Json } from '../events/lifecycle.ts';
import { Failure } from '../failure.ts';
import { withoutMarks } from '../redact/redact.ts';
import type { EpisodeRecord } from './record.ts';

/** The arguments that stand there as marks. */
export function markedNames(reset: Record<string, Json>): string[] {
  const kept = withoutMarks(reset);
  return Object.keys(reset).filter((name) => !(name in kept));
}

/**
 * Why its reset cannot be made again: the log holds marks in the place of secrets that it was given. What the settings
 * hold (a judge's key, credentials of an address) is not lost, nor is what is `given` again.
 */
export function lostSecrets(
  { started, reset }: Pick<EpisodeRecord, 'started' | 'reset'>,
  given: Record<string, Json> = {},
): string | null {
  const names = reset === null ? [] : markedNames(started?.reset ?? {}).filter((name) => !(name in given));
  if (names.length === 0) return null;
  return `its reset was given ${names.join(' and ')}, which no log holds: without it a session would begin in another state`;
}

/** What to do instead, and arguments of the reset that are given again. */
type Again = { next?: string; given?: Record<string, Json> };

/** Throws `bad_input` with the next step. */
export function checkSecrets(
  record: Pick<EpisodeRecord, 'started' | 'reset'>,
  { next = 'Start its task again with the secret.', given = {} }: Again = {},
): void {
  const lost = lostSecrets(record, given);
  if (lost !== null) throw new Failure('bad_input', lost, { next });
}
