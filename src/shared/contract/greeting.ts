// The greeting of a console: whose token it is, and the first frame over its socket, with the version of the frames
// that its client speaks. Every page loads it: no schemas here.
import { Failure } from '../failure.ts';
import { isRecord } from '../json.ts';

/**
 * Of what goes over the console's socket: frames, and how they are read. Raised with every change that a reader of the
 * version before would not understand: the page, `resources/kit/loop/console.py`.
 */
export const SOCKET_VERSION = 1;

/** Close code of a socket whose client speaks another version; its reason, of at most 123 bytes, says both. */
export const OTHER_VERSION = 4426;
/** Close code of a socket that a limit keeps out for now; its reason says which limit. */
export const TRY_LATER = 1013;

/** The subprotocol of a script's socket carries the token: `interject.<token>`. */
export const SUBPROTOCOL_PREFIX = 'interject.';
/** A seat's id as a console chooses it once and keeps it. */
export const SEAT_ID = /^[a-z0-9-]{4,40}$/;

/**
 * A browser keeps a token in a cookie that is sent to `/console/<entry>` alone. The entry of an invite names its seat, so that a
 * page knows whose it is without the token.
 */
export const seatOfEntry = (entry: string): string | null =>
  /^([a-z0-9-]{4,40})\.[0-9a-f]{32}$/.exec(entry)?.[1] ?? null;

/** An invite's token names the seat it is for: `invite.<seat>.<secret>`. */
export const inviteToken = (seat: string, secret: string): string => `invite.${seat}.${secret}`;
/** The seat of an invite's token; null for any other token. */
export const seatOfToken = (token: string): string | null =>
  /^invite\.([a-z0-9-]{4,40})\.[\w-]+$/.exec(token)?.[1] ?? null;

const integerOr = <T>(value: unknown, other: T): number | T =>
  typeof value === 'number' && Number.isSafeInteger(value) ? value : other;

/**
 * The id of a socket's first frame, and why its client is refused; null where it speaks our version. A client of any
 * version may have written it: one of a time before versions asks for something at once.
 */
export function greetingIn(raw: unknown): { id: number; failure: Failure | null } {
  const frame = isRecord(raw) ? raw : {};
  const told = frame['type'] === 'hello' ? integerOr(frame['version'], null) : null;
  return { id: integerOr(frame['id'], -1), failure: told === SOCKET_VERSION ? null : otherVersion(told) };
}

function otherVersion(told: number | null): Failure {
  const theirs =
    told === null
      ? 'does not say which version of the console’s socket it speaks'
      : `speaks version ${String(told)} of the console’s socket`;
  return new Failure(
    'stale',
    `This page or script ${theirs}; this Interject speaks version ${String(SOCKET_VERSION)}.`,
    {
      next: 'Reload the page. A script needs the reader that comes with this Interject: resources/kit/loop/console.py.',
    },
  );
}
