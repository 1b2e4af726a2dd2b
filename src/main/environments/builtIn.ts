// The built-in worlds: reached through a real socket like any other server, but listed, read and judged from memory.
import type { BriefingOf } from '../../shared/pack.ts';
import { secretsOfBriefing, type TaskOfEpisode, type TaskSecrets } from '../../shared/taskSecrets.ts';
import { RESERVED_TOOLS } from '../../shared/wire.ts';
import type { Worlds } from '../worlds/worlds.ts';
import { UNDESCRIBED } from '../openenv/serverDescription.ts';
import { openActionServer, openToolServer } from './openenv.ts';
import type { Environment, EnvironmentSession } from './port.ts';

/** They answer in this very process: while many episodes begin at once it is busy, and not away. */
const CONNECT_MS = 120_000;

/**
 * The answer to a task of a pack, wherever its server runs. The task's own text decides: an environment elsewhere may
 * use the same names for something else.
 */
export const packBriefings =
  (worlds: Worlds): BriefingOf =>
  (scenario, task_idx, task) => {
    if (scenario === null || task_idx === null) return null;
    const known = worlds.tasks(scenario).find((one) => one.task_idx === task_idx);
    // In a world of actions the first observation follows the task.
    const isIt = known !== undefined && (task === known.task || task?.startsWith(`${known.task}\n\n`));
    return isIt === true ? worlds.briefing(scenario, task_idx) : null;
  };

/** The same as what is known of a task in any environment. */
export const packSecrets =
  (worlds: Worlds) =>
  ({ scenario, task_idx, task }: TaskOfEpisode): TaskSecrets | null => {
    const briefing = packBriefings(worlds)(scenario, task_idx, task);
    return briefing === null ? null : secretsOfBriefing(briefing);
  };

/** A session of tools, until a reset names a world of actions. */
async function openWorld(worlds: Worlds, url: string, signal: AbortSignal): Promise<EnvironmentSession> {
  const timeouts = { connectMs: CONNECT_MS };
  let session = await openToolServer(url, { signal, timeouts });
  const listeners: Parameters<EnvironmentSession['onClosed']>[0][] = [];
  const changeTo = (next: EnvironmentSession): void => {
    session.close();
    session = next;
    for (const listener of listeners) next.onClosed(listener);
  };
  return {
    secrets: [],
    get addsRewards() {
      return session.addsRewards;
    },
    resetArguments: (request) => session.resetArguments(request),
    leaveImages: (stop) => session.leaveImages(stop),
    reset: async (request, stop) => {
      const { scenario } = request;
      const name = typeof scenario === 'string' ? scenario : '';
      const path = worlds.actionPath(name);
      if (path === null) return session.reset(request, stop);
      const opened = await openActionServer(`${url}${path}`, { timeouts, ...(stop ? { signal: stop } : {}) });
      if (opened === null) return session.reset(request, stop);
      changeTo(opened);
      const { result, refusal } = await opened.reset(request, stop);
      const task_idx = Number(request['task_idx'] ?? 0);
      const task = worlds.tasks(name)[task_idx]?.task ?? '';
      return {
        result: { ...result, scenario: name, task_idx, task: `${task}\n\n${result.task ?? ''}` },
        refusal,
      };
    },
    listTools: (stop) => session.listTools(stop),
    faultOf: (name, args) => session.faultOf(name, args),
    callTool: (name, args, stop) => session.callTool(name, args, stop),
    state: (stop) => session.state(stop),
    verifyOnce: (answer, stop) => session.verifyOnce(answer, stop),
    // The state can be rebuilt at any time; nothing is left lying about for it.
    finishEnvironment: (_, stop) => session.finishEnvironment({ keepsSession: false }, stop),
    close: () => session.close(),
    onClosed: (listener) => {
      listeners.push(listener);
      session.onClosed(listener);
    },
  };
}

/** `url`: another port each time the product starts, so the one of a logged episode does not count. */
export const builtInWorlds = (worlds: Worlds, url: string): Environment => ({
  capabilities: { reservedTools: RESERVED_TOOLS, canRebuild: true },
  open: (signal) => openWorld(worlds, url, signal),
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
  // Which world is asked for is known at reset only.
  describe: () => Promise.resolve(UNDESCRIBED),
  endpoints: () => Promise.resolve(null),
  readingTools: (scenario) => worlds.readingTools(scenario ?? ''),
  images: (episode) => worlds.images(episode),
  taskSecrets: async (task) => {
    const secrets = packSecrets(worlds)(task);
    return secrets === null
      ? { secrets, missing: { message: 'No pack here holds a task of this text.', next: null } }
      : { secrets, missing: null };
  },
  seed: () => Promise.resolve(null),
});
