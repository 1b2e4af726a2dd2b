// One chart of the catalogue: the data it takes, as a schema, and the figure it makes of it.
import type { z } from 'zod';
import type { FigureOptions } from '../frame.ts';
import type { Figure } from '../scene.ts';

export type Chart<Data> = {
  name: string;
  data: z.ZodType;
  /** Throws where the data does not fit the schema. */
  draw: (data: Data, options: FigureOptions) => Figure;
  /** Checks the data once, for figures that are drawn again and again. */
  open: (data: Data) => Drawing['draw'];
};

/** What is left out of the data has the schema's default. */
export function defineChart<Schema extends z.ZodType>(chart: {
  name: string;
  data: Schema;
  figure: (data: z.infer<Schema>, options: FigureOptions) => Figure;
}): Chart<z.input<Schema>> {
  const open = (data: z.input<Schema>): Drawing['draw'] => {
    const checked = chart.data.parse(data);
    return (options) => chart.figure(checked, options);
  };
  return { name: chart.name, data: chart.data, open, draw: (data, options) => open(data)(options) };
}

/** A chart with its data, for whoever only has to draw it. */
export type Drawing = {
  name: string;
  draw: (options: FigureOptions) => Figure;
  /** What a report calls it where its title is a whole result. */
  heading?: string;
};

/** The data is checked once, here. */
export const drawingOf = <Data>({ name, open }: Chart<Data>, data: Data): Drawing => ({
  name,
  draw: open(data),
});
