import { describe, expect, it } from 'vitest';
import { keepEntry, readEntries } from '../../../src/renderer/client/identity.ts';
import { entryOf } from '../../../src/main/hosts/consoleDoor.ts';
import { inviteToken, seatOfEntry, seatOfToken } from '../../../src/shared/contract/greeting.ts';
import { createMemoryStorage } from '../../../src/renderer/state/kept.ts';

it('the entry of the address is tried first, then the one this tab had, then the one another tab left', () => {
  const [session, local] = [createMemoryStorage(), createMemoryStorage()];
  keepEntry('of this tab', session, local);
  keepEntry('of another tab', createMemoryStorage(), local);

  expect(readEntries('of the address', session, local)).toEqual([
    'of the address',
    'of this tab',
    'of another tab',
  ]);
  expect(readEntries('of this tab', session, local)).toEqual(['of this tab', 'of another tab']);
  expect(readEntries(null, createMemoryStorage(), createMemoryStorage())).toEqual([]);
});

describe('an invite’s token', () => {
  const INVITE = inviteToken('seat-0a1b2c3d4e5f', 'secret');

  it('names the seat it is for; no other token does', () => {
    expect(seatOfToken(INVITE)).toBe('seat-0a1b2c3d4e5f');
    expect(seatOfToken('an-owners-token')).toBeNull();
    expect(seatOfToken('invite.Not A Seat.secret')).toBeNull();
  });

  it('has an entry that names the seat and not the token, and is never kept in place of the owner’s own', () => {
    const [guest, owner] = [createMemoryStorage(), createMemoryStorage()];
    const [theirs, owners] = [entryOf(INVITE), entryOf('an-owners-token')];
    expect([seatOfEntry(theirs), seatOfEntry(owners)]).toEqual(['seat-0a1b2c3d4e5f', null]);
    expect(theirs).not.toContain('secret');
    keepEntry(owners, createMemoryStorage(), owner);

    keepEntry(theirs, createMemoryStorage(), guest);
    keepEntry(theirs, createMemoryStorage(), owner);

    expect(readEntries(null, createMemoryStorage(), guest)).toEqual([theirs]);
    expect(readEntries(null, createMemoryStorage(), owner)).toEqual([owners]);
  });
});
