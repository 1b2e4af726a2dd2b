import { z } from 'zod';
import { WalkthroughStep } from '../../shared/episode/walkthrough.ts';
import { frame, textNode, type FigureOptions } from '../frame.ts';
import { el, px, type Figure, type SvgNode } from '../scene.ts';
import { textWidth, wrapText } from '../text.ts';
import { SIZES, type ColourName, type Theme } from '../theme.ts';
import { defineChart } from './chart.ts';
import { Frame, notesOf } from './shapes.ts';

const WalkthroughData = z.strictObject({ ...Frame, task: z.string(), steps: z.array(WalkthroughStep) });

const LINE = 16;
const GAP = 10;
const OUTCOME_WIDTH = 76;
/** Narrower than this, who did it stands above what was done. */
const NARROW = 480;
const OUTCOMES: Readonly<Record<WalkthroughStep['outcome'], { text: string; colour: ColourName } | null>> = {
  ok: { text: 'ok', colour: 'ok' },
  error: { text: 'error', colour: 'error' },
  complete: { text: 'complete', colour: 'ok' },
  incomplete: { text: 'not complete', colour: 'error' },
  none: null,
};

/** More steps than this make a figure that nobody reads: those in the middle are left out, and counted. */
const FIRST_STEPS = 30;
const LAST_STEPS = 10;

/** One task, step by step: who did what, and what came of it. */
export const walkthrough = defineChart({
  name: 'walkthrough',
  data: WalkthroughData,
  figure: (data, options: FigureOptions): Figure => {
    const numbered = data.steps.map((step, index) => ({ ...step, number: index + 1 }));
    const left = Math.max(0, numbered.length - FIRST_STEPS - LAST_STEPS);
    const steps = left === 0 ? numbered : [...numbered.slice(0, FIRST_STEPS), ...numbered.slice(-LAST_STEPS)];
    return frame(
      {
        name: 'walkthrough',
        title: data.title ?? `One task in ${stepCount(numbered.length)}`,
        subtitle: data.task,
        notes: notesOf(
          data,
          left > 0 &&
            `Steps ${String(FIRST_STEPS + 1)} to ${String(FIRST_STEPS + left)} of ${String(numbered.length)} are left out here.`,
        ),
        table: {
          columns: ['Step', 'Turn', 'Who', 'What', 'Outcome'],
          rows: steps.map(({ number, turn, who, text, outcome }) => [
            number,
            turn ?? null,
            who,
            text,
            OUTCOMES[outcome]?.text ?? null,
          ]),
        },
        empty: steps.length === 0 ? 'This episode has no step yet.' : null,
        heightOf: (width) => layoutOf(steps, width).reduce((sum, { height }) => sum + height, 0),
        draw: (box, theme) => {
          let top = box.top;
          const drawn = layoutOf(steps, box.width).map((row) => {
            const nodes = stepNodes(row, { left: box.left, top, width: box.width }, theme);
            const { turn, who, text, outcome } = row.step;
            const end = OUTCOMES[outcome];
            const point = {
              x: px(box.left + 5),
              y: px(top + LINE / 2),
              text: `${turn === undefined ? '' : `Turn ${String(turn)}, `}${who}: ${text}${end === null ? '' : ` (${end.text})`}`,
            };
            top += row.height;
            return { nodes, point };
          });
          return { nodes: drawn.flatMap(({ nodes }) => nodes), points: drawn.map(({ point }) => point) };
        },
      },
      options,
    );
  },
});

/** Numbered as the turns are everywhere else; what is no turn has no number. */
const whoLabel = ({ turn, who }: WalkthroughStep): string =>
  turn === undefined ? who : `${String(turn)} ${who}`;

const stepCount = (count: number): string => (count === 1 ? '1 step' : `${String(count)} steps`);

type NumberedStep = WalkthroughStep & { number: number };
type Row = { step: NumberedStep; lines: string[]; textLeft: number; textTop: number; height: number };

function layoutOf(steps: readonly NumberedStep[], width: number): Row[] {
  const whoWidth = Math.max(...steps.map((step) => textWidth(whoLabel(step), SIZES.text, true)));
  const isNarrow = width < NARROW;
  const textLeft = isNarrow ? 10 : whoWidth + 24;
  const textTop = isNarrow ? LINE : 0;
  return steps.map((step) => {
    const lines = wrapText(step.text, SIZES.text, width - textLeft - (isNarrow ? 0 : OUTCOME_WIDTH));
    return { step, lines, textLeft, textTop, height: textTop + Math.max(1, lines.length) * LINE + GAP };
  });
}

function stepNodes(
  { step, lines, textLeft, textTop, height }: Row,
  { left, top, width }: { left: number; top: number; width: number },
  theme: Theme,
): SvgNode[] {
  const { actor, who, outcome, number } = step;
  const ink = theme.colours[actor];
  const end = OUTCOMES[outcome];
  const base = top + LINE - 4;
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
    textNode(whoLabel(step), left + 10, base, { fill: ink, 'font-weight': 700 }),
    ...lines.map((line, row) =>
      textNode(line, left + textLeft, base + textTop + row * LINE, { fill: theme.ink }),
    ),
    ...(end === null
      ? []
      : [
          textNode(end.text, left + width, base, {
            'text-anchor': 'end',
            'font-size': SIZES.small,
            fill: theme.colours[end.colour],
          }),
        ]),
  ];
}
