import { describe, expect, it } from 'vitest';
import { setKey } from '../../../src/renderer/state/choices.ts';
import { createSession } from '../../../src/renderer/state/createSession.ts';
import { createMemoryStorage } from '../../../src/renderer/state/kept.ts';
import type { Press } from '../../../src/renderer/state/keyboard.ts';
import { keyRows } from '../../../src/renderer/state/keys.ts';
import { chordsOf, keyConflicts, refusal, shownChord, withKey } from '../../../src/renderer/state/remap.ts';
import { createScriptedTransport } from './transport.ts';

const press = (key: string, place: Partial<Press['place']> = {}): Press => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  repeat: false,
  place: { isEditable: false, isControl: false, isOverlayOpen: false, ...place },
});

describe('a changed key', () => {
  const storage = createMemoryStorage();
  const open = () =>
    createSession({ transport: createScriptedTransport(), seat: 'seat-1', tab: 'one', storage });

  it('does it in place of the old one, at once and after a reload', () => {
    const did: string[] = [];
    const bind = ({ keyboard }: ReturnType<typeof open>): void =>
      void keyboard.bind('desk', () => ({ 'desk.accept': () => did.push('accept') }));
    const session = open();
    bind(session);
    setKey(session.store, 'desk.accept', 'y');

    expect([session.keyboard.press(press('a')), session.keyboard.press(press('y'))]).toEqual([false, true]);
    const again = open();
    bind(again);
    expect(again.keyboard.press(press('y'))).toBe(true);
    expect(did).toEqual(['accept', 'accept']);
  });

  it('rests where a person types and under what lies over the screen, as every plain key does', () => {
    const session = open();
    const did: string[] = [];
    session.keyboard.bind('desk', () => ({ 'desk.accept': () => did.push('accept') }));

    expect(session.keyboard.press(press('y', { isEditable: true }))).toBe(false);
    expect(session.keyboard.press(press('y', { isOverlayOpen: true }))).toBe(false);
    expect(did).toEqual([]);
  });

  it('is shown wherever the key is drawn, and given back by a reset', () => {
    const changes = withKey({}, 'desk.accept', 'y');

    expect(shownChord('desk.accept', changes)).toBe('y');
    expect(shownChord('mod+Enter', changes)).toBe('mod+Enter');
    expect(withKey(changes, 'desk.accept', null)).toEqual({});
    expect(withKey(changes, 'desk.accept', 'a')).toEqual({});
  });

  it('may be no key at all', () => {
    expect(chordsOf('desk.accept', withKey({}, 'desk.accept', ''))).toEqual([]);
    expect(shownChord('desk.accept', { 'desk.accept': '' })).toBe('');
  });
});

describe('a chord for a key', () => {
  it('collides with what is bound on the same screen, and with nothing of other screens', () => {
    expect(keyConflicts('desk.accept', 'n', {})).toEqual(['desk.next']);
    expect(keyConflicts('desk.accept', 'r', {})).toContain('desk.decline');
    expect(keyConflicts('wall.waiting', 'a', {})).toEqual([]);
    expect(keyConflicts('desk.accept', 'm', {})).toEqual([]);
  });

  it('collides with sequences that it would cut short', () => {
    expect(keyConflicts('desk.accept', 'g', {})).toEqual(expect.arrayContaining(['go.desk', 'go.settings']));
    expect(keyConflicts('desk.accept', 'n x', {})).toEqual(['desk.next']);
  });

  it('is free again where its old command has another key', () => {
    expect(keyConflicts('desk.accept', 'n', { 'desk.next': 'm' })).toEqual([]);
    expect(keyConflicts('live.step', 'm', { 'desk.next': 'm' })).toEqual(['desk.next']);
  });

  it('may be shared where the table itself shares it, and the table has no other clash', () => {
    const clashes = keyRows().flatMap(({ id, row }) =>
      row.chords.flatMap((chord) => keyConflicts(id, chord, {}).map((other) => `${id} ${other} ${chord}`)),
    );

    expect(clashes).toEqual([]);
  });

  it('is refused when the browser or the console needs it', () => {
    expect(refusal('mod+w')).toMatch(/browser/);
    expect(refusal('Escape')).toMatch(/Esc/);
    expect(refusal('g mod+k')).toMatch(/plain/);
    expect(refusal('y')).toBeNull();
    expect(refusal('mod+y')).toBeNull();
  });
});

describe('the keyboard', () => {
  it('does by name what is bound last, and says when nothing is', () => {
    const session = createSession({
      tab: 'one',
      transport: createScriptedTransport(),
      seat: 'seat-1',
      storage: createMemoryStorage(),
    });
    const did: string[] = [];
    session.keyboard.bind('live', () => ({ 'live.step': () => did.push('first') }));
    const unbind = session.keyboard.bind('live', () => ({ 'live.step': () => did.push('last') }));

    expect(session.keyboard.run('live.step')).toBe(true);
    unbind();
    session.keyboard.run('live.step');
    expect(session.keyboard.run('desk.accept')).toBe(false);
    expect(did).toEqual(['last', 'first']);
  });
});
