import { expect, it } from 'vitest';
import { shownChord } from '../../../src/renderer/state/keys.ts';

it('keys that are pressed alone are not drawn then', () => {
  expect(shownChord('approve', true)).toBe('a');
  expect(shownChord('approve', false)).toBe('');
  expect(shownChord('down', false)).toBe('ArrowDown');
  expect(shownChord('mod+Enter', false)).toBe('mod+Enter');
});
