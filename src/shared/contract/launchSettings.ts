// What a command says about models and experts for what it launches in an Interject that is open. It may carry keys: it
// goes from process to process on one machine, and is neither logged nor stored.
import { z } from 'zod';
import { Roster } from '../experts/roster.ts';

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
  /** The name under which the command hands access tokens over, by `launch.token`. */
  tokenFrom: Value,
});
export type RoleModel = z.infer<typeof RoleModel>;

export const LaunchSettings = z.strictObject({
  /** What the flags said, by role. */
  models: z.strictObject({ agent: RoleModel.optional(), expert: RoleModel.optional() }).optional(),
  /** In place of the roster of the settings. */
  roster: Roster.optional(),
});
export type LaunchSettings = z.infer<typeof LaunchSettings>;
