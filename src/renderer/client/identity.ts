// Who this console is: its seat, chosen once and kept, and the token it was opened with.
import { SeatId, seatOfToken } from '../../shared/contract/envelope.ts';

/** What is needed of localStorage and sessionStorage; both throw when the browser forbids storage. */
type KeyValue = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const SEAT_KEY = 'interject.seat';
const TOKEN_KEY = 'interject.token';

/** This console's seat id; a new one where none is kept. */
export function readSeat(local: KeyValue, randomBytes: (length: number) => Uint8Array): string {
  const kept = SeatId.safeParse(local.getItem(SEAT_KEY));
  if (kept.success) return kept.data;
  const seat = `seat-${[...randomBytes(6)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
  local.setItem(SEAT_KEY, seat);
  return seat;
}

/** The token in a fragment, and the fragment without it. */
export function splitFragment(fragment: string): { token: string | null; rest: string } {
  const parts = fragment.replace(/^#/, '').split('&');
  const found = parts.find((part) => part.startsWith('token='));
  const rest = parts.filter((part) => part !== found && part !== '').join('&');
  return {
    token: found === undefined ? null : decodeOrKeep(found.slice('token='.length)),
    rest: rest === '' ? '' : `#${rest}`,
  };
}

/** A link that was cut may end inside an escape. */
function decodeOrKeep(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Every token this console may try, newest first: another tab may hold a newer one than this tab. */
export function readTokens(fromUrl: string | null, session: KeyValue, local: KeyValue): string[] {
  const kept = [session.getItem(TOKEN_KEY), local.getItem(TOKEN_KEY)];
  const known = [fromUrl, ...kept].filter((token): token is string => token !== null && token !== '');
  return [...new Set(known)];
}

/** Keeps the token for a reload of this tab and for the next one; an invite's never in place of the owner's own. */
export function keepToken(token: string, session: KeyValue, local: KeyValue): void {
  session.setItem(TOKEN_KEY, token);
  const kept = local.getItem(TOKEN_KEY) ?? '';
  const isOwners = kept !== '' && seatOfToken(kept) === null;
  if (seatOfToken(token) === null || !isOwners) local.setItem(TOKEN_KEY, token);
}
