import { describe, expect, it } from 'vitest';
import { createSession } from '../../../src/renderer/state/createSession.ts';
import { createMemoryStorage } from '../../../src/renderer/state/kept.ts';
import type { Press } from '../../../src/renderer/state/keyboard.ts';
import { setPrefs } from '../../../src/renderer/state/deskPrefs.ts';
import { shownChord } from '../../../src/renderer/state/keys.ts';
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

describe('keys that are pressed alone', () => {
  const storage = createMemoryStorage();
  const open = () =>
    createSession({ transport: createScriptedTransport(), seat: 'seat-1', tab: 'one', storage });

  it('do nothing where the person turned them off, at once and after a reload; the others still do', () => {
    const did: string[] = [];
    const bind = ({ keyboard }: ReturnType<typeof open>): void =>
      void keyboard.bind('desk', () => ({
        'desk.accept': () => did.push('accept'),
        'go.desk': () => did.push('go'),
        'desk.send': () => did.push('send'),
        'desk.open': () => did.push('open'),
      }));
    const session = open();
    bind(session);
    expect(session.keyboard.press(press('a'))).toBe(true);
    setPrefs(session.store, { plain_keys: false });

    const again = open();
    bind(again);
    for (const { keyboard } of [session, again]) {
      expect([keyboard.press(press('a')), keyboard.press(press('g')), keyboard.press(press('d'))]).toEqual([
        false,
        false,
        false,
      ]);
      keyboard.press({ ...press('Enter'), ctrlKey: true });
      keyboard.press(press('Enter'));
    }
    expect(did).toEqual(['accept', 'send', 'open', 'send', 'open']);
  });

  it('are not drawn then', () => {
    expect(shownChord('desk.accept', true)).toBe('a');
    expect(shownChord('desk.accept', false)).toBe('');
    expect(shownChord('list.down', false)).toBe('ArrowDown');
    expect(shownChord('mod+Enter', false)).toBe('mod+Enter');
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
