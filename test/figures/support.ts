// Reads a drawn figure back: what a person would read off it with a ruler.
import type { Figure, SvgNode } from '../../src/figures/scene.ts';

export const nodesOf = (node: SvgNode): SvgNode[] => [
  node,
  ...node.children.flatMap((child) => (typeof child === 'string' ? [] : nodesOf(child))),
];

export const classed = (figure: Figure, name: string): SvgNode[] =>
  nodesOf(figure.svg).filter(({ attributes }) => attributes['class'] === name);

export const textsOf = (figure: Figure): string =>
  nodesOf(figure.svg)
    .flatMap(({ children }) => children.filter((child) => typeof child === 'string'))
    .join(' ');

/** The scale that the ticks of an axis draw: from a place to a value. */
export function rulerOf(figure: Figure, axis: 'x' | 'y'): (place: number) => number {
  const ticks = classed(figure, `${axis}-tick`).map((tick) => {
    const line = tick.children.find(
      (child): child is SvgNode => typeof child !== 'string' && child.tag === 'line',
    );
    return { value: Number(tick.attributes['data-value']), place: Number(line?.attributes[`${axis}1`]) };
  });
  const [first, last] = [ticks[0], ticks.at(-1)];
  if (first === undefined || last === undefined || first === last) throw new Error('an axis needs two ticks');
  const slope = (last.value - first.value) / (last.place - first.place);
  return (place) => first.value + (place - first.place) * slope;
}
