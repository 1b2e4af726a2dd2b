import { describe, expect, it } from 'vitest';
import { bottomClearOf, type Box, topClearOf } from '../../../src/renderer/ui/Toast.tsx';

const SCREEN = { height: 800, lowest: 36 };
const MESSAGE = { left: 964, right: 1264, height: 60 };
const row = (top: number, bottom: number, left = 800, right = 1280): Box => ({ top, bottom, left, right });

describe('a message at the foot of the screen', () => {
  it('stands at the bottom where nothing is in its way', () => {
    expect(bottomClearOf(MESSAGE, [], SCREEN)).toBe(36);
    expect(bottomClearOf(MESSAGE, [row(100, 140)], SCREEN)).toBe(36);
    expect(bottomClearOf(MESSAGE, [row(720, 776, 0, 400)], SCREEN)).toBe(36);
  });

  it('stands over the row of buttons it would cover, and over the next one if it would cover that', () => {
    expect(bottomClearOf(MESSAGE, [row(728, 776)], SCREEN)).toBe(80);
    expect(bottomClearOf(MESSAGE, [row(728, 776), row(680, 716)], SCREEN)).toBe(128);
  });
});

describe('a message at the top of a narrow screen', () => {
  const narrow = { height: 400, highest: 8 };
  const message = { left: 372, right: 632, height: 60 };

  it('stands at the top, or below the field one writes in', () => {
    expect(topClearOf(message, [row(300, 340, 60, 600)], narrow)).toBe(8);
    expect(topClearOf(message, [row(30, 70, 60, 600)], narrow)).toBe(78);
    expect(topClearOf(message, [row(30, 70, 60, 600), row(90, 130, 60, 600)], narrow)).toBe(138);
  });
});
