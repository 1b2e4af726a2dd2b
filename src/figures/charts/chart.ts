// One chart of the catalogue: the data it takes, as a schema, and the figure it makes of it.
import type { z } from 'zod';
import type { FigureOptions } from '../frame.ts';
import type { Figure } from '../scene.ts';

export type Chart<Data> = {
  name: string;
  data: z.ZodType;
  /** Throws where the data does not fit the schema. */
  draw: (data: Data, options: FigureOptions) => Figure;
};

/** What is left out of the data has the schema's default. */
export const defineChart = <Schema extends z.ZodType>(chart: {
  name: string;
  data: Schema;
  figure: (data: z.infer<Schema>, options: FigureOptions) => Figure;
}): Chart<z.input<Schema>> => ({
  name: chart.name,
  data: chart.data,
  draw: (data, options) => chart.figure(chart.data.parse(data), options),
});

/** A chart with its data, for whoever only has to draw it. */
export type Drawing = { name: string; draw: (options: FigureOptions) => Figure };

/** The data is checked once, here. */
export function drawingOf<Data>({ name, data: schema, draw }: Chart<Data>, data: Data): Drawing {
  schema.parse(data);
  return { name, draw: (options) => draw(data, options) };
}
