// The kinds of distance between two values.
import { z } from 'zod';

export const Metric = z.enum(['nominal', 'ordinal', 'interval']);
export type Metric = z.infer<typeof Metric>;
