// The identity of this console: its seat, chosen once and kept, and the entry it comes in by. The token itself is in a
// cookie that no script reads.
import * as z from 'zod/mini';
import { SEAT_ID, seatOfEntry } from '../../shared/contract/greeting.ts';

/** The part of localStorage and sessionStorage in use; both throw when the browser forbids storage. */
type KeyValue = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const SEAT_KEY = 'interject.seat';
const ENTRY_KEY = 'interject.entry';

/** This console's seat id; a new one where none is kept. */
export function readSeat(local: KeyValue, randomBytes: (length: number) => Uint8Array): string {
  const kept = local.getItem(SEAT_KEY) ?? '';
  if (SEAT_ID.test(kept)) return kept;
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

/** Every entry this console may try, newest first: another tab may hold a newer one than this tab. */
export function readEntries(fresh: string | null, session: KeyValue, local: KeyValue): string[] {
  const kept = [session.getItem(ENTRY_KEY), local.getItem(ENTRY_KEY)];
  const known = [fresh, ...kept].filter((entry): entry is string => entry !== null && entry !== '');
  return [...new Set(known)];
}

/** Keeps the entry for a reload of this tab and for the next one; an invite's never in place of the owner's own. */
export function keepEntry(entry: string, session: KeyValue, local: KeyValue): void {
  session.setItem(ENTRY_KEY, entry);
  const kept = local.getItem(ENTRY_KEY) ?? '';
  const isOwners = kept !== '' && seatOfEntry(kept) === null;
  if (seatOfEntry(entry) === null || !isOwners) local.setItem(ENTRY_KEY, entry);
}

const Entered = z.object({ entry: z.string() });
/** Before a server that is away is asked again. */
const AWAY_MS = 1000;

/** Has the browser keep a token as a cookie; its entry, or null where the token opens nothing. */
export async function enterWith(token: string): Promise<string | null> {
  for (;;) {
    try {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await fetch('/console', { method: 'POST', headers, cache: 'no-store' });
      return answer.ok ? Entered.parse(await answer.json()).entry : null;
    } catch (thrown) {
      // No request can carry it: such a one was never given out.
      if (!isHeaderValue(token)) return null;
      if (!(thrown instanceof TypeError)) throw thrown;
      await new Promise((again) => setTimeout(again, AWAY_MS));
    }
  }
}

const isHeaderValue = (token: string): boolean => /^[\x21-\x7e]+$/.test(token);
