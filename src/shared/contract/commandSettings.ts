// What a command of the command line says about models and held-out tasks, for what it begins. It may carry keys:
// it goes from process to process on one machine, and is neither logged nor stored.
import { z } from 'zod';
import { SplitManifest } from '../split.ts';

const Value = z.string().max(8192).optional();
const RoleModel = z.strictObject({
  profile: Value,
  provider: z.enum(['openai', 'azure']).optional(),
  baseUrl: Value,
  apiKey: Value,
  /** The flag or the variable the key came by. */
  keyFrom: Value,
  model: Value,
  apiVersion: Value,
  /** The name under which the command hands access tokens over, by `command.token`. */
  tokenFrom: Value,
});
export type RoleModel = z.infer<typeof RoleModel>;

export const CommandSettings = z.strictObject({
  /** What the flags said, by role. */
  models: z.strictObject({ agent: RoleModel.optional(), expert: RoleModel.optional() }).optional(),
  /** Which tasks are held out, beside the pinned splits. */
  split: SplitManifest.optional(),
});
export type CommandSettings = z.infer<typeof CommandSettings>;
