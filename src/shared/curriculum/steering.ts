// What the owner of a run's curriculum may want otherwise. A trainer never does any of it.
import { z } from 'zod';
import { SettingsChange } from './settings.ts';

export const CurriculumSteering = z.discriminatedUnion('what', [
  /** From the next decision on. */
  z.strictObject({ what: z.literal('settings'), settings: SettingsChange }),
  /** The decisions from this step on, and what was told after the first of them, are taken back. */
  z.strictObject({ what: z.literal('set_back'), step: z.number().int().min(0) }),
  /** The run goes on with another key: its id. */
  z.strictObject({ what: z.literal('key'), key: z.string() }),
]);
export type CurriculumSteering = z.infer<typeof CurriculumSteering>;
