// One episode, step by step: who did what, and what came of it.
import { outcomeSentence, type EpisodeSummary } from '../shared/episode/summary.ts';
import type { WalkthroughStep } from '../shared/episode/walkthrough.ts';
import { outcomeOf, type OutcomeKind } from '../shared/taskOutcome.ts';
import { drawingOf, textNode, type Box, type Drawing } from './frame.ts';
import { el, px, type FigurePoint, type SvgNode } from './scene.ts';
import { textWidth, wrapText } from './text.ts';
import { SIZES, type ColourName, type Theme } from './theme.ts';

/** More steps than this make a figure that nobody reads: those in the middle are left out, and counted. */
const FIRST_STEPS = 30;
const LAST_STEPS = 10;

type StepEnd = { text: string; colour: ColourName };
type Step = WalkthroughStep & { number: number; end: StepEnd | null };

export function walkthroughFigure(summary: EpisodeSummary): Drawing {
  const { task, walkthrough, verdict } = summary;
  const all = walkthrough.map((step, at) => ({ ...step, number: at + 1, end: endOf(step, verdict) }));
  const left = Math.max(0, all.length - FIRST_STEPS - LAST_STEPS);
  const steps = left === 0 ? all : [...all.slice(0, FIRST_STEPS), ...all.slice(-LAST_STEPS)];
  return drawingOf({
    name: 'walkthrough',
    title: outcomeSentence(summary),
    subtitle: task,
    notes: [
      left > 0
        ? `Steps ${String(FIRST_STEPS + 1)} to ${String(FIRST_STEPS + left)} of ${String(all.length)} are left out here.`
        : '',
      walkthrough.some(({ text }) => text.includes('…'))
        ? 'Long texts are cut here; the episode holds them whole.'
        : '',
    ],
    table: () => ({
      columns: ['Step', 'Turn', 'Who', 'What', 'Outcome'],
      rows: steps.map(({ number, turn, who, text, end }) => [
        number,
        turn ?? null,
        who,
        text,
        end?.text ?? null,
      ]),
    }),
    isEmpty: steps.length === 0,
    empty: 'This episode has no step yet.',
    heightOf: (width) => layoutOf(steps, width).reduce((sum, { height }) => sum + height, 0),
    draw: (box, theme) => {
      let top = box.top;
      const drawn = layoutOf(steps, box.width).map((row) => {
        const one = drawStep(row, { ...box, top }, theme);
        top += row.height;
        return one;
      });
      return { nodes: drawn.flatMap(({ nodes }) => nodes), points: drawn.map(({ point }) => point) };
    },
  });
}

const VERDICT_COLOURS: Readonly<Record<OutcomeKind, ColourName>> = {
  complete: 'ok',
  partly: 'human',
  failed: 'error',
  unknown: 'system',
};

/** The verifier's own label tells a task that failed from one that is partly done. */
function endOf({ outcome }: WalkthroughStep, verdict: string | null): StepEnd | null {
  if (outcome === 'none') return null;
  if (outcome === 'ok' || outcome === 'error') return { text: outcome, colour: outcome };
  const { kind, word } = outcomeOf(verdict ?? (outcome === 'complete' ? outcome : null));
  return { text: word.toLowerCase(), colour: VERDICT_COLOURS[kind] };
}

const LINE = 16;
const GAP = 10;
const OUTCOME_WIDTH = 92;
/** Narrower than this, who did it stands above what was done. */
const NARROW = 480;

type Row = { step: Step; lines: string[]; textLeft: number; textTop: number; height: number };

/** Numbered as the turns are everywhere else; what is no turn has no number. */
const whoLabel = ({ turn, who }: Step): string => (turn === undefined ? who : `${String(turn)} ${who}`);

function layoutOf(steps: readonly Step[], width: number): Row[] {
  const whoWidth = Math.max(...steps.map((step) => textWidth(whoLabel(step), SIZES.text, true)));
  const isNarrow = width < NARROW;
  const textLeft = isNarrow ? 10 : whoWidth + 24;
  const textTop = isNarrow ? LINE : 0;
  return steps.map((step) => {
    const lines = wrapText(step.text, SIZES.text, width - textLeft - (isNarrow ? 0 : OUTCOME_WIDTH));
    return { step, lines, textLeft, textTop, height: textTop + Math.max(1, lines.length) * LINE + GAP };
  });
}

function drawStep(
  { step, lines, textLeft, textTop, height }: Row,
  { left, top, width }: Box,
  theme: Theme,
): { nodes: SvgNode[]; point: FigurePoint } {
  const { actor, who, number, turn, text, end } = step;
  const ink = theme.colours[actor];
  const base = top + LINE - 4;
  const stripe = { x: left, y: px(top), width: 4, height: px(height - 4), fill: ink };
  const endStyle = { 'text-anchor': 'end', 'font-size': SIZES.small };
  return {
    nodes: [
      el('rect', { ...stripe, class: 'mark', 'data-series': who, 'data-x': number }),
      textNode(whoLabel(step), left + 10, base, { fill: ink, 'font-weight': 700 }),
      ...lines.map((line, row) =>
        textNode(line, left + textLeft, base + textTop + row * LINE, { fill: theme.ink }),
      ),
      ...(end === null
        ? []
        : [textNode(end.text, left + width, base, { ...endStyle, fill: theme.colours[end.colour] })]),
    ],
    point: {
      x: px(left + 5),
      y: px(top + LINE / 2),
      text: `${turn === undefined ? '' : `Turn ${String(turn)}, `}${who}: ${text}${end === null ? '' : ` (${end.text})`}`,
    },
  };
}
