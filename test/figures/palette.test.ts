// Colours against the ground, against each other as a person with deuteranopia or protanopia sees them, and against the console's.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SERIES_COLOURS, THEMES } from '../../src/figures/theme.ts';

type Linear = [number, number, number];

function linearOf(hex: string): Linear {
  return [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as Linear;
}

const luminance = ([r, g, b]: Linear): number => 0.2126 * r + 0.7152 * g + 0.0722 * b;
function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [a, b].map((hex) => luminance(linearOf(hex))).toSorted((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

/** Machado, Oliveira and Fernandes 2009, deuteranopia at full severity. */
const DEUTERANOPIA: readonly Linear[] = [
  [0.367322, 0.860646, -0.227968],
  [0.280085, 0.672501, 0.047413],
  [-0.01182, 0.04294, 0.968881],
];
/** The same paper, protanopia at full severity. */
const PROTANOPIA: readonly Linear[] = [
  [0.152286, 1.052583, -0.204868],
  [0.114503, 0.786281, 0.099216],
  [-0.003882, -0.048116, 1.051998],
];
const EYES = { deuteranopia: DEUTERANOPIA, protanopia: PROTANOPIA };
const seenBy = (eyes: keyof typeof EYES, rgb: Linear): Linear =>
  EYES[eyes].map((row) => row.reduce((sum, part, at) => sum + part * (rgb[at] ?? 0), 0)) as Linear;

/** CIE Lab, D65. */
function labOf([r, g, b]: Linear): Linear {
  const f = (t: number): number => (t > (6 / 29) ** 3 ? Math.cbrt(t) : t / (3 * (6 / 29) ** 2) + 4 / 29);
  const x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047);
  const y = f(luminance([r, g, b]));
  const z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}
const distance = (a: Linear, b: Linear): number =>
  Math.hypot(...labOf(a).map((part, at) => part - (labOf(b)[at] ?? 0)));

const tokens = readFileSync(join(import.meta.dirname, '../../src/renderer/ui/tokens.css'), 'utf8').split(
  ":root[data-contrast='more']",
)[0];

describe.each(['light', 'dark'] as const)('the %s figures', (name) => {
  const { background, ink, quiet, colours } = THEMES[name];

  it('have marks that stand out from the ground by 4.5 to 1, and words by 7 to 1', () => {
    const low = Object.entries(colours).filter(([, colour]) => contrast(colour, background) < 4.5);
    expect(low).toEqual([]);
    expect(contrast(ink, background)).toBeGreaterThan(7);
    expect(contrast(quiet, background)).toBeGreaterThan(7);
  });

  it.each(['deuteranopia', 'protanopia'] as const)('keep series apart for a reader with %s', (eyes) => {
    const close = SERIES_COLOURS.flatMap((one, index) =>
      SERIES_COLOURS.slice(index + 1).map((other) => ({
        pair: `${one} ${other}`,
        far: distance(seenBy(eyes, linearOf(colours[one])), seenBy(eyes, linearOf(colours[other]))),
      })),
    ).filter(({ far }) => far < 20);
    expect(close).toEqual([]);
  });

  it('have the hues the console gives its actors', () => {
    const side = name === 'light' ? 1 : 2;
    for (const [colour, hex] of Object.entries(colours)) {
      const token = new RegExp(`--(?:actor-)?${colour}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`).exec(
        tokens ?? '',
      );
      expect([colour, token?.[side]]).toEqual([colour, hex]);
    }
  });
});
