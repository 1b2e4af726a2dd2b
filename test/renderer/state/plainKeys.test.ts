import { expect, it } from 'vitest';
import { shownChord } from '../../../src/renderer/state/keys.ts';

it('keys that are pressed alone are not drawn then', () => {
  expect(shownChord('desk.accept', true)).toBe('a');
  expect(shownChord('desk.accept', false)).toBe('');
  expect(shownChord('list.down', false)).toBe('ArrowDown');
  expect(shownChord('mod+Enter', false)).toBe('mod+Enter');
});
