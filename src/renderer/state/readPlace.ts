// Reading one event, or one text that was put away, again from the log.
import type { Transport } from '../client/transport.ts';
import type { Recorded } from '../../shared/events/vocabulary.ts';
import { Failure } from '../../shared/failure.ts';
import { fieldOf, type TextAddress } from './putAway.ts';

type PlaceCall = Transport['call'];

/** One event as the log holds it. */
export async function readEvent(call: PlaceCall, episode: string, n: number): Promise<Recorded> {
  const { events } = await call('episode.read', { episode, after: n - 1, limit: 1 });
  const [recorded] = events;
  if (recorded?.n !== n) throw new Failure('not_found', `event ${String(n)} of ${episode} is not there`);
  return recorded;
}

/** A text that was put away. Throws `not_found` when its event does not hold it any more. */
export async function readPlace(call: PlaceCall, { episode, n, field }: TextAddress): Promise<string> {
  const text = fieldOf((await readEvent(call, episode, n)).event, field);
  if (text === null) throw new Failure('not_found', `event ${String(n)} no longer has that text`);
  return text;
}
