// The command that starts an environment's server on this machine, and what is known of the server it started.
import { z } from 'zod';

export const ManagedServer = z.strictObject({
  /** A program and its words; quotes keep words together. Run without a shell unless `uses_shell`. */
  command: z.string().trim().min(1).max(4_000),
  uses_shell: z.boolean().default(false),
  /** The folder it runs in; null for the data folder. */
  cwd: z.string().max(2_000).nullable().default(null),
  env: z.record(z.string(), z.string()).default({}),
  /** Answers once the server is ready; null for `/health` of the environment's address. */
  health_url: z.string().max(2_000).nullable().default(null),
  /** Stopped after so many minutes without a session; null for never. */
  idle_minutes: z.number().positive().max(10_000).nullable().default(null),
});
export type ManagedServer = z.infer<typeof ManagedServer>;

export const ServerProcess = z.strictObject({ pid: z.number().int(), command: z.string() });
export type ServerProcess = z.infer<typeof ServerProcess>;

export const ServerStatus = z.strictObject({
  /** `left_over`: started by an Interject that was killed, and still running. */
  state: z.enum(['stopped', 'starting', 'running', 'left_over']),
  pid: z.number().int().nullable(),
  /** What a server that has ended started and left running, such as sub-environments. */
  left: z.array(ServerProcess),
  /** The end of what it printed. */
  log: z.string(),
});
export type ServerStatus = z.infer<typeof ServerStatus>;
