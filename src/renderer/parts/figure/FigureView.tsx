// A figure in the console: drawn for the room it has, its values named under the pointer and by the arrow keys, its
// numbers as a table, and itself as a file.
import {
  createElement,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
} from 'react';
import type { Drawing } from '../../../figures/charts/chart.ts';
import type { Figure, SvgNode } from '../../../figures/scene.ts';
import { countText } from '../../../shared/countText.ts';
import { Button } from '../../ui/Button.tsx';
import { saveFile } from '../../ui/saveFile.ts';
import { useWidth } from '../episode/useWidth.ts';
import * as styles from './FigureView.module.css';
import { pictureOf, svgFileOf } from './files.ts';
import { NumberTable } from './NumberTable.tsx';

/** What an element that was not measured yet is taken for. */
const WIDTH = 600;
const WIDTH_MAX = 900;

type FigureViewProps = {
  /** The same one as long as its data is the same. */
  drawing: Drawing;
  /** What is chosen from by the arrow keys. */
  label: string;
};

export function FigureView({ drawing, label }: FigureViewProps): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const measured = useWidth(box);
  const width = Number.isFinite(measured) && measured > 0 ? Math.min(measured, WIDTH_MAX) : WIDTH;
  const [shown, setShown] = useState<readonly [number, number] | undefined>();
  const figure = useMemo(
    () => drawing.draw({ width, theme: 'page', yLeast: shown, hasNotes: false }),
    [drawing, width, shown],
  );
  // A curve that is watched keeps the axis it has shown: a step that is being played would move it up and down.
  const { yShown } = figure;
  if (yShown !== null && (shown === undefined || yShown[0] < shown[0] || yShown[1] > shown[1]))
    setShown(yShown);
  // A long run has thousands of rows: they are made when they are looked at.
  const [isOpen, setIsOpen] = useState(false);
  const svg = useMemo(() => <>{elementOf(figure.svg, 0)}</>, [figure]);
  return (
    <figure className={styles.figure} ref={box} aria-label={figure.title}>
      <Points figure={figure} label={label} svg={svg} />
      <Notes notes={figure.notes} />
      <div className={styles.below}>
        <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
          <summary>As a table</summary>
          {isOpen ? <NumberTable table={figure.table} caption={figure.title} /> : null}
        </details>
        <Button size="small" tone="quiet" onClick={() => saveFile(`${figure.name}.svg`, svgFileOf(drawing))}>
          Save SVG
        </Button>
        <Button
          size="small"
          tone="quiet"
          onClick={() => void pictureOf(drawing).then((png) => saveFile(`${figure.name}.png`, png))}
        >
          Save PNG
        </Button>
      </div>
    </figure>
  );
}

/** The first note is always read; the others unfold. In a file they all stand below the drawing. */
function Notes({ notes: [first, ...others] }: { notes: readonly string[] }): ReactNode {
  if (first === undefined) return null;
  return (
    <div className={styles.notes}>
      <p>{first}</p>
      {others.length === 0 ? null : (
        <details>
          <summary>{countText(others.length, 'more note')}</summary>
          <ul>
            {others.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

/** One point is named at a time: the one nearest to the pointer, or the one the keys stand on. */
function Points({ figure, label, svg }: { figure: Figure; label: string; svg: ReactNode }): ReactNode {
  const [chosen, setChosen] = useState<number | null>(null);
  const { points } = figure;
  const last = points.length - 1;
  const at = Math.min(chosen ?? last, last);
  const point = points[at];
  if (point === undefined) return svg;
  const move = (event: KeyboardEvent): void => {
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setChosen(Math.max(0, Math.min(last, next)));
  };
  const hover = ({ clientX, clientY, currentTarget }: PointerEvent<HTMLElement>): void => {
    const { left, top, width } = currentTarget.getBoundingClientRect();
    const scale = width / figure.width;
    setChosen(nearestOf(points, (clientX - left) / scale, (clientY - top) / scale));
  };
  return (
    <>
      <div
        className={styles.plot}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={1}
        aria-valuemax={points.length}
        aria-valuenow={at + 1}
        aria-valuetext={point.text}
        onKeyDown={move}
        onPointerMove={hover}
        onPointerLeave={() => setChosen(null)}
      >
        {svg}
        {chosen === null ? null : (
          <span
            className={styles.here}
            style={{
              left: `${String((point.x / figure.width) * 100)}%`,
              top: `${String((point.y / figure.height) * 100)}%`,
            }}
          />
        )}
      </div>
      <p className={styles.value}>{point.text}</p>
    </>
  );
}

function nearestOf(points: Figure['points'], x: number, y: number): number {
  // Along x first: that is how a reader of a chart points.
  const distance = (point: { x: number; y: number }): number =>
    Math.abs(point.x - x) * 3 + Math.abs(point.y - y);
  return points.reduce((best, point, index) => {
    const known = points[best];
    return known !== undefined && distance(point) < distance(known) ? index : best;
  }, 0);
}

/** React writes attributes in its own way. */
const reactName = (name: string): string =>
  name === 'class'
    ? 'className'
    : /^(?:data|aria)-/.test(name)
      ? name
      : name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The figure around the drawing has its name. */
const NAMED_OUTSIDE = {
  width: '100%',
  height: undefined,
  role: 'presentation',
  'aria-label': undefined,
  'aria-labelledby': undefined,
};

function elementOf({ tag, attributes, children }: SvgNode, key: number): ReactNode {
  const given = Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [reactName(name), value]),
  );
  const isRoot = tag === 'svg';
  const inside = children.map((child, index) =>
    typeof child === 'string' ? child : elementOf(child, index),
  );
  return createElement(tag, { ...given, key, ...(isRoot ? NAMED_OUTSIDE : {}) }, ...inside);
}
