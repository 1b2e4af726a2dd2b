// The drawing against its data, and its axes against d3's own.
import { scaleLinear } from 'd3-scale';
import { describe, expect, it } from 'vitest';
import { toSvgText } from '../../src/figures/scene.ts';
import type { PlotPoint } from '../../src/figures/plot.ts';
import { rewardCurves } from '../../src/figures/trainingCharts.ts';
import { trainingFigures } from '../../src/figures/trainingFigures.ts';
import { EXAMPLE_COMPLETIONS, PUBLIC_EXAMPLE } from '../../src/shared/training/publicExample.ts';
import { classed, rulerOf, textsOf } from './support.ts';

const LIGHT = { width: 600, theme: 'light' } as const;
const points = PUBLIC_EXAMPLE.steps.map(({ step, reward }) => ({ x: step, y: reward ?? 0 }));
const curveOf = (list: readonly PlotPoint[], name = 'r') =>
  rewardCurves({ series: [{ name, points: list }], notes: [] }).draw(LIGHT);
const curve = (width = 600) =>
  rewardCurves({ series: [{ name: 'Adaptive', points }], notes: [] }).draw({ width, theme: 'light' });

describe('a reward curve', () => {
  it.each([300, 600, 1200])('stands where its numbers are, read off the ticks at %i px', (width) => {
    const figure = curve(width);
    const [x, y] = [rulerOf(figure, 'x'), rulerOf(figure, 'y')];
    const marks = classed(figure, 'mark').map(({ attributes }) => ({
      step: x(Number(attributes['cx'])),
      value: y(Number(attributes['cy'])),
    }));

    expect(marks).toHaveLength(29);
    for (const [index, point] of points.entries()) {
      expect(marks[index]?.step).toBeCloseTo(point.x, 0);
      // Two decimals of a pixel.
      expect(Math.abs((marks[index]?.value ?? 99) - point.y)).toBeLessThan(0.002);
    }
  });

  it('has the ticks d3 gives the same numbers', () => {
    const values = points.map((point) => point.y);
    const ticks = classed(curve(), 'y-tick').map(({ attributes }) => attributes['data-value']);
    expect(ticks).toEqual(
      scaleLinear([Math.min(...values), Math.max(...values)], [0, 1])
        .nice(5)
        .ticks(5),
    );
  });

  it('names each value in words, and holds all of them in its table', () => {
    const figure = curve();
    expect(figure.points.map(({ text }) => text)).toContain('Adaptive. Training step 29: Reward 0.407');
    expect(figure.table.rows.map(([, at, value]) => ({ x: at, y: value }))).toEqual(points);
  });

  it('writes hostile names as text', () => {
    const text = toSvgText(curveOf(points, '<script>"x"&\u0001').svg);
    expect(text).not.toContain('<script>');
    expect(text).toContain('&lt;script&gt;');
    expect(text).not.toContain('\u0001');
  });
});

describe('data that is not much', () => {
  it('gets a sentence in place of a broken drawing', () => {
    const figure = curveOf([]);
    expect(textsOf(figure)).toContain('No step of this run has a reward yet, so there is no curve to draw.');
    expect(classed(figure, 'y-tick')).toEqual([]);
  });

  it('of one point is drawn, and said to show no change', () => {
    const figure = curveOf([{ x: 3, y: 0.5 }]);
    expect(classed(figure, 'mark')).toHaveLength(1);
    expect(toSvgText(figure.svg)).not.toContain('NaN');
    expect(textsOf(figure)).toContain('nothing here shows a change');
  });

  it('without intervals says so, and with them draws them', () => {
    expect(textsOf(curve())).toContain('No interval is shown');
    const known = curveOf([
      { x: 1, y: 0.5, low: 0.2, high: 0.8 },
      { x: 2, y: 0.6 },
    ]);
    expect(classed(known, 'interval')).toHaveLength(1);
    expect(textsOf(known)).not.toContain('No interval is shown');
  });
});

describe('the published example', () => {
  it('never stands alone: every figure tells of the run without an expert, 55.2 % at step 48', () => {
    for (const drawing of trainingFigures(PUBLIC_EXAMPLE)) {
      const text = textsOf(drawing.draw(LIGHT));
      expect(text).toContain('55.2 % at step 48');
      expect(text).toContain('above zero from step 16');
      expect(text).toContain('Source: OpenEnv PR #428');
    }
  });

  it('has the completions of the adaptive run as its own steps add up to', () => {
    const windows = [
      [1, 5],
      [6, 10],
      [11, 15],
      [16, 17],
    ] as const;
    const means = windows.map(([from, to]) => {
      const list = PUBLIC_EXAMPLE.steps.filter(({ step }) => step >= from && step <= to);
      return list.reduce((sum, { completed }) => sum + (completed ?? 0), 0) / list.length;
    });
    const told = EXAMPLE_COMPLETIONS.strategies.find(({ name }) => name === 'Adaptive')?.values ?? [];
    for (const [index, mean] of means.entries()) expect(told[index]).toBeCloseTo(mean, 9);
  });

  it('is drawn in bars as tall as its numbers', () => {
    const figure = trainingFigures(PUBLIC_EXAMPLE)
      .find(({ name }) => name === 'completions')
      ?.draw(LIGHT);
    if (figure === undefined) throw new Error('no completions');
    const y = rulerOf(figure, 'y');
    const bars = classed(figure, 'mark');
    expect(bars).toHaveLength(12);
    for (const { attributes } of bars) {
      expect(
        y(Number(attributes['y'])) - y(Number(attributes['y']) + Number(attributes['height'])),
      ).toBeCloseTo(Number(attributes['data-y']), 1);
    }
  });
});
