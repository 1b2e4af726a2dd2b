// The invites to an expert's seat, as they stand in the settings file. A token is kept as its hash only.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { inviteToken, seatOfToken } from '../../shared/contract/greeting.ts';
import { Invite } from '../../shared/contract/seat.ts';
import { Failure } from '../../shared/failure.ts';
import { rawList, type JsonFile } from './jsonFile.ts';

export type InviteList = {
  invites(): Invite[];
  /** The token is returned this once. */
  createInvite(invite: NewInvite): { invite: Invite; token: string };
  /** Throws `not_found`. */
  revokeInvite(id: string): void;
  /** Revokes those that a key made which is not there any more. */
  revokeInvitesOfKeys(isLive: (key: string) => boolean): void;
  /** The invite a token belongs to; null when it belongs to none, or to one that was revoked or has expired. */
  inviteOf(token: string, now: number): Invite | null;
  /** Hears the id of every invite that is revoked; returns its undo. */
  onInviteRevoked(listener: (id: string) => void): () => void;
};

type NewInvite = Omit<Invite, 'id' | 'seat'>;

const StoredInvite = Invite.extend({ sha256: z.string() });
type StoredInvite = z.infer<typeof StoredInvite>;

const tokenHash = (token: string): Buffer => createHash('sha256').update(token).digest();

export function inviteList(file: JsonFile): InviteList {
  const listeners = new Set<(id: string) => void>();
  const raw = (): unknown[] => rawList(file.read(), 'invites');
  const stored = (): StoredInvite[] => raw().flatMap((one) => StoredInvite.safeParse(one).data ?? []);
  const save = (invites: unknown[]): void => file.write({ ...file.read(), invites });
  const revoke = (ids: readonly string[]): void => {
    // What cannot be read stays as it is.
    save(raw().filter((one) => !ids.includes(StoredInvite.safeParse(one).data?.id ?? '')));
    for (const id of ids) for (const tell of listeners) tell(id);
  };
  return {
    invites: () => stored().map(publicOf),
    createInvite: (given) => {
      const seat = `seat-${randomBytes(6).toString('hex')}`;
      const token = inviteToken(seat, randomBytes(24).toString('base64url'));
      const invite = { ...given, id: randomBytes(6).toString('hex'), seat };
      save([...raw(), { ...invite, sha256: tokenHash(token).toString('hex') }]);
      return { invite, token };
    },
    revokeInvite: (id) => {
      if (!stored().some((one) => one.id === id)) {
        throw new Failure('not_found', `there is no invite ${id}`, { next: 'It may be revoked already.' });
      }
      revoke([id]);
    },
    revokeInvitesOfKeys: (isLive) => {
      const orphans = stored().filter((one) => one.made_by !== null && !isLive(one.made_by));
      if (orphans.length > 0) revoke(orphans.map(({ id }) => id));
    },
    inviteOf: (token, now) => {
      const seat = seatOfToken(token);
      if (seat === null) return null;
      const found = stored().find((one) => one.seat === seat);
      if (found === undefined || !isSameHash(tokenHash(token), found.sha256)) return null;
      return found.expires_at !== null && found.expires_at <= now ? null : publicOf(found);
    },
    onInviteRevoked: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const publicOf = ({ sha256: _digest, ...invite }: StoredInvite): Invite => invite;

function isSameHash(hash: Buffer, stored: string): boolean {
  const known = Buffer.from(stored, 'hex');
  return known.length === hash.length && timingSafeEqual(known, hash);
}
