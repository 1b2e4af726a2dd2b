import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const css = readFileSync(join(import.meta.dirname, '../../../src/renderer/ui/tokens.css'), 'utf8');

type Theme = 'light' | 'dark' | 'contrast light' | 'contrast dark';
type Colour = [number, number, number];

/** The colours of a theme as the page resolves them: the base block, and for high contrast the second one over it. */
function themeOf(theme: Theme): Map<string, Colour> {
  const [base = '', more = ''] = css.split(":root[data-contrast='more']");
  const side = theme.endsWith('light') ? 0 : 1;
  const colours = new Map<string, Colour>();
  for (const block of theme.startsWith('contrast') ? [base, more] : [base])
    for (const [, name = '', light = '', dark = ''] of block.matchAll(
      /--([a-z0-9-]+):\s*light-dark\((#[0-9a-f]{6}),\s*(#[0-9a-f]{6})\)/g,
    ))
      colours.set(name, rgb([light, dark][side] ?? ''));
  // The one colour that is the same in every theme.
  const ink = /--waiting-fill-ink:\s*(#[0-9a-f]{6})/.exec(base)?.[1];
  if (ink !== undefined) colours.set('waiting-fill-ink', rgb(ink));
  return colours;
}

const rgb = (hex: string): Colour =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as Colour;

const luminance = (colour: Colour): number => {
  const [r = 0, g = 0, b = 0] = colour.map((part) => {
    const c = part / 255;
    return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};

function contrast(theme: Theme, ink: string, ground: string): number {
  const colours = themeOf(theme);
  const [a, b] = [colours.get(ink), colours.get(ground)];
  if (a === undefined || b === undefined) throw new Error(`no token ${ink} or ${ground}`);
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

/** Pairs that fall below a ratio, with what they reach. */
const below = (theme: Theme, ratio: number, pairs: [string, string][]): string[] =>
  pairs
    .map(([ink, ground]) => ({ ink, ground, reached: contrast(theme, ink, ground) }))
    .filter(({ reached }) => reached < ratio)
    .map(({ ink, ground, reached }) => `${ink} on ${ground}: ${reached.toFixed(2)}`);

const across = (inks: string[], grounds: string[]): [string, string][] =>
  inks.flatMap((ink) => grounds.map((ground): [string, string] => [ink, ground]));

const SURFACES = ['surface-0', 'surface-1', 'surface-2'];
const ACTORS = ['agent', 'environment', 'model', 'human', 'verifier', 'system', 'scripted'].map(
  (actor) => `actor-${actor}`,
);
const STATES = ['ok', 'error', 'waiting'];
const THEMES: Theme[] = ['light', 'dark', 'contrast light', 'contrast dark'];

describe.each(THEMES)('the %s theme', (theme) => {
  it('lets body text be read by everyone: 7 to 1', () => {
    expect(below(theme, 7, across(['ink-1', 'ink-2'], [...SURFACES, 'surface-3', 'accent-soft']))).toEqual(
      [],
    );
  });

  it('lets quiet text, actors and states be read on every ground they stand on: 4.5 to 1', () => {
    const soft = [...ACTORS, ...STATES].map((tone): [string, string] => [tone, `${tone}-soft`]);
    const pairs = [
      ...across(['ink-3', 'accent', ...ACTORS, ...STATES], SURFACES),
      ...across(['ink-3', 'accent'], ['accent-soft']),
      ...soft,
      ['accent-ink', 'accent'] as [string, string],
      ['accent-ink', 'accent-hover'] as [string, string],
    ];

    const onSoft = [...ACTORS, ...STATES].flatMap((tone) => across(['ink-1', 'ink-2'], [`${tone}-soft`]));
    const fill: [string, string][] = [['waiting-fill-ink', 'waiting-fill']];

    expect(below(theme, 4.5, [...pairs, ...onSoft, ...fill])).toEqual([]);
  });

  it('shows where a field ends and where the focus is: 3 to 1', () => {
    expect(below(theme, 3, across(['line-strong', 'accent'], ['surface-0', 'surface-1']))).toEqual([]);
  });
});
