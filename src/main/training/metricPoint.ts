/** One number of one metric at one step. */
export type MetricPoint = { step: number; name: string; value: number | string };
