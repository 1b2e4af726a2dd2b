// The built-in worlds: reached through a real socket like any other server, but listed, read and judged from memory.
import { RESERVED_TOOLS } from '../../shared/wire.ts';
import { worldName } from '../../shared/worldNames.ts';
import type { Worlds } from '../worlds/worlds.ts';
import { UNDESCRIBED } from '../openenv/serverDescription.ts';
import { openToolServer } from './openenv.ts';
import type { Environment } from './port.ts';

const withWorldName = (request: Record<string, unknown>): Record<string, unknown> => {
  const { scenario } = request;
  return typeof scenario === 'string' ? { ...request, scenario: worldName(scenario) } : request;
};

/** They answer in this very process: while many episodes begin at once it is busy, and not away. */
const CONNECT_MS = 120_000;

/** `url`: another port each time the product starts, so the one of a logged episode does not count. */
export const builtInWorlds = (worlds: Worlds, url: string): Environment => ({
  capabilities: { reservedTools: RESERVED_TOOLS, canRebuild: true },
  open: async (signal) => {
    const session = await openToolServer(url, { signal, timeouts: { connectMs: CONNECT_MS } });
    // The state can be rebuilt at any time; nothing is left lying about for it.
    return {
      ...session,
      // An episode of an older log is played again by the name that its world had then.
      reset: (request, stop) => session.reset(withWorldName(request), stop),
      finishEnvironment: (_, stop) => session.finishEnvironment({ keepsSession: false }, stop),
    };
  },
  scenarios: async () =>
    worlds.packs().map(({ name, description }) => ({
      name,
      description,
      tasks: worlds.tasks(name).map(({ task }) => task),
    })),
  tasks: async (scenario) =>
    worlds
      .tasks(scenario)
      .map(({ task_idx, task, difficulty, is_ambiguous }) => ({ task_idx, task, difficulty, is_ambiguous })),
  // Worlds of tools: their action is the tool call.
  describe: () => Promise.resolve(UNDESCRIBED),
  images: (episode) => worlds.images(episode),
  verdict: async ({ scenario, task_idx, images, final_answer }) => {
    const startedAt = performance.now();
    const result = worlds.verdict(scenario, task_idx, images, final_answer);
    if (result === null) return null;
    return {
      result,
      reward_type: result,
      verifier: 'built_in',
      evidence: null,
      problem: null,
      problem_code: null,
      next: null,
      read_clock: false,
      clock_at: null,
      ms: performance.now() - startedAt,
    };
  },
});
