// How much one holder of a token may have of a console at once: an expert's seat little, the owner so much that only a
// fault reaches it. Kept in memory: a restart forgives.
import { Failure } from '../../shared/failure.ts';
import { once } from '../../shared/once.ts';
import { createKeyLimits, type AdmissionResult } from '../settings/keyLimits.ts';
import type { ConsoleHolder } from './consoleTokens.ts';
import type { SocketLimits } from './serveSocket.ts';

type Limits = {
  consoles: number;
  /** Over all of its consoles. */
  subscriptions: number;
  atOnce: number;
  perMinute: number;
};

export const SEAT_LIMITS: Limits = { consoles: 12, subscriptions: 256, atOnce: 64, perMinute: 1200 };
export const OWNER_LIMITS: Limits = { consoles: 500, subscriptions: 10_000, atOnce: 2000, perMinute: 60_000 };

export type ConsoleLimits = {
  /** One more console, or why there is none. */
  enter(holder: ConsoleHolder): (SocketLimits & { leave: () => void }) | { why: string };
};

type Held = { consoles: number; subscriptions: number };

export function createConsoleLimits(monotonic: () => number): ConsoleLimits {
  const held = new Map<string, Held>();
  const requests = createKeyLimits(monotonic);
  return {
    enter: ({ id, type }) => {
      const most = type === 'invite' ? SEAT_LIMITS : OWNER_LIMITS;
      const mine = held.get(id) ?? { consoles: 0, subscriptions: 0 };
      held.set(id, mine);
      if (mine.consoles >= most.consoles) {
        return { why: `${String(most.consoles)} consoles of this seat are open already: close some` };
      }
      mine.consoles += 1;
      return {
        leave: once(() => (mine.consoles -= 1)),
        request: () => admitted(requests.admit([{ id, ...most }])),
        subscribe: () => {
          if (mine.subscriptions >= most.subscriptions) {
            throw tooMuch(`this seat watches ${String(most.subscriptions)} things already`, CLOSE_SOME);
          }
          // What is watched anew is read anew.
          admitted(requests.admit([{ id, ...most }]))();
          mine.subscriptions += 1;
          return once(() => (mine.subscriptions -= 1));
        },
      };
    },
  };
}

const CLOSE_SOME = 'Close some of its consoles, or reload them.';

function admitted(result: AdmissionResult): () => void {
  if (result.isAdmitted) return result.release;
  throw tooMuch(`this seat is limited: ${result.why}`, `Try again in ${String(result.retryAfterS)} s.`);
}

const tooMuch = (message: string, next: string): Failure => new Failure('limit_exceeded', message, { next });
