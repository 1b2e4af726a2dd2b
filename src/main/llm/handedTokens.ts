// Access tokens that a command of the command line hands over for what it launched here. It runs its own token command:
// nothing that comes from outside says what this process runs.
import { setTimeout as wait } from 'node:timers/promises';
import { Failure } from '../../shared/failure.ts';

export type Token = { value: string; expiresAt: number };

export type HandedTokens = {
  /** Keeps a command's token under its name for it; null says that no more come. Resolves when another is wanted. */
  hand(name: string, token: Token | null): Promise<void>;
  /** Throws `model_unauthorized` where none comes. */
  take(name: string): Promise<string>;
  forget(name: string): void;
};

type Handed = {
  token: Token | null;
  isOver: boolean;
  next: PromiseWithResolvers<Token | null>;
  want: () => void;
};

/** So long before its end a token is not used any more. */
export const MARGIN_MS = 2 * 60_000;
/** Longer than the command that prints it may take. */
const COMES_MS = 90_000;

export function createHandedTokens(clock: () => number): HandedTokens {
  const all = new Map<string, Handed>();
  const of = (name: string): Handed => {
    const known = all.get(name) ?? {
      token: null,
      isOver: false,
      next: Promise.withResolvers<Token | null>(),
      want: () => undefined,
    };
    all.set(name, known);
    return known;
  };
  return {
    hand: (name, token) => {
      const known = of(name);
      known.token = token;
      known.isOver = token === null;
      known.next.resolve(token);
      known.next = Promise.withResolvers();
      return token === null ? Promise.resolve() : new Promise((resolve) => (known.want = resolve));
    },
    take: async (name) => {
      const known = of(name);
      if (known.isOver) throw noMore();
      if (known.token !== null && known.token.expiresAt - MARGIN_MS > clock()) return known.token.value;
      known.want();
      const late = wait(COMES_MS, null, { ref: false });
      const next = await Promise.race([known.next.promise, late]);
      if (next === null) throw noMore();
      return next.value;
    },
    forget: (name) => {
      of(name).token = null;
    },
  };
}

const noMore = (): Failure =>
  new Failure('model_unauthorized', 'the command that began this hands over no access token any more', {
    next: 'See what its terminal says, and run it again.',
  });
