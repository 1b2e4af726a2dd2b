// Every chart with its usual data and with hardly any: never a broken drawing, always a sentence, and the values back.
import { describe, expect, it } from 'vitest';
import type { Drawing } from '../../src/figures/frame.ts';
import { toSvgText } from '../../src/figures/scene.ts';
import { FULL, POOR } from './examples.ts';
import { classed, textsOf } from './support.ts';

const SIZES = [300, 600, 1200] as const;
const each = (drawings: readonly Drawing[]): [string, Drawing][] =>
  drawings.map((drawing) => [drawing.name, drawing]);

describe.each(each(FULL))('%s', (_, drawing) => {
  it.each(SIZES)('stays within its own size at %i px, with every number finite', (width) => {
    const figure = drawing.draw({ width, theme: 'light' });
    expect(toSvgText(figure.svg)).not.toMatch(/NaN|Infinity|undefined/);
    for (const { x, y, text } of figure.points) {
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x).toBeLessThanOrEqual(figure.width);
      expect(y).toBeGreaterThanOrEqual(0);
      expect(y).toBeLessThanOrEqual(figure.height);
      expect(text).not.toBe('');
    }
  });

  it('has a title, words of at least 11 px, and its numbers in a table', () => {
    const figure = drawing.draw({ width: 600, theme: 'light' });
    expect(figure.title.length).toBeGreaterThan(8);
    const sizes = [...toSvgText(figure.svg).matchAll(/font-size="(\d+)"/g)].map(([, size]) => Number(size));
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(11);
    expect(figure.table.rows.length).toBeGreaterThan(0);
    expect(figure.points.length).toBeGreaterThan(0);
  });

  it('holds in its marks the values of its data', () => {
    const figure = drawing.draw({ width: 600, theme: 'light' });
    const marks = [...classed(figure, 'mark'), ...classed(figure, 'segment')];
    expect(marks.length).toBeGreaterThan(0);
    const told = new Set(figure.table.rows.flat().map(String));
    const values = marks.flatMap(({ attributes }) =>
      [attributes['data-x'], attributes['data-y']].filter((one) => typeof one === 'number'),
    );
    expect(values.filter((value) => !told.has(String(value)))).toEqual([]);
  });
});

it.each(each(POOR))('%s says in a sentence that there is nothing to draw', (_, drawing) => {
  const figure = drawing.draw({ width: 600, theme: 'light' });
  expect(classed(figure, 'mark')).toEqual([]);
  expect(figure.points).toEqual([]);
  expect(textsOf(figure)).toMatch(/(?:No|no|nothing|None)[^.]+\./);
});
