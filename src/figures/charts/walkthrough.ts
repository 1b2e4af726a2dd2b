import { z } from 'zod';
import { frame, textNode, type FigureOptions } from '../frame.ts';
import { el, px, type Figure, type SvgNode } from '../scene.ts';
import { textWidth, wrapText } from '../text.ts';
import { SIZES, type ColourName, type Theme } from '../theme.ts';
import { defineChart } from './chart.ts';
import { Frame, notesOf } from './shapes.ts';

const Actor = z.enum(['agent', 'environment', 'model', 'human', 'scripted', 'verifier', 'system']);
const WalkthroughData = z.strictObject({
  ...Frame,
  task: z.string(),
  steps: z.array(
    z.strictObject({
      actor: Actor,
      /** Who it is in words: an actor is never told by its hue alone. */
      who: z.string().min(1),
      text: z.string().min(1),
      outcome: z.enum(['ok', 'error', 'none']),
    }),
  ),
});
type Walkthrough = z.infer<typeof WalkthroughData>;
type Step = Walkthrough['steps'][number];

const LINE = 16;
const GAP = 10;
const OUTCOMES: Readonly<Record<Step['outcome'], { text: string; colour: ColourName } | null>> = {
  ok: { text: 'ok', colour: 'ok' },
  error: { text: 'error', colour: 'error' },
  none: null,
};

/** One task, step by step: who did what, and what came of it. */
export const walkthrough = defineChart({
  name: 'walkthrough',
  data: WalkthroughData,
  figure: (data, options: FigureOptions): Figure =>
    frame(
      {
        name: 'walkthrough',
        title: data.title ?? `One task in ${String(data.steps.length)} steps`,
        subtitle: data.task,
        notes: notesOf(data),
        table: {
          columns: ['Step', 'Who', 'What', 'Outcome'],
          rows: data.steps.map(({ who, text, outcome }, index) => [
            index + 1,
            who,
            text,
            outcome === 'none' ? null : outcome,
          ]),
        },
        empty: data.steps.length === 0 ? 'This episode has no step yet.' : null,
        heightOf: (width) => layoutOf(data.steps, width).reduce((sum, { height }) => sum + height, 0),
        draw: (box, theme) => {
          let top = box.top;
          const drawn = layoutOf(data.steps, box.width).map((row, index) => {
            const nodes = stepNodes(row, { number: index + 1, left: box.left, top, width: box.width }, theme);
            const point = {
              x: px(box.left + 5),
              y: px(top + LINE / 2),
              text: `${String(index + 1)}. ${row.step.who}: ${row.step.text}`,
            };
            top += row.height;
            return { nodes, point };
          });
          return { nodes: drawn.flatMap(({ nodes }) => nodes), points: drawn.map(({ point }) => point) };
        },
      },
      options,
    ),
});

type Row = { step: Step; lines: string[]; whoWidth: number; height: number };

function layoutOf(steps: readonly Step[], width: number): Row[] {
  const whoWidth = Math.min(
    width * 0.25,
    Math.max(...steps.map(({ who }) => textWidth(who, SIZES.text, true))) + 34,
  );
  return steps.map((step) => {
    const lines = wrapText(step.text, SIZES.text, width - whoWidth - 70);
    return { step, lines, whoWidth, height: Math.max(1, lines.length) * LINE + GAP };
  });
}

function stepNodes(
  { step: { actor, who, outcome }, lines, whoWidth, height }: Row,
  { number, left, top, width }: { number: number; left: number; top: number; width: number },
  theme: Theme,
): SvgNode[] {
  const ink = theme.colours[actor];
  const end = OUTCOMES[outcome];
  return [
    el('rect', {
      x: left,
      y: px(top),
      width: 4,
      height: px(height - 4),
      fill: ink,
      class: 'mark',
      'data-series': who,
      'data-x': number,
    }),
    textNode(`${String(number)} ${who}`, left + 10, top + LINE - 4, { fill: ink, 'font-weight': 700 }),
    ...lines.map((line, row) =>
      textNode(line, left + whoWidth, top + LINE - 4 + row * LINE, { fill: theme.ink }),
    ),
    ...(end === null
      ? []
      : [
          textNode(end.text, left + width, top + LINE - 4, {
            'text-anchor': 'end',
            'font-size': SIZES.small,
            fill: theme.colours[end.colour],
          }),
        ]),
  ];
}
