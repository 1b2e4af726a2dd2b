// Cells in rows and columns: which task had what at which step.
import { X_AXIS_ROOM } from './axes.ts';
import { frame, textNode, type Box, type Drawn, type FigureOptions } from './frame.ts';
import { el, px, type Figure, type SvgNode, type TableCell } from './scene.ts';
import { fitText, textWidth } from './text.ts';
import { SIZES, type ColourName, type Theme } from './theme.ts';

/** A kind of cell: told apart by its letter and its fill, not by hue alone. */
export type CellKind = { letter: string; name: string; colour: ColourName; fill: number };
export type GridContent = {
  name: string;
  title: string;
  subtitle: string;
  notes: readonly string[];
  x: string;
  columns: readonly string[];
  rows: readonly { label: string; cells: readonly (string | null)[] }[];
  kinds: Readonly<Record<string, CellKind>>;
  empty: string;
};

const CELL_MAX = 26;
const ROW = 22;
const KEY_LINE = 20;

export function gridChart(content: GridContent, options: FigureOptions): Figure {
  const { rows, columns, kinds } = content;
  return frame(
    {
      name: content.name,
      title: content.title,
      subtitle: content.subtitle,
      notes: content.notes,
      table: {
        columns: ['', ...columns],
        rows: rows.map(({ label, cells }): TableCell[] => [
          label,
          ...columns.map((_, index) => nameOf(kinds, cells[index] ?? null)),
        ]),
      },
      empty: rows.length === 0 || columns.length === 0 ? content.empty : null,
      heightOf: (width) => keyRows(kinds, width).length * KEY_LINE + 8 + rows.length * ROW + X_AXIS_ROOM,
      draw: (box, theme) => drawGrid(content, box, theme),
    },
    options,
  );
}

const nameOf = (kinds: GridContent['kinds'], cell: string | null): string | null =>
  cell === null ? null : (kinds[cell]?.name ?? cell);

type KeyEntry = { kind: CellKind; left: number };

function keyRows(kinds: GridContent['kinds'], width: number): KeyEntry[][] {
  const rows: KeyEntry[][] = [[]];
  let left = 0;
  for (const kind of Object.values(kinds)) {
    const wide = textWidth(kind.name, SIZES.text) + 40;
    if (left > 0 && left + wide > width) {
      rows.push([]);
      left = 0;
    }
    rows.at(-1)?.push({ kind, left });
    left += wide;
  }
  return rows;
}

function drawGrid({ rows, columns, kinds, x }: GridContent, box: Box, theme: Theme): Drawn {
  const keys = keyRows(kinds, box.width);
  const labelRoom = Math.min(
    box.width * 0.4,
    Math.max(...rows.map(({ label }) => textWidth(label, SIZES.small))) + 12,
  );
  const cell = Math.min(CELL_MAX, (box.width - labelRoom) / columns.length);
  const [left, top] = [box.left + labelRoom, box.top + keys.length * KEY_LINE + 8];
  const bottom = top + rows.length * ROW;
  const cells = rows.flatMap(({ label, cells: row }, line) =>
    columns.flatMap((column, index) => {
      const kind = kinds[row[index] ?? ''];
      if (kind === undefined) return [];
      const place = { x: left + index * cell, y: top + line * ROW, width: cell, height: ROW };
      const data = { 'data-series': label, 'data-x': column, 'data-y': kind.name };
      return [
        { nodes: cellNodes(kind, place, data, theme), place, text: `${label}, ${x} ${column}: ${kind.name}` },
      ];
    }),
  );
  const every = Math.max(1, Math.ceil((textWidth('000', SIZES.small) + 6) / cell));
  const style = { 'text-anchor': 'middle', 'font-size': SIZES.small, fill: theme.quiet };
  return {
    points: cells.map(({ place, text }) => ({
      x: px(place.x + place.width / 2),
      y: px(place.y + place.height / 2),
      text,
    })),
    nodes: [
      ...keys.flatMap((row, line) =>
        row.flatMap(({ kind, left: at }) => {
          const place = { x: box.left + at, y: box.top + line * KEY_LINE, width: 20, height: 18 };
          return [
            ...cellNodes(kind, place, {}, theme),
            textNode(kind.name, place.x + 26, place.y + 13, { fill: theme.ink }),
          ];
        }),
      ),
      ...rows.map(({ label }, line) =>
        textNode(fitText(label, SIZES.small, labelRoom - 8), left - 8, top + line * ROW + ROW / 2 + 4, {
          'text-anchor': 'end',
          'font-size': SIZES.small,
          fill: theme.ink,
        }),
      ),
      ...cells.flatMap(({ nodes }) => nodes),
      ...columns.flatMap((column, index) =>
        index % every === 0 ? [textNode(column, left + (index + 0.5) * cell, bottom + 15, style)] : [],
      ),
      textNode(x, left + (columns.length * cell) / 2, bottom + 32, style),
    ],
  };
}

function cellNodes(
  { letter, colour, fill }: CellKind,
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
  data: Readonly<Record<string, string>>,
  theme: Theme,
): SvgNode[] {
  const ink = theme.colours[colour];
  return [
    el('rect', {
      x: px(x + 1),
      y: px(y + 1),
      width: px(Math.max(1, width - 2)),
      height: px(height - 2),
      rx: 2,
      fill: ink,
      'fill-opacity': fill,
      stroke: ink,
      ...(data['data-x'] === undefined ? {} : { class: 'mark', ...data }),
    }),
    ...(width < 12
      ? []
      : [
          textNode(letter, x + width / 2, y + height / 2 + 4, {
            'text-anchor': 'middle',
            'font-size': SIZES.small,
            'font-weight': 700,
            fill: theme.ink,
          }),
        ]),
  ];
}
