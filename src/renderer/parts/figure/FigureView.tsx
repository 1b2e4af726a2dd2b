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
import type { Drawing } from '../../../figures/frame.ts';
import { toSvgText, type Figure, type FigureTable, type SvgNode } from '../../../figures/scene.ts';
import { formatNumber } from '../../../figures/text.ts';
import { countText } from '../../../shared/countText.ts';
import { Button } from '../../ui/Button.tsx';
import { saveFile } from '../../ui/saveFile.ts';
import { Table } from '../../ui/Table.tsx';
import { useWidth } from '../episode/useWidth.ts';
import * as styles from './FigureView.module.css';

/** The width of an element that was not measured yet. */
const WIDTH = 600;
const WIDTH_MAX = 900;

/** `drawing`: the same one as long as its data is the same. */
export function FigureView({ drawing }: { drawing: Drawing }): ReactNode {
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
      <Points figure={figure} svg={svg} />
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
function Points({ figure, svg }: { figure: Figure; svg: ReactNode }): ReactNode {
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
        aria-label={`Values of ${figure.name.replaceAll('-', ' ')}`}
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

const FILE_WIDTH = 900;
const PIXELS = 2;

export const svgFileOf = (drawing: Drawing): Blob =>
  new Blob([toSvgText(drawing.draw({ width: FILE_WIDTH, theme: 'light' }).svg)], {
    type: 'image/svg+xml',
  });

/** Drawn by the browser, at twice its size. */
export async function pictureOf(drawing: Drawing): Promise<Blob> {
  const figure = drawing.draw({ width: FILE_WIDTH, theme: 'light' });
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(toSvgText(figure.svg))}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = figure.width * PIXELS;
  canvas.height = figure.height * PIXELS;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((settle, refuse) => {
    canvas.toBlob(
      (blob) => (blob === null ? refuse(new Error('the browser made no picture')) : settle(blob)),
      'image/png',
    );
  });
}

export const NumberTable = ({ table, caption }: { table: FigureTable; caption: string }): ReactNode => (
  <div className={styles.scroll}>
    <Table
      caption={caption}
      columns={table.columns}
      rows={table.rows.map((row) =>
        row.map((cell) => (cell === null ? '–' : typeof cell === 'number' ? formatNumber(cell, 6) : cell)),
      )}
    />
  </div>
);

export const FigureList = ({ drawings }: { drawings: readonly Drawing[] }): ReactNode => (
  <div className={styles.list}>
    {drawings.map((drawing) => (
      <FigureView key={drawing.name} drawing={drawing} />
    ))}
  </div>
);
