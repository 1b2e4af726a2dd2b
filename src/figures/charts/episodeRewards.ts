import { z } from 'zod';
import { formatNumber } from '../text.ts';
import { xyChart } from '../xyChart.ts';
import { defineChart } from './chart.ts';
import { number } from './shapes.ts';

const EpisodeRewardsData = z.strictObject({
  /** The steps that gave a reward, and what they come to so far. */
  points: z.array(z.strictObject({ turn: z.number().int(), reward: number, total: number })),
});

/** The rewards of one episode over its turns: a bar for each step, a line for what they come to. */
export const episodeRewards = defineChart({
  name: 'episode-rewards',
  data: EpisodeRewardsData,
  figure: ({ points }, options) => {
    const last = points.at(-1);
    return xyChart(
      {
        name: 'episode-rewards',
        title:
          last === undefined
            ? 'Reward by turn'
            : `Rewards come to ${formatNumber(last.total, 6)} by turn ${String(last.turn)}`,
        subtitle: 'Bars: reward of a step. Line: added up',
        notes: [],
        x: { label: 'Turn', isInteger: true, domain: [0.5, (last?.turn ?? 1) + 0.5] },
        y: { label: 'Reward', include: [0] },
        series: [
          { name: 'step', isBars: true, points: points.map(({ turn, reward }) => ({ x: turn, y: reward })) },
          {
            name: 'added up',
            colour: 'agent',
            style: 0,
            points: points.map(({ turn, reward, total }) => ({
              x: turn,
              y: total,
              text: `Turn ${String(turn)}: reward ${formatNumber(reward, 6)}, ${formatNumber(total, 6)} so far`,
            })),
          },
        ],
        empty: 'No step has given a reward yet.',
      },
      options,
    );
  },
});
