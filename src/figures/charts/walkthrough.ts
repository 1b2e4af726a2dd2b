import { z } from 'zod';
import { outcomeOf, type OutcomeKind } from '../../shared/taskOutcome.ts';
import { WalkthroughStep } from '../../shared/episode/walkthrough.ts';
import { frame, textNode, type FigureOptions } from '../frame.ts';
import { el, px, type Figure, type SvgNode } from '../scene.ts';
import { textWidth, wrapText } from '../text.ts';
import { SIZES, type ColourName, type Theme } from '../theme.ts';
import { defineChart } from './chart.ts';
import { Frame, notesOf } from './shapes.ts';

const WalkthroughData = z.strictObject({
  ...Frame,
  task: z.string(),
  steps: z.array(WalkthroughStep),
  /** The verifier's own label; tells a task that failed from one that is partly done. */
  verdict: z.string().nullable().default(null),
});

const LINE = 16;
const GAP = 10;
const OUTCOME_WIDTH = 92;
/** Narrower than this, who did it stands above what was done. */
const NARROW = 480;
type StepEnd = { text: string; colour: ColourName };
const VERDICT_COLOURS: Readonly<Record<OutcomeKind, ColourName>> = {
  complete: 'ok',
  partly: 'human',
  failed: 'error',
  unknown: 'system',
};

function endOf({ outcome }: WalkthroughStep, verdict: string | null): StepEnd | null {
  if (outcome === 'none') return null;
  if (outcome === 'ok' || outcome === 'error') return { text: outcome, colour: outcome };
  const { kind, word } = outcomeOf(verdict ?? (outcome === 'complete' ? outcome : null));
  return { text: word.toLowerCase(), colour: VERDICT_COLOURS[kind] };
}

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
          rows: steps.map((step) => [
            step.number,
            step.turn ?? null,
            step.who,
            step.text,
            endOf(step, data.verdict)?.text ?? null,
          ]),
        },
        empty: steps.length === 0 ? 'This episode has no step yet.' : null,
        heightOf: (width) => layoutOf(steps, width).reduce((sum, { height }) => sum + height, 0),
        draw: (box, theme) => {
          let top = box.top;
          const drawn = layoutOf(steps, box.width).map((row) => {
            const end = endOf(row.step, data.verdict);
            const nodes = stepNodes({ ...row, end }, { left: box.left, top, width: box.width }, theme);
            const { turn, who, text } = row.step;
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
  { step, end, lines, textLeft, textTop, height }: Row & { end: StepEnd | null },
  { left, top, width }: { left: number; top: number; width: number },
  theme: Theme,
): SvgNode[] {
  const { actor, who, number } = step;
  const ink = theme.colours[actor];
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
