import { z } from 'zod';
import { countText } from '../../shared/countText.ts';
import { rowChart } from '../rowChart.ts';
import { formatNumber } from '../text.ts';
import { defineChart } from './chart.ts';
import { Frame, notesOf, number } from './shapes.ts';

const HumanMinutesData = z.strictObject({
  ...Frame,
  /** What each line is: a seat, a step, an arm. */
  rows: z.array(
    z.strictObject({
      label: z.string().min(1),
      /** Null where no time was measured. */
      minutes: number.nullable(),
      episodes: z.number().int().nonnegative().nullable(),
    }),
  ),
});

/** The measured time of people. */
export const humanMinutes = defineChart({
  name: 'human-minutes',
  data: HumanMinutesData,
  figure: (data, options) => {
    const total = data.rows.reduce((sum, { minutes }) => sum + (minutes ?? 0), 0);
    return rowChart(
      {
        name: 'human-minutes',
        title:
          data.title ??
          (data.rows.some(({ minutes }) => minutes !== null)
            ? `People spent ${formatNumber(total)} active ${total === 1 ? 'minute' : 'minutes'}`
            : 'The minutes of people'),
        subtitle: 'Active minutes of people: time at a question, not time that it waited',
        notes: notesOf(data),
        x: { label: 'Active minutes', include: [0] },
        shape: 'bar',
        rows: data.rows.map(({ label, minutes, episodes }) => ({
          label,
          value: minutes,
          ...(episodes === null ? {} : { note: countText(episodes, 'episode') }),
          colour: 'human',
        })),
        empty: 'No person’s time was measured here.',
      },
      options,
    );
  },
});
