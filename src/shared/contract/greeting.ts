// The first frame over a socket: which version of the frames its client speaks.
import { z } from 'zod';
import { Failure } from '../failure.ts';
import { SOCKET_VERSION } from './envelope.ts';

/** Close code of a socket whose client speaks another version; its reason, of at most 123 bytes, says both. */
export const OTHER_VERSION = 4426;
/** Close code of a socket that a limit keeps out for now; its reason says which limit. */
export const TRY_LATER = 1013;

/** As a client of any version may have written it: one of a time before versions asks for something at once. */
const FirstFrame = z.looseObject({
  type: z.unknown(),
  id: z.number().int().catch(-1),
  version: z.number().int().nullable().catch(null),
});

/** The id of a socket's first frame, and why its client is refused; null where it speaks our version. */
export function greetingIn(raw: unknown): { id: number; failure: Failure | null } {
  const { type, id, version } = FirstFrame.safeParse(raw).data ?? { type: null, id: -1, version: null };
  const told = type === 'hello' ? version : null;
  return { id, failure: told === SOCKET_VERSION ? null : otherVersion(told) };
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
