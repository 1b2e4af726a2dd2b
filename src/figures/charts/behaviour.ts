import { z } from 'zod';
import { formatNumber } from '../text.ts';
import { rowChart } from '../rowChart.ts';
import { xyChart } from '../xyChart.ts';
import { defineChart } from './chart.ts';
import { Frame, notesOf, number } from './shapes.ts';

const Counts = { solo: number, recovery: number, blind: number };
const BehaviourData = z.strictObject({
  ...Frame,
  /** Counts of each step, not added up. */
  steps: z.array(z.strictObject({ step: number, ...Counts })),
  /** Where only the sums are known. */
  totals: z.strictObject({ ...Counts, over: z.string().min(1) }).optional(),
});

const KINDS = [
  ['solo', 'Completed alone', 'agent'],
  ['recovery', 'Asked after a failed try', 'human'],
  ['blind', 'Asked before any try', 'scripted'],
] as const;

/** How the agent asked, added up over the steps: alone, after a failed try, before any. */
export const behaviour = defineChart({
  name: 'behaviour',
  data: BehaviourData,
  figure: (data, options) => {
    const { steps, totals } = data;
    if (steps.length === 0 && totals !== undefined) {
      return rowChart(
        {
          name: 'behaviour',
          title:
            data.title ??
            `Over ${totals.over} the agent asked ${formatNumber(totals.blind, 6)} times before it had tried anything`,
          subtitle: `Counts over ${totals.over}; the source has no counts by step`,
          notes: notesOf(data),
          x: { label: 'Count', include: [0] },
          shape: 'bar',
          rows: KINDS.map(([key, label, colour]) => ({ label, value: totals[key], colour })),
          empty: '',
        },
        options,
      );
    }
    const sums = { solo: 0, recovery: 0, blind: 0 };
    const added = steps.map((one) => {
      for (const [key] of KINDS) sums[key] += one[key];
      return { step: one.step, ...sums };
    });
    return xyChart(
      {
        name: 'behaviour',
        title: data.title ?? 'How the agent asked, added up over training',
        subtitle: 'Rollouts by how they asked, added up over the steps so far',
        notes: notesOf(data),
        x: { label: 'Training step', isInteger: true },
        y: { label: 'Rollouts so far', include: [0] },
        series: KINDS.map(([key, name, colour]) => ({
          name,
          colour,
          points: added.map((one) => ({ x: one.step, y: one[key] })),
        })),
        empty: 'No step of this run says how its rollouts asked.',
      },
      options,
    );
  },
});
