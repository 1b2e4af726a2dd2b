// Inputs that commands of every area have in common.
import { z } from 'zod';

export const EmptyInput = z.strictObject({});
export const PageInput = { offset: z.number().int().nonnegative(), limit: z.number().int().min(1).max(500) };
