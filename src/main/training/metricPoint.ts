/** One number of one metric at one step; null where the log says that there is none. */
export type MetricPoint = { step: number; name: string; value: number | string | null };
