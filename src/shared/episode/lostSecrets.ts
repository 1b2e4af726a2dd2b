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

/** The reset, and the calls up to and including a turn. */
type Again = Pick<EpisodeRecord, 'started' | 'reset' | 'turns'>;
type AgainOptions = {
  given?: Record<string, Json>;
  /** 0 where no call is made again. */
  upToTurn?: number;
};

/**
 * The obstacle to making its reset or calls again: the log holds marks in the place of secrets that they were
 * given. A secret in the settings (a judge's key, credentials of an address) is not lost.
 */
export function lostSecrets(
  { started, reset, turns }: Again,
  { given = {}, upToTurn = Number.POSITIVE_INFINITY }: AgainOptions = {},
): string | null {
  const names = reset === null ? [] : markedNames(started?.reset ?? {}).filter((name) => !(name in given));
  if (names.length > 0) return lostText('its reset', names);
  const made = turns.filter(({ turn }) => turn <= upToTurn);
  for (const { turn, call, move } of made) {
    const isOpen = turn === turns.at(-1)?.turn && move?.type === 'call_tool';
    const marked = markedNames(call?.sent?.arguments ?? (isOpen ? move.arguments : {}));
    if (marked.length > 0) return lostText(`the call of turn ${String(turn)}`, marked);
  }
  return null;
}

const lostText = (what: string, names: readonly string[]): string =>
  `${what} was given ${names.join(' and ')}, which no log holds: without it a session would ${what === 'its reset' ? 'begin in' : 'come to'} another state`;

/** Throws `bad_input` with the next step. */
export function checkSecrets(
  record: Again,
  { next = 'Start its task again with the secret.', ...options }: AgainOptions & { next?: string } = {},
): void {
  const lost = lostSecrets(record, options);
  if (lost !== null) throw new Failure('bad_input', lost, { next });
}
