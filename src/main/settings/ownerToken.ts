// The token that opens the owner's console: made once, kept among the secrets, renewed when its owner says so.
import { randomBytes } from 'node:crypto';
import type { Secrets } from './fileSecrets.ts';

export type OwnerToken = {
  ownerToken(): string;
  /** Puts a new one in its place: the old one opens nothing any more. */
  renewOwnerToken(): string;
  /** Hears each new one; returns its undo. */
  onOwnerTokenRenewed(listener: (token: string) => void): () => void;
};

/** Its name among the secrets. */
export const OWNER_TOKEN = 'token.console';

export function ownerToken(secrets: Secrets): OwnerToken {
  const listeners = new Set<(token: string) => void>();
  const renew = (): string => {
    const token = randomBytes(24).toString('base64url');
    secrets.write(OWNER_TOKEN, token);
    return token;
  };
  return {
    ownerToken: () => secrets.read(OWNER_TOKEN) ?? renew(),
    renewOwnerToken: () => {
      const token = renew();
      for (const tell of listeners) tell(token);
      return token;
    },
    onOwnerTokenRenewed: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
