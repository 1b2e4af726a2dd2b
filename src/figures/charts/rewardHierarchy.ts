import { z } from 'zod';
import { rowChart } from '../rowChart.ts';
import { defineChart } from './chart.ts';
import { Frame, notesOf, number } from './shapes.ts';

const RewardHierarchyData = z.strictObject({
  ...Frame,
  /** Highest first; base and modifier add up to what the pattern is worth. */
  patterns: z.array(z.strictObject({ name: z.string().min(1), base: number, modifier: number })),
});

/** What an episode is worth by how the agent asked. */
export const rewardHierarchy = defineChart({
  name: 'reward-hierarchy',
  data: RewardHierarchyData,
  figure: (data, options) =>
    rowChart(
      {
        name: 'reward-hierarchy',
        title: data.title ?? titleOf(data.patterns.map(({ name }) => name)),
        subtitle: 'Shaped reward of one episode: base and modifier. A diagnostic, not a result',
        notes: notesOf(
          data,
          data.patterns.some(({ base, modifier }) => base * modifier < 0) &&
            'A diamond stands where base and modifier come to.',
        ),
        x: { label: 'Reward', include: [0] },
        shape: 'bar',
        rows: data.patterns.map(({ name, base, modifier }) => ({
          label: name,
          value: base + modifier,
          segments: [
            { name: 'Base', value: base, colour: 'verifier' as const },
            ...(modifier === 0 ? [] : [{ name: 'Modifier', value: modifier, colour: 'human' as const }]),
          ],
        })),
        empty: 'These settings name no pattern.',
      },
      options,
    ),
});

const titleOf = (names: readonly string[]): string =>
  names.length < 2 ? 'What an episode is worth' : `Worth most to least: ${names.join(', ').toLowerCase()}`;
